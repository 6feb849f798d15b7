"""Gives a learning path in one of its forms: to a file, or on stdout."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from graph.errors import BadRequest
from graph.models import Format, LearningPath, Pace


class Delivery(Pace):
    """The form and the file that a path is wanted in. Without a form, the file's suffix tells."""

    format: Format | None = None
    output: Path | None = None

    @property
    def wanted(self) -> bool:
        """Whether any form or file was named."""
        return bool(self.format or self.output)


def deliver(path: LearningPath, delivery: Delivery) -> None:
    """Writes a path.

    Raises:
        BadRequest: the form is not known, or the file cannot be written.
    """
    from graph.exports import EXPORTS

    export = EXPORTS[_form(delivery)]
    if not delivery.output and not export.is_text and sys.stdout.isatty():
        raise BadRequest(f"A {export.suffix} file is not for a terminal.", hint="Name a file with --output.")
    content = export.write(path, delivery)
    if not delivery.output:
        typer.echo(content, nl=False)
        return
    try:
        delivery.output.write_bytes(content)
    except OSError as error:
        raise BadRequest(f"Cannot write “{delivery.output}”: {error.strerror}.") from error


def _form(delivery: Delivery) -> Format:
    from graph.exports import EXPORTS

    if delivery.format:
        return delivery.format
    suffix = delivery.output.suffix if delivery.output else ""
    for form, export in EXPORTS.items():
        if export.suffix == suffix:
            return form
    raise BadRequest(f"“{suffix}” tells no format.", hint=f"Give --format: {', '.join(EXPORTS)}.")
