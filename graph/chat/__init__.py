"""Conversation: a message becomes cited sentences of the lists, which a language model may put into better words."""
