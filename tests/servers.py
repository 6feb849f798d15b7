"""Real servers for the tests, started and stopped by themselves.

Neo4j is its community server, fetched once with Maven into a cache folder and run by a Java that is installed. Set
WARPATH_TEST_NEO4J to `neo4j://user:password@host:port`, or WARPATH_TEST_QDRANT to an address, to use a server of your
own instead: **its data is deleted**. WARPATH_TEST_NEO4J_VERSION chooses among the releases that can be started. Without
a Qdrant server, qdrant-client's local mode stands in for one: it shows that the adapter speaks the client's interface
rightly, not how a server behaves.
"""

from __future__ import annotations

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from filelock import FileLock
from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError
from qdrant_client import QdrantClient

from graph.stores.qdrant_server import QdrantServer

NEO4J, NEO4J_VERSION, QDRANT = "WARPATH_TEST_NEO4J", "WARPATH_TEST_NEO4J_VERSION", "WARPATH_TEST_QDRANT"
CACHE = Path.home() / ".cache" / "warpath-tests"
START_SECONDS, STOP_SECONDS = 180, 60


@dataclass(frozen=True)
class Release:
    """One version of Neo4j, its entry point and the versions of Java it runs on."""

    version: str
    main_class: str
    java: range


LTS = Release("5.26.30", "org.neo4j.server.CommunityEntryPoint", range(17, 22))
LATEST = Release("2026.08.1", "org.neo4j.server.Neo4jCommunity", range(21, 100))
RELEASES = {release.version: release for release in (LTS, LATEST)}

JAVA_FLAGS = (
    "-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData",
    *(
        f"--add-opens=java.base/{package}=ALL-UNNAMED"
        for package in (
            "java.nio", "java.io", "sun.nio.ch", "java.lang", "java.util", "java.util.concurrent", "sun.nio.fs",
        )
    ),
)  # fmt: skip

SETTINGS = """
server.bolt.listen_address=127.0.0.1:{bolt}
server.http.listen_address=127.0.0.1:{http}
server.default_advertised_address=127.0.0.1
server.memory.heap.max_size=512m
server.memory.pagecache.size=64m
dbms.security.auth_enabled=true
dbms.usage_report.enabled=false
"""

POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion>
<groupId>warpath</groupId><artifactId>test-server</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
<dependency><groupId>org.neo4j.app</groupId><artifactId>neo4j-server</artifactId><version>{version}</version></dependency>
<dependency><groupId>org.neo4j</groupId><artifactId>neo4j</artifactId><version>{version}</version></dependency>
</dependencies>
</project>
"""

# Ends the server when this script's input closes: also when the tests were killed and could not clean up.
SUPERVISOR = '"$@" & child=$!; cat > /dev/null; kill "$child"; wait "$child"'


class NoServerError(Exception):
    """Why there is no server to test with."""


@dataclass
class Neo4jServer:
    """A server that answers, and how to get in."""

    uri: str
    user: str
    password: str

    def empty(self) -> None:
        """Deletes all data; constraints and indexes stay."""
        with GraphDatabase.driver(self.uri, auth=(self.user, self.password)) as driver:
            driver.execute_query("MATCH (n) DETACH DELETE n")

    def close(self) -> None:
        """Leaves the server as it is."""


@dataclass
class OwnNeo4j(Neo4jServer):
    """A server that the tests have started, and may stop and start again on the same port."""

    release: Release = LTS
    java: Path = Path("java")
    home: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="warpath-neo4j-")))
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts the server and waits until it answers."""
        command = [
            str(self.java), *JAVA_FLAGS, "-cp", f"{_jars(self.release)}/*", self.release.main_class,
            f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}",
        ]  # fmt: skip
        with (self.home / "console.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", SUPERVISOR, "sh", *command], stdin=subprocess.PIPE, stdout=log, stderr=log
            )
        self._wait()

    def stop(self) -> None:
        """Stops the server; its data stays."""
        if self._process and self._process.stdin:
            self._process.stdin.close()
            self._process.wait(STOP_SECONDS)
            self._process = None

    def close(self) -> None:
        """Stops the server for good."""
        self.stop()
        shutil.rmtree(self.home, ignore_errors=True)

    def _wait(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            if time.monotonic() > deadline:
                log = (self.home / "console.log").read_text(errors="replace")
                self.close()
                raise NoServerError(f"Neo4j {self.release.version} did not start: {log[-2000:]}")
            time.sleep(0.3)

    def _answers(self) -> bool:
        """Whether our password opens the server; sets it in a server that still has the first one."""
        for password in (self.password, "neo4j"):
            try:
                with GraphDatabase.driver(
                    self.uri, auth=(self.user, password), connection_timeout=2, max_transaction_retry_time=0
                ) as driver:
                    if password == "neo4j":
                        change = "ALTER CURRENT USER SET PASSWORD FROM $old TO $new"
                        driver.execute_query(change, old=password, new=self.password, database_="system")
                    driver.execute_query("RETURN 1", database_="neo4j")
                    return True
            except (DriverError, Neo4jError):
                continue
        return False


def neo4j_server() -> Neo4jServer:
    """The server named by the environment, else one of our own.

    Raises:
        NoServerError: there is neither, with the reason.
    """
    if given := os.environ.get(NEO4J):
        parts = urlsplit(given)
        uri = f"{parts.scheme}://{parts.hostname}:{parts.port or 7687}"
        return Neo4jServer(uri, unquote(parts.username or "neo4j"), unquote(parts.password or ""))
    return own_neo4j(RELEASES[os.environ.get(NEO4J_VERSION, LTS.version)])


def own_neo4j(release: Release) -> OwnNeo4j:
    """A started server of a release.

    Raises:
        NoServerError: it cannot be had, with the reason.
    """
    java = _java(release)
    _jars(release)
    bolt, http = _free_ports(2)
    server = OwnNeo4j(f"neo4j://127.0.0.1:{bolt}", "neo4j", secrets.token_urlsafe(16), release, java)
    (server.home / "conf").mkdir()
    (server.home / "conf" / "neo4j.conf").write_text(SETTINGS.format(bolt=bolt, http=http))
    server.start()
    return server


class LocalQdrant(QdrantServer):
    """A handle on qdrant-client's local mode; all handles on one client hold the same, as on a server."""

    def __init__(self, dimension: int, client: QdrantClient, **more: Any) -> None:
        super().__init__(":memory:", dimension, **more)
        self.client = client

    def close(self) -> None:
        """The client stays, for other handles."""


def open_qdrant(alias: str) -> Callable[[int], QdrantServer]:
    """Opens handles on one index: on the server named by the environment, else on the stand-in."""
    if given := os.environ.get(QDRANT):
        return lambda dimension: QdrantServer(given, dimension, alias=alias)
    client = QdrantClient(":memory:")
    return lambda dimension: LocalQdrant(dimension, client, alias=alias)


def clear(index: QdrantServer) -> None:
    """Deletes all collections of an index, the forgotten ones too."""
    for collection in index.client.get_collections().collections:
        if collection.name.startswith(f"{index.alias}-"):
            index.client.delete_collection(collection.name)
    index.close()


def _java(release: Release) -> Path:
    """An installed Java that the release runs on."""
    for home in _java_homes():
        version = _java_version(home)
        if version in release.java:
            return home / "bin" / "java"
    wanted = f"Java {release.java.start} to {release.java.stop - 1}"
    raise NoServerError(f"Neo4j {release.version} needs {wanted}, which is not installed; or set {NEO4J}.")


def _java_homes() -> list[Path]:
    named = [Path(os.environ["JAVA_HOME"])] if "JAVA_HOME" in os.environ else []
    found = shutil.which("java")
    on_path = [Path(found).resolve().parent.parent] if found else []
    return [*named, *on_path, *sorted(Path("/usr/lib/jvm").glob("*"))]


def _java_version(home: Path) -> int:
    """The major version as the JDK's file `release` says; 0 where there is none."""
    try:
        lines = (home / "release").read_text().splitlines()
    except OSError:
        return 0
    quoted = next((line.split("=", 1)[1] for line in lines if line.startswith("JAVA_VERSION=")), '"0"')
    return int(quoted.strip('"').split(".")[0])


def _jars(release: Release) -> Path:
    """The folder with the server's jars, fetched by Maven when it is not there yet."""
    folder = CACHE / f"neo4j-{release.version}"
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if not maven:
        raise NoServerError(
            f"Neo4j {release.version} is not in {CACHE}, and Maven, which fetches it, is not installed."
        )
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "lock"):
        if not folder.exists():
            _fetch(maven, release, folder)
    return folder


def _fetch(maven: str, release: Release, folder: Path) -> None:
    with tempfile.TemporaryDirectory(dir=CACHE) as draft:
        pom = Path(draft) / "pom.xml"
        pom.write_text(POM.format(version=release.version))
        command = [maven, "-q", "-B", "-f", str(pom), "dependency:copy-dependencies", f"-DoutputDirectory={draft}/jars"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoServerError(f"Maven could not fetch Neo4j {release.version}: {done.stdout[-1000:]}")
        (Path(draft) / "jars").rename(folder)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [int(one.getsockname()[1]) for one in sockets]
    for one in sockets:
        one.close()
    return ports
