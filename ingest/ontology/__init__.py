"""Topics and hardware, as data that a person edits (topics/*.yaml, hardware/*.yaml), and how they are loaded."""

from ingest.ontology.loader import Ontology, load_ontology

__all__ = ["Ontology", "load_ontology"]
