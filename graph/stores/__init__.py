"""Adapters of graph/ports.py. Only api/bootstrap.py chooses among them."""
