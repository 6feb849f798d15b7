"""Turns a file that computes a kernel into a function: an oracle, or a learner's own."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from kernels_ref.lib.kernel import Kernel

Function = Callable[..., dict[str, Any]]


def oracle(kernel: Kernel) -> Function:
    """The truth of a kernel."""
    return read(kernel.folder / "oracle.py", "oracle")


def read(path: Path, name: str = "run") -> Function:
    """The function of that name in a file, which is executed."""
    spec = spec_from_file_location(f"answer_{path.parent.name.replace('-', '_')}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Function = getattr(module, name)
    return function
