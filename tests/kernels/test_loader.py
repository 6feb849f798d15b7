"""kernel.json: what is shipped holds together, and what does not is refused by file and field."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kernels_ref.lib import inputs, loader
from kernels_ref.lib.kernel import Kernel, Tensor
from kernels_ref.lib.loader import KernelError, load, load_all
from kernels_ref.lib.roofline import floor, roofs

if TYPE_CHECKING:
    from ingest.ontology import Ontology

KERNELS = load_all()
DRAWN = [kernel for kernel in KERNELS.values() if kernel.status != "described"]
FIRST_TWELVE = (
    "vector-add reduction-sum transpose softmax lse-merge rmsnorm sgemm-ladder gemm-bf16-hopper "
    "flash-attention-fwd paged-gqa-decode mla-decode number-formats"
).split()
BITS = {"f64": 64, "f32": 32, "tf32": 32, "f16": 16, "bf16": 16, "i64": 64, "i32": 32}


def test_the_loader_needs_the_standard_library_only() -> None:
    code = (
        "import sys, kernels_ref.lib.loader as l, kernels_ref.lib.roofline; l.load_all();"
        "sys.exit(bool({'numpy', 'torch', 'triton', 'yaml'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_first_twelve_come_in_the_order_of_the_curriculum() -> None:
    assert [kernel.slug for kernel in DRAWN] == FIRST_TWELVE


def test_a_kernel_comes_after_all_it_builds_on() -> None:
    place = {slug: index for index, slug in enumerate(KERNELS)}
    assert all(place[name] < place[kernel.slug] for kernel in KERNELS.values() for name in kernel.prerequisites)


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=lambda kernel: kernel.slug)
def test_topics_and_hardware_are_nodes_of_the_graph(kernel: Kernel, ontology: Ontology) -> None:
    devices = {published.hw for published in kernel.published} | {target.hw for target in kernel.targets}
    assert set(kernel.topics) <= set(ontology.topics)
    assert {*kernel.hardware, *devices} <= set(ontology.hardware)


@pytest.mark.parametrize("kernel", DRAWN, ids=lambda kernel: kernel.slug)
def test_the_byte_formula_counts_each_tensor_once(kernel: Kernel) -> None:
    for workload in kernel.workloads:
        if "bench" in workload.use:
            sizes, estimate = kernel.sizes(workload), kernel.estimate(workload)
            tensors = [*kernel.inputs.values(), *kernel.outputs.values()]
            total = sum(_bytes(tensor, kernel.shape(tensor, sizes)) for tensor in tensors if tensor.shape)
            assert estimate is not None
            assert estimate.bytes == pytest.approx(total, rel=1e-6)


@pytest.mark.parametrize("kernel", DRAWN, ids=lambda kernel: kernel.slug)
def test_a_drawn_kernel_can_be_interpreted_benched_and_stressed(kernel: Kernel) -> None:
    uses = {use for workload in kernel.workloads for use in workload.use}
    assert uses == {"interp", "check", "bench"}
    assert kernel.inputs_gen is not None
    assert len(kernel.inputs_gen.adversarial) >= 3
    assert set(kernel.inputs_gen.adversarial) <= inputs.cases()
    assert (kernel.folder / "README.md").is_file()


def test_a_file_in_a_folder_is_listed_and_no_folder_lacks_a_kernel() -> None:
    for kernel in DRAWN:
        listed = {entry.file for entry in (*kernel.variants, *kernel.wrong)}
        found = {str(path.relative_to(kernel.folder)) for path in kernel.folder.rglob("*.py")}
        assert found == {file for file in listed if file.endswith(".py")}


@pytest.mark.parametrize(
    ("slug", "workload", "microseconds", "bound"),
    [
        ("vector-add", "2-28", 749, "memory"),
        ("reduction-sum", "flat-2-30", 999, "memory"),
        ("rmsnorm", "r1-7168", 109, "memory"),
        ("sgemm-ladder", "4096", 2051, "fp32"),
        ("gemm-bf16-hopper", "8192", 1395, "bf16_tensor"),
        ("flash-attention-fwd", "llama-8k-causal", 1395, "bf16_tensor"),
        ("mla-decode", "r1-tp8-b128", 141, "memory"),
        ("mla-decode", "r1-dp-b128", 185, "bf16_tensor"),
    ],
)
def test_floors_on_an_h200(slug: str, workload: str, microseconds: int, bound: str) -> None:
    least = floor(KERNELS[slug], KERNELS[slug].workload(workload), "h200-sxm")
    assert least is not None
    assert least.bound == bound
    assert least.seconds * 1e6 == pytest.approx(microseconds, rel=0.01)


def test_no_floor_without_a_figure() -> None:
    moe = KERNELS["moe-mxfp4-fused"]
    assert floor(moe, moe.workload("r1-16"), "h200-sxm") is None
    assert floor(moe, moe.workload("r1-16"), "mi355x") is not None
    assert floor(moe, moe.workload("r1-16"), "abacus") is None


def test_every_roof_is_a_device_of_the_graph_and_names_its_source(ontology: Ontology) -> None:
    assert set(roofs()) <= set(ontology.hardware)
    assert all(roof.source.startswith("https://") for device in roofs().values() for roof in device.values())


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        (lambda d: d.pop("title"), "title", "is missing"),
        (lambda d: d.update(colour="red"), "colour", "is not allowed"),
        (lambda d: d.update(difficulty=9), "difficulty", "at most 5"),
        (lambda d: d.update(version=True), "version", "integer"),
        (lambda d: d.update(topics=["softmax", "softmax"]), "topics", "repeats"),
        (lambda d: d.update(slug="Softmax"), "slug", "must match"),
        (lambda d: d.update(slug="other"), "slug", "folder"),
        (lambda d: d["axes"].update(N={"const": 4, "var": "both"}), "axes.N", "forms"),
        (lambda d: d["inputs"]["x"].update(dtype="f7"), "inputs.x.dtype", "must be one of"),
        (lambda d: d["inputs"]["x"].update(shape=["M", "Q"]), "inputs.x.shape", "unknown axis 'Q'"),
        (lambda d: d["tolerance"].pop("out"), "tolerance.out", "every output"),
        (lambda d: d["variants"][0].update(file="gone.py"), "variants[0].file", "does not exist"),
        (lambda d: d["variants"][0].update(file="../x.py"), "variants[0].file", "must match"),
        (lambda d: d["cost"].update(flops="M**N"), "workloads[0]", "outside the formula language"),
        (lambda d: d["cost"].update(bytes="M/2"), "workloads[0]", "not a count"),
        (lambda d: d.update(constraints=["M > 10**9"]), "workloads[0]", "outside"),
        (lambda d: d.update(constraints=["M > 99999"]), "workloads[0]", "breaks"),
        (lambda d: d["workloads"][0]["axes"].pop("M"), "workloads[0]", "axis 'M' is missing"),
        (lambda d: d["workloads"][0]["axes"].update(K=1), "workloads[0]", "axis 'K' is not"),
        (lambda d: d["targets"][0].update(workload="none"), "targets[0].workload", "unknown workload"),
        (lambda d: d.update(status="described"), "variants", "is not allowed"),
        (lambda d: d.pop("cost"), "cost", "is missing"),
        (lambda d: d.update(prerequisites=["softmax"]), "prerequisites", "itself"),
    ],
)
def test_a_fault_is_named_by_file_and_field(change: Change, field: str, words: str, tmp_path: Path) -> None:
    folder = _copy(tmp_path, "softmax", change)
    with pytest.raises(KernelError) as caught:
        load(folder)
    assert any(
        line.startswith(f"{folder / 'kernel.json'}: {field}") and words in line
        for line in str(caught.value).split("\n")
    ), caught.value


def test_prerequisites_exist_and_run_in_no_circle(tmp_path: Path) -> None:
    _copy(tmp_path, "vector-add", lambda d: d.update(prerequisites=["softmax"]))
    with pytest.raises(KernelError, match="unknown kernel 'softmax'"):
        load_all(tmp_path)
    _copy(tmp_path, "softmax", lambda d: d.update(prerequisites=["vector-add"]))
    with pytest.raises(KernelError, match="circle"):
        load_all(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 100_000, "null"])
def test_a_file_that_is_no_kernel_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "kernel.json").write_text(text)
    with pytest.raises(KernelError, match=r"kernel\.json"):
        load(tmp_path)


def test_a_kernel_cannot_be_changed() -> None:
    field = "title"
    with pytest.raises(AttributeError):
        setattr(KERNELS["softmax"], field, "mine")


def _copy(root: Path, slug: str, change: Change) -> Path:
    folder = root / slug
    shutil.copytree(loader.ROOT / slug, folder)
    data = json.loads((folder / "kernel.json").read_text())
    data.pop("prerequisites", None)
    change(data)
    (folder / "kernel.json").write_text(json.dumps(data))
    return folder


def _bytes(tensor: Tensor, shape: tuple[int, ...]) -> int:
    size = 1
    for length in shape:
        size *= length
    return size * BITS.get(tensor.dtype, 8) // 8
