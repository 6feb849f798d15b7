"""Builds a CUDA C++ file for the GPU at hand with nvcc and loads it; the library stays in the user's cache folder."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import torch

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpath" / "kernels"


def call(source: Path, *arguments: torch.Tensor | int) -> None:
    """Calls a file's `launch` on the current stream of the first tensor's GPU: tensors as pointers, numbers as int."""
    device = next(one.device for one in arguments if isinstance(one, torch.Tensor))
    words = [ctypes.c_void_p(one.data_ptr()) if isinstance(one, torch.Tensor) else one for one in arguments]
    with torch.cuda.device(device):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        error = library(source, torch.cuda.get_device_capability()).launch(*words, stream)
    if error:
        raise RuntimeError(f"{source.name}: the launch failed with CUDA error {error}")


@cache
def library(source: Path, capability: tuple[int, int]) -> ctypes.CDLL:
    """The file as a shared library, built when its text or the target is new."""
    target = "".join(map(str, capability))
    name = hashlib.sha256(source.read_bytes() + target.encode()).hexdigest()[:16]
    built = CACHE / f"{source.stem}-{name}.so"
    if not built.exists():
        _build(source, target, built)
    return ctypes.CDLL(str(built))


def _build(source: Path, target: str, built: Path) -> None:
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        raise RuntimeError("nvcc, the compiler of the CUDA toolkit, is not on the PATH")
    built.parent.mkdir(parents=True, exist_ok=True)
    options = ["-O3", f"-gencode=arch=compute_{target},code=sm_{target}", "-shared", "-Xcompiler", "-fPIC"]
    with tempfile.TemporaryDirectory(dir=built.parent) as folder:
        made = Path(folder) / built.name
        command = [nvcc, *options, "-o", str(made), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise RuntimeError(f"nvcc could not build {source.name}:\n{done.stderr[-2000:]}")
        made.replace(built)  # in one step, so that two builders cannot leave half a library
