"""Commands for the reference kernels: list, show, check, measure, roofline. The work is done in kernels_ref."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.commands.base import Session, command
from api.output import INPUT_FAILED
from graph.errors import BadRequest, UnknownName

if TYPE_CHECKING:
    from kernels_ref.lib.kernel import Kernel

commands = typer.Typer()
_group = typer.Typer(no_args_is_help=True, help="Reference kernels to read, run, check and race.")
commands.add_typer(_group, name="kernels")

Slug = Annotated[str, typer.Argument(help="A kernel; `warpath kernels list` names them.", metavar="KERNEL")]
Out = Annotated[Path, typer.Option(help="Folder for the records.", metavar="FOLDER")]


@command(_group, "warpath kernels list", "warpath kernels list --json | jq -r .slug")
def list(session: Session) -> None:
    """List the kernels, each after what it builds on."""
    from kernels_ref.lib import pages

    kernels = _all()
    if session.out.as_json:
        for kernel in kernels.values():
            session.out.record(_summary(kernel))
    else:
        _print(pages.listing(kernels))


@command(_group, "warpath kernels show softmax")
def show(session: Session, kernel: Slug) -> None:
    """Show what a kernel computes, builds on and links to."""
    from kernels_ref.lib import pages

    found = _one(kernel)
    if session.out.as_json:
        session.out.record(_summary(found) | {"folder": str(found.folder), "links": [one.url for one in found.links]})
    else:
        _print(pages.show(found))


@command(_group, "warpath kernels check softmax", "warpath kernels check softmax --file mine.py")
def check(
    session: Session,
    kernel: Slug,
    file: Annotated[Path | None, typer.Option(help="A file of yours with run(**inputs).", metavar="FILE")] = None,
    variant: Annotated[str | None, typer.Option(help="Only this variant.", metavar="NAME")] = None,
) -> None:
    """Hold a kernel's variants, or a file of your own, against the oracle.

    The file is executed. Without a GPU, Triton kernels are interpreted.
    """
    from kernels_ref.lib import runner

    found = _one(kernel)
    if file is not None and not file.is_file():
        raise BadRequest(f"There is no file {file}.", hint="--file takes a Python file with run(**inputs).")
    if variant not in (None, *(ids := runner.checkable(found))):
        raise UnknownName("variant to check here", str(variant), [*ids])
    verdicts = runner.check(found, file, variant)
    for verdict in verdicts:
        if session.out.as_json:
            session.out.record(runner.as_json(verdict))
        else:
            print(verdict)
    if not verdicts:
        session.out.say(f"{kernel} has no variant to check yet.")
    if not all(verdict.passed for verdict in verdicts):
        raise typer.Exit(INPUT_FAILED)


@command(_group, "warpath kernels bench softmax --out measured")
def bench(session: Session, kernel: Slug, out: Out = Path("measured")) -> None:
    """Race a kernel's variants against torch on this machine's GPU."""
    from kernels_ref.lib import runner

    _measure(session, runner.bench(_one(kernel), out), out / kernel / "results")


@command(_group, "warpath kernels profile softmax --out measured")
def profile(session: Session, kernel: Slug, out: Out = Path("measured")) -> None:
    """Read Nsight Compute's counters of each step on this machine's GPU."""
    from kernels_ref.lib import runner

    _measure(session, runner.profile(_one(kernel), out), out / kernel / "results" / "counters")


@command(_group, "warpath kernels sanitize softmax --out measured")
def sanitize(session: Session, kernel: Slug, out: Out = Path("measured")) -> None:
    """Run each step under compute-sanitizer on this machine's GPU: memcheck, racecheck, initcheck."""
    from kernels_ref.lib import runner

    errors = 0

    def lines() -> Iterator[str]:
        nonlocal errors
        for line, count in runner.sanitize(_one(kernel), out):
            errors += count
            yield line

    _measure(session, lines(), out / kernel / "results" / "sanitizer")
    if errors:
        raise typer.Exit(INPUT_FAILED)


@command(_group, "warpath kernels roofline mla-decode --hardware h100-sxm")
def roofline(
    session: Session,
    kernel: Slug,
    hardware: Annotated[str, typer.Option(help="A device of roofs.json.", metavar="DEVICE")] = "h200-sxm",
) -> None:
    """Show work, bytes and the least time a kernel can take at each size."""
    from kernels_ref.lib import pages
    from kernels_ref.lib.roofline import floor, roofs

    found = _one(kernel)
    if hardware not in roofs():
        raise UnknownName("device with known roofs", hardware, sorted(roofs()))
    if not session.out.as_json:
        _print(pages.roofline(found, hardware))
        return
    for workload in found.workloads:
        estimate, least = found.estimate(workload), floor(found, workload, hardware)
        if estimate and least:
            session.out.record(
                {"workload": workload.id, "flops": estimate.flops, "bytes": estimate.bytes,
                 "floor_seconds": least.seconds, "bound": least.bound}
            )  # fmt: skip


def _measure(session: Session, lines: Iterable[str], folder: Path) -> None:
    """Says each line as it comes, then the files of records."""
    from kernels_ref.lib import runner, tools

    try:
        for line in lines:
            session.out.say(line)
    except runner.NoGpu as error:
        hint = "`warpath kernels check` needs none."
        raise BadRequest("There is no GPU here that torch can use.", hint=hint) from error
    except tools.ToolFailed as error:
        raise BadRequest(f"{error}.") from error
    for path in sorted(folder.glob("*.json")):
        session.out.record({"file": str(path)}) if session.out.as_json else print(path)


def _all() -> dict[str, Kernel]:
    from kernels_ref.lib.loader import load_all

    return load_all()


def _one(slug: str) -> Kernel:
    from difflib import get_close_matches

    kernels = _all()
    if slug not in kernels:
        raise UnknownName("kernel", slug, get_close_matches(slug, kernels, n=3))
    return kernels[slug]


def _summary(kernel: Kernel) -> dict[str, object]:
    return {
        "slug": kernel.slug, "title": kernel.title, "status": kernel.status, "summary": kernel.summary,
        "difficulty": kernel.difficulty, "topics": kernel.topics, "prerequisites": kernel.prerequisites,
        "variants": [one.id for one in kernel.variants],
    }  # fmt: skip


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)
