"""What Prometheus reads at /metrics: requests by route and status, how long they took, and the state of the stores.

Each process counts for itself: scrape every replica.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from api.middleware.account import Handled
from graph.errors import WarpathError
from graph.library import Library
from graph.models import StoreStatus

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 60)  # a search takes some 10 ms, an ingest a minute
_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS", "PUT", "PATCH"})  # others could be made up for ever
_FRESH = 60.0  # seconds that a look at the stores is good for: it counts everything that is stored


class Metrics:
    """The figures of one service, in a registry of its own."""

    def __init__(self, library: Library) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "warpath_requests", "Requests that are over.", ("method", "route", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "warpath_request_seconds",
            "How long requests took; searches are those of /v1/search, plans those of /v1/paths.",
            ("method", "route"),
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._registry.register(_Stores(library))

    def __call__(self, handled: Handled) -> None:
        """Counts one request."""
        method = handled.method if handled.method in _METHODS else "other"
        self._requests.labels(method, handled.route, str(handled.status)).inc()
        self._seconds.labels(method, handled.route).observe(handled.seconds)

    def page(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._registry)


class _Stores(Collector):
    """What is stored, and whether the index agrees with it."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._turn = threading.Lock()
        self._seen: tuple[float, StoreStatus | None] = (-_FRESH, None)

    def collect(self) -> Iterable[Metric]:
        """The figures of the stores; of stores that cannot be read only that."""
        status = self._status()
        yield GaugeMetricFamily("warpath_store_up", "Whether the stores can be read.", value=status is not None)
        if status:
            yield _by_kind("warpath_nodes", "Nodes of the graph.", status.nodes)
            yield _by_kind("warpath_edges", "Edges of the graph.", status.edges)
            yield GaugeMetricFamily("warpath_vectors", "Stored embeddings.", value=status.vectors)
            yield GaugeMetricFamily(
                "warpath_index_agrees",
                "Whether the search index is of the state of the graph.",
                value=status.index_ready,
            )

    def describe(self) -> Iterable[Metric]:
        """Nothing: to register asks no store."""
        return ()

    def _status(self) -> StoreStatus | None:
        with self._turn:
            if time.monotonic() - self._seen[0] >= _FRESH:
                self._seen = time.monotonic(), self._asked()
            return self._seen[1]

    def _asked(self) -> StoreStatus | None:
        try:
            return self._library.status()
        except WarpathError:
            return None


def _by_kind(name: str, help: str, counts: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, help, labels=("kind",))
    for kind, count in counts.items():
        family.add_metric((kind,), count)
    return family
