"""How many searches a second the service answers, and what the way to a search costs: `python -m bench.service`.

It starts `warpath serve` on the configured store, asks with clients that send their next question when the last one is
answered, and compares processor time a question with that of the same questions in one process without HTTP. Processor
time says what the code costs also on a machine that does other things; questions a second only on one that does not.
No question comes twice.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice, repeat
from urllib.parse import quote_plus

import httpx

from api.bootstrap import open_library
from api.settings import Settings
from bench.questions import different
from graph.models import SearchRequest

QUESTIONS = 20_000  # more than are answered
TICKS = os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Measures and prints."""
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--clients", type=int, default=16)
    options.add_argument("--seconds", type=float, default=15)
    options.add_argument("--port", type=int, default=8793)
    given = options.parse_args()
    questions = different(QUESTIONS)
    alone = without_http(questions, given.seconds / 3)
    with serving(given.port) as process:
        for name, targets in (
            ("search", (f"/v1/search?q={quote_plus(question)}" for question in questions)),
            ("healthz", repeat("/healthz")),
        ):
            asyncio.run(load(given.port, targets, given.clients, 2))  # what is lazy is opened
            before = processor_seconds(process.pid)
            latencies = asyncio.run(load(given.port, targets, given.clients, given.seconds))
            spent = (processor_seconds(process.pid) - before) / len(latencies)
            tell(name, latencies, given.seconds, spent)
    print(f"search without HTTP: {alone * 1000:.1f} ms of processor time")


def without_http(questions: Iterable[str], seconds: float) -> float:
    """Processor seconds of a search in this process."""
    asked = iter(questions)
    with closing(open_library(Settings())) as library:
        for question in islice(asked, 100):
            library.search(SearchRequest(query=question))
        started, count, deadline = time.process_time(), 0, time.monotonic() + seconds
        while time.monotonic() < deadline:
            library.search(SearchRequest(query=next(asked)))
            count += 1
        return (time.process_time() - started) / count


@contextmanager
def serving(port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The service in a process of its own, from when it is ready."""
    command = (sys.executable, "-m", "api.cli", "serve", "--port", str(port))
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False) as client:
            while not is_ready(client):
                time.sleep(0.1)
        yield process
    finally:
        process.terminate()
        process.wait()


def is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz", timeout=60).is_success
    except httpx.TransportError:
        return False


async def load(port: int, targets: Iterator[str], clients: int, seconds: float) -> list[float]:
    """How long each question took; the clients take turns with the targets."""
    deadline = time.monotonic() + seconds
    told = await asyncio.gather(*(client(port, targets, deadline) for _ in range(clients)))
    return [latency for latencies in told for latency in latencies]


async def client(port: int, targets: Iterator[str], deadline: float) -> list[float]:
    """One connection; no client library, whose own cost would be measured too."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    latencies: list[float] = []
    while time.monotonic() < deadline:
        started = time.monotonic()
        writer.write(f"GET {next(targets)} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200 "), head
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length))
        latencies.append(time.monotonic() - started)
    writer.close()
    return latencies


def processor_seconds(pid: int) -> float:
    """What a process has used, all threads together."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def tell(name: str, latencies: list[float], seconds: float, spent: float) -> None:
    latencies.sort()
    p50, p99 = (latencies[int(len(latencies) * share)] * 1000 for share in (0.5, 0.99))
    print(
        f"{name}: {len(latencies) / seconds:.0f} a second, p50 {p50:.0f} ms, p99 {p99:.0f} ms, "
        f"{spent * 1000:.1f} ms of processor time each"
    )


if __name__ == "__main__":
    main()
