"""Writing from within the service: the same pipeline as that of the commands, one run at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from graph.errors import StoreBusy
from graph.library import Library
from graph.models import Document, IngestReport
from graph.ports import VectorStore

if TYPE_CHECKING:
    from ingest.ontology import Ontology
    from ingest.pipeline import Stores


class Writer:
    """Takes lists in and out of the configured stores, beside a library that answers from them."""

    def __init__(
        self, library: Library, open_stores: Callable[[], Stores], read_ontology: Callable[[], Ontology]
    ) -> None:
        """Stores and ontology are opened with the first write."""
        self._library, self._open_stores, self._read_ontology = library, open_stores, read_ontology
        self._turn = threading.Lock()

    def ingest(self, documents: Sequence[Document]) -> IngestReport:
        """Adds documents to what is stored.

        Raises:
            StoreBusy: another run is not over yet.
            StoreError, ModelError: nothing was changed.
        """
        from ingest import pipeline

        with self._stores() as stores:
            return pipeline.ingest(documents, stores, self._ontology)

    def forget(self, source: str) -> IngestReport:
        """Takes a source out, with everything only it spoke of.

        Raises:
            StoreBusy: another run is not over yet.
            UnknownName: no such source is stored.
        """
        from ingest import pipeline

        with self._stores() as stores:
            return pipeline.forget(source, stores, self._ontology)

    @contextmanager
    def _stores(self) -> Iterator[Stores]:
        """The stores, for one run at a time. From when the run opens the index, the library's questions wait for it."""
        if not self._turn.acquire(blocking=False):
            raise StoreBusy("This service is writing already.", hint="Send the request again in a moment.")
        with ExitStack() as held:
            held.callback(self._turn.release)

            def index(dimension: int) -> VectorStore:
                held.enter_context(self._library.index_given_up())
                return self._opened.index(dimension)

            yield replace(self._opened, index=index)

    @cached_property
    def _opened(self) -> Stores:
        return self._open_stores()

    @cached_property
    def _ontology(self) -> Ontology:
        return self._read_ontology()
