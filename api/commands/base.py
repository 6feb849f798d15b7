"""What all commands share: the options for data, ontology, model and JSON, and a session made of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer
from pydantic import BaseModel, ValidationError

from api.output import Output
from graph.errors import BadRequest

if TYPE_CHECKING:
    from api.settings import Settings
    from graph.library import Library
    from ingest.ontology import Ontology as Loaded

Data = Annotated[
    Path | None, typer.Option("--data", help="Folder of the store.  [env: WARPATH_DATA]", metavar="FOLDER")
]
Ontology = Annotated[
    list[Path] | None,
    typer.Option(
        "--ontology",
        help="Folder of more topics and hardware; repeatable.  [env: WARPATH_ONTOLOGY]",
        metavar="FOLDER",
    ),
]
Model = Annotated[
    str | None,
    typer.Option("--model", help="Embedding model: a name or a folder.  [env: WARPATH_MODEL]", metavar="MODEL"),
]
Json = Annotated[bool, typer.Option("--json", help="Give JSON lines; errors and warnings too, on stderr.")]

Function = Callable[..., None]
Asked = TypeVar("Asked", bound=BaseModel)


@dataclass(frozen=True)
class Shared:
    """The options that stand before or after the command."""

    data: Data = None
    ontology: Ontology = None
    model: Model = None
    json: Json = False

    def over(self, before: Shared) -> Shared:
        """Both together; what stands after the command wins."""
        return Shared(
            data=self.data or before.data,
            ontology=[*(before.ontology or ()), *(self.ontology or ())],
            model=self.model or before.model,
            json=self.json or before.json,
        )


class Session:
    """One run of one command."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self.out = Output(as_json=shared.json)

    @cached_property
    def settings(self) -> Settings:
        """The settings: environment and .env, overridden by the options given."""
        from pydantic_settings import SettingsError

        from api.settings import Settings

        options = {"data": self._shared.data, "ontology": self._shared.ontology, "model": self._shared.model}
        try:
            return checked(Settings, **{name: value for name, value in options.items() if value})
        except SettingsError as error:
            raise BadRequest(f"{error}.", hint="Correct that WARPATH_ variable, or the file .env.") from error

    @cached_property
    def ontology(self) -> Loaded:
        """The shipped topics and hardware with the user's on top."""
        from api.bootstrap import read_ontology

        return read_ontology(self.settings)

    @contextmanager
    def library(self) -> Iterator[Library]:
        """The library, closed at the end."""
        from api.bootstrap import open_library

        with closing(open_library(self.settings)) as library:
            yield library


def checked(model: type[Asked], **fields: Any) -> Asked:
    """A value from a user's words; `BadRequest` in words if they do not fit."""
    try:
        return model(**fields)
    except ValidationError as error:
        faults = [f"{fault['loc'][0]}: {fault['msg']}" for fault in error.errors()]
        raise BadRequest("; ".join(faults) + ".", hint="See --help for what is allowed.") from error


def command(group: typer.Typer, *examples: str) -> Callable[[Function], Function]:
    """Registers a function as a command that also takes the shared options and shows examples in its help."""

    def register(function: Function) -> Function:
        @wraps(function)
        def run(context: typer.Context, **given: Any) -> None:
            after = Shared(**{name: given.pop(name) for name in Shared.__dataclass_fields__})
            session = Session(after.over(context.obj or Shared()))
            with session.out.guard():
                function(session, **given)

        run.__dict__["__signature__"] = _signature(function)
        group.command(epilog=listing("Examples", examples))(run)
        return function

    return register


def listing(title: str, lines: tuple[str, ...]) -> str:
    """A block of help whose line ends stay as they are."""
    return "\n".join(("\b", f"{title}:", *(f"  {line}" for line in lines)))


def _signature(function: Function) -> inspect.Signature:
    """The parameters that the command line has: the function's own without the session, then the shared ones."""
    _, *own = inspect.signature(function, eval_str=True).parameters.values()
    shared = inspect.signature(Shared, eval_str=True).parameters.values()
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    named = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in (*own, *shared)]
    return inspect.Signature([context, *named])
