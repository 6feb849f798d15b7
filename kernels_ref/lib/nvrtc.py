"""Compiles the device code of a CUDA C++ file with NVRTC, which torch brings along: no GPU and no nvcc needed.

A file leaves out its `launch`, which is the host's, where __CUDACC_RTC__ is defined.
https://docs.nvidia.com/cuda/nvrtc/
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from cuda.bindings import nvrtc

from kernels_ref.lib.aot import Compiled, usage_of

_KERNEL = re.compile(r"(template <bool VECTOR>\n)?__global__ [^{]*?(\w+)\(const ")


class DoesNotCompile(RuntimeError):
    """What the compiler says of a file."""


def compile_file(source: Path, capability: str) -> Compiled:
    """All kernels of a file for sm_<capability>, together: the most registers and memory that one of them takes."""
    text = source.read_text(encoding="utf-8")
    program = _call(nvrtc.nvrtcCreateProgram(text.encode(), source.name.encode(), 0, [], []))
    for name in _names(text):
        _call(nvrtc.nvrtcAddNameExpression(program, name.encode()))
    try:
        _call(nvrtc.nvrtcCompileProgram(program, 2, [f"--gpu-architecture=sm_{capability}".encode(), b"--std=c++17"]))
    except RuntimeError as error:
        log = _text(nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog, program)
        raise DoesNotCompile(f"{source.name}: {log.decode()}") from error
    assembly = _text(nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX, program).decode()
    usage = usage_of(_text(nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN, program))
    local = usage["LOCAL"] + usage["STACK"]
    return Compiled(source.stem, f"cuda:{capability}", assembly, usage["REG"], local, usage["SHARED"])


def _names(text: str) -> list[str]:
    """Templates are compiled only where they are named: both of each, with and without 16-byte words."""
    return [
        f"{name}{values}"
        for template, name in _KERNEL.findall(text)
        for values in (("<true>", "<false>") if template else ("",))
    ]


def _text(size: Any, read: Any, program: Any) -> bytes:
    buffer = bytes(_call(size(program)))
    _call(read(program, buffer))
    return buffer.rstrip(b"\0") if read is not nvrtc.nvrtcGetCUBIN else buffer


def _call(answer: tuple[Any, ...]) -> Any:
    status, *results = answer
    if status != nvrtc.nvrtcResult.NVRTC_SUCCESS:
        raise RuntimeError(nvrtc.nvrtcGetErrorString(status)[1].decode())
    return results[0] if results else None
