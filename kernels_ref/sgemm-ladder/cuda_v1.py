"""Step 1: one thread an element, rows of c along a warp; the kernel is cuda/v1.cu.

The functions below serve every step: nvcc builds it for the GPU at hand, and ctypes calls the library it made.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import torch

SOURCES = Path(__file__).parent / "cuda"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpath" / "kernels"


def run(a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b in fp32."""
    return multiply("v1", a, b)


def multiply(step: str, a: torch.Tensor, b: torch.Tensor) -> dict[str, torch.Tensor]:
    """c = a @ b by one step, on the current stream of the tensors' GPU."""
    a, b = a.contiguous(), b.contiguous()
    (m, k), n = a.shape, b.shape[1]
    c = torch.empty((m, n), dtype=a.dtype, device=a.device)
    pointers = [ctypes.c_void_p(x.data_ptr()) for x in (a, b, c)]
    with torch.cuda.device(a.device):
        stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
        error = library(step, torch.cuda.get_device_capability()).launch(*pointers, m, n, k, stream)
    if error:
        raise RuntimeError(f"{step}: the launch failed with CUDA error {error}")
    return {"c": c}


@cache
def library(step: str, capability: tuple[int, int]) -> ctypes.CDLL:
    """The step as a shared library, built when its source or the target is new."""
    source = SOURCES / f"{step}.cu"
    target = "".join(map(str, capability))
    name = hashlib.sha256(source.read_bytes() + target.encode()).hexdigest()[:16]
    built = CACHE / f"{step}-{name}.so"
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
