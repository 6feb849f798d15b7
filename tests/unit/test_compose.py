"""What starts the servers: a compose file that the specification allows, with pinned images and no password in it."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml

from api.settings import Settings

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]


def test_the_compose_file_meets_the_specification() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run([*command, str(ROOT / "docker-compose.yml")], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_a_pinned_image_a_health_check_and_a_volume(name: str) -> None:
    image, _, version = SERVICES[name]["image"].partition(":")

    assert image
    assert any(digit.isdecimal() for digit in version)
    assert SERVICES[name]["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")
    assert SERVICES[name]["volumes"][0].split(":")[0] in COMPOSE["volumes"]


def test_passwords_come_from_the_environment() -> None:
    given = {name: value for service in SERVICES.values() for name, value in service["environment"].items()}
    secrets = [value for name, value in given.items() if name.endswith(("PASSWORD", "KEY", "AUTH"))]

    assert len(secrets) == 4
    assert all("${" in value and ":?" in value for value in secrets)


def test_what_the_service_is_told_is_a_setting() -> None:
    names = {name.removeprefix("WARPATH_").lower() for name in SERVICES["warpath"]["environment"]}

    assert names <= Settings.model_fields.keys()


def test_the_search_server_fits_its_client() -> None:
    client = metadata.version("qdrant-client").split(".")
    server = SERVICES["qdrant"]["image"].partition(":v")[2].split(".")

    assert server[0] == client[0]
    assert abs(int(server[1]) - int(client[1])) <= 1
