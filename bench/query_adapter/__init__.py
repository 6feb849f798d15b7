"""Trains the matrix that `graph/query_adapter.py` ships, from what the ontology and the starter lists say."""
