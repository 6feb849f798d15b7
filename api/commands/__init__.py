"""The commands of `warpath`, one group a file."""
