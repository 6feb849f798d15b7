"""Each oracle against a second, dumber derivation, and against the properties of what it computes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from kernels_ref.lib import formats
from kernels_ref.lib.answers import oracle
from kernels_ref.lib.inputs import Inputs, generate
from kernels_ref.lib.loader import load_all

KERNELS = load_all()
DRAWN = [slug for slug, kernel in KERNELS.items() if kernel.variants]
Outputs = dict[str, Any]
TRUTH = {slug: oracle(KERNELS[slug]) for slug in DRAWN}


def vector_add(a: Any, b: Any) -> Outputs:
    return {"out": [float(Fraction(float(p)) + Fraction(float(q))) for p, q in zip(a, b, strict=True)]}


def reduction_sum(x: Any) -> Outputs:
    return {"out": [_dumb_sum([float(value) for value in row]) for row in x]}


def transpose(x: Any) -> Outputs:
    return {"out": [[x[i, j] for i in range(x.shape[0])] for j in range(x.shape[1])]}


def softmax(x: Any) -> Outputs:
    return {"out": [_dumb_softmax([float(value) for value in row])[0] for row in x]}


def lse_merge(o: Any, lse: Any) -> Outputs:
    """Merges the parts two by two, from the identity."""
    parts, rows, width = o.shape
    out, total = [[0.0] * width for _ in range(rows)], [-math.inf] * rows
    for s in range(parts):
        for r in range(rows):
            out[r], total[r] = _merge(out[r], total[r], [float(value) for value in o[s, r]], float(lse[s, r]))
    return {"out": out, "lse_out": total}


def rmsnorm(x: Any, weight: Any, eps: float) -> Outputs:
    out = []
    for row in x.tolist():
        size = math.sqrt(_dumb_sum([value * value for value in row]) / len(row) + eps)
        out.append([_divide(value, size) * float(scale) for value, scale in zip(row, weight, strict=True)])
    return {"out": out}


def matmul(a: Any, b: Any) -> Outputs:
    rows, columns = a.astype(np.float64).tolist(), b.astype(np.float64).T.tolist()
    return {"c": [[_dumb_sum([p * q for p, q in zip(r, c, strict=True)]) for c in columns] for r in rows]}


def flash_attention(q: Any, k: Any, v: Any, scale: float, causal: bool) -> Outputs:
    out, lse, group = np.zeros(q.shape), np.zeros(q.shape[:3]), q.shape[1] // k.shape[1]
    for b, h, i in np.ndindex(*q.shape[:3]):
        past = k.shape[2] - q.shape[2] + i + 1 if causal else k.shape[2]
        rows = [(k[b, h // group, j], v[b, h // group, j]) for j in range(past)]
        out[b, h, i], lse[b, h, i] = _dumb_attention(q[b, h, i], rows, scale, q.shape[3])
    return {"out": out, "lse": lse}


def paged_gqa_decode(q: Any, k_cache: Any, v_cache: Any, block_table: Any, seq_lens: Any, scale: float) -> Outputs:
    out, lse, page = np.zeros(q.shape), np.zeros(q.shape[:2]), k_cache.shape[1]
    group = q.shape[1] // k_cache.shape[2]
    for b, h in np.ndindex(*q.shape[:2]):
        places = [(block_table[b, t // page], t % page, h // group) for t in range(seq_lens[b])]
        rows = [(k_cache[place], v_cache[place]) for place in places]
        out[b, h], lse[b, h] = _dumb_attention(q[b, h], rows, scale, q.shape[2])
    return {"out": out, "lse": lse}


def mla_decode(q: Any, kv: Any, block_table: Any, seq_lens: Any, scale: float) -> Outputs:
    """Ordinary paged decoding with one key head, whose values are the keys cut short."""
    cache = kv[:, :, None, :]
    whole = paged_gqa_decode(q, cache, cache, block_table, seq_lens, scale)
    return {"out": whole["out"][..., :512], "lse": whole["lse"]}


def number_formats(x: Any, tensor_scale: float) -> Outputs:
    """Every scale and element by exhaustive search, one block at a time."""
    made: dict[str, list[list[int]]] = {name: [] for name in KERNELS["number-formats"].outputs}
    for row in x.tolist():
        mx8 = [_dumb_mx(row[i : i + 32], formats.E4M3) for i in range(0, len(row), 32)]
        mx4 = [_dumb_mx(row[i : i + 32], formats.E2M1) for i in range(0, len(row), 32)]
        nv4 = [_dumb_nv(row[i : i + 16], tensor_scale) for i in range(0, len(row), 16)]
        for name, blocks, packed in (("mxfp8", mx8, False), ("mxfp4", mx4, True), ("nvfp4", nv4, True)):
            codes = [code for _, block in blocks for code in block]
            low, high = codes[0::2], codes[1::2]
            made[name].append([a + 16 * b for a, b in zip(low, high, strict=True)] if packed else codes)
            made[f"{name}_scale"].append([scale for scale, _ in blocks])
    return made


DUMB: dict[str, Callable[..., Outputs]] = {
    "vector-add": vector_add,
    "reduction-sum": reduction_sum,
    "transpose": transpose,
    "softmax": softmax,
    "lse-merge": lse_merge,
    "rmsnorm": rmsnorm,
    "sgemm-ladder": matmul,
    "gemm-bf16-hopper": matmul,
    "flash-attention-fwd": flash_attention,
    "paged-gqa-decode": paged_gqa_decode,
    "mla-decode": mla_decode,
    "number-formats": number_formats,
}


def situations() -> Iterator[Any]:
    """Every kernel's interpreter workloads, as drawn and in every hard case."""
    for slug in DRAWN:
        kernel = KERNELS[slug]
        assert kernel.inputs_gen is not None
        for workload in kernel.workloads:
            for case in (None, *kernel.inputs_gen.adversarial) if "interp" in workload.use else ():
                yield pytest.param(slug, workload.id, case, id=f"{slug}-{workload.id}-{case or 'normal'}")


@pytest.mark.parametrize(("slug", "workload", "case"), list(situations()))
def test_the_oracle_agrees_with_a_dumber_derivation(slug: str, workload: str, case: str | None) -> None:
    kernel = KERNELS[slug]
    inputs = generate(kernel, kernel.workload(workload), 11, case)
    got, want = TRUTH[slug](**inputs), DUMB[slug](**inputs)
    assert got.keys() == want.keys() == kernel.outputs.keys()
    for name, tensor in kernel.outputs.items():
        shape = kernel.shape(tensor, kernel.sizes(kernel.workload(workload)))
        dumb = np.asarray(want[name], dtype=np.float64).reshape(shape)
        assert got[name].shape == shape
        limit = 0.0 if kernel.tolerance[name].exact else 1e-11
        np.testing.assert_allclose(got[name].astype(np.float64), dumb, rtol=limit, atol=limit, equal_nan=True)


def drawn(slug: str, workload: str = "odd", seed: int = 2) -> Inputs:
    return generate(KERNELS[slug], KERNELS[slug].workload(workload), seed)


def test_softmax_rows_sum_to_one_and_a_shift_changes_nothing() -> None:
    x = np.round(drawn("softmax")["x"] * 8) / 8
    out = TRUTH["softmax"](x)["out"]
    np.testing.assert_allclose(out.sum(axis=1), 1, rtol=1e-14)
    np.testing.assert_allclose(TRUTH["softmax"](x + 1024)["out"], out, rtol=1e-13)


def test_a_nan_or_infinity_stays_in_its_row() -> None:
    for case in ("nan_in_one_row", "one_pos_inf"):
        kernel = KERNELS["softmax"]
        out = TRUTH["softmax"](**generate(kernel, kernel.workload("odd"), 2, case))["out"]
        assert np.isnan(out[0]).all()
        assert np.isfinite(out[1:]).all()


def test_rows_may_come_in_any_order() -> None:
    for slug in ("softmax", "rmsnorm", "reduction-sum"):
        inputs = drawn(slug)
        order = np.random.default_rng(0).permutation(len(inputs["x"]))
        moved = TRUTH[slug](**inputs | {"x": inputs["x"][order]})["out"]
        assert np.array_equal(moved, TRUTH[slug](**inputs)["out"][order])


def test_rmsnorm_forgets_the_scale_of_its_input() -> None:
    inputs = drawn("rmsnorm") | {"eps": 0.0}
    scaled = TRUTH["rmsnorm"](**inputs | {"x": inputs["x"] * 4})["out"]
    np.testing.assert_allclose(scaled, TRUTH["rmsnorm"](**inputs)["out"], rtol=1e-14)


def test_rmsnorm_of_one_row_has_the_bits_it_has_in_a_batch() -> None:
    inputs = drawn("rmsnorm")
    alone = TRUTH["rmsnorm"](**inputs | {"x": inputs["x"][3:4]})["out"]
    assert np.array_equal(alone[0], TRUTH["rmsnorm"](**inputs)["out"][3])


@pytest.mark.parametrize("slug", ["sgemm-ladder", "gemm-bf16-hopper"])
def test_products_are_linear_and_transpose(slug: str) -> None:
    a, b = drawn(slug).values()
    product = TRUTH[slug](a, b)["c"]
    np.testing.assert_allclose(TRUTH[slug](2 * a, b)["c"], 2 * product, rtol=1e-14)
    np.testing.assert_allclose(TRUTH[slug](b.T, a.T)["c"], product.T, rtol=1e-9, atol=1e-12)


def test_a_merge_is_associative_and_the_order_is_free() -> None:
    inputs = drawn("lse-merge")
    o, lse = inputs["o"].astype(np.float64), inputs["lse"].astype(np.float64)
    whole = TRUTH["lse-merge"](o, lse)
    left, right = TRUTH["lse-merge"](o[:3], lse[:3]), TRUTH["lse-merge"](o[3:], lse[3:])
    joined = TRUTH["lse-merge"](np.stack([right["out"], left["out"]]), np.stack([right["lse_out"], left["lse_out"]]))
    for name in whole:
        np.testing.assert_allclose(joined[name], whole[name], rtol=1e-12, atol=1e-13)


def test_attention_over_split_keys_merges_to_attention_over_all() -> None:
    inputs = drawn("flash-attention-fwd") | {"causal": False}
    attend, merge = TRUTH["flash-attention-fwd"], TRUTH["lse-merge"]
    parts = [
        attend(**inputs | {"k": inputs["k"][:, :, rows], "v": inputs["v"][:, :, rows]})
        for rows in (slice(0, 21), slice(21, 21), slice(21, None))
    ]
    width = inputs["q"].shape[-1]
    merged = merge(
        np.stack([part["out"].reshape(-1, width) for part in parts]),
        np.stack([part["lse"].reshape(-1) for part in parts]),
    )
    whole = attend(**inputs)
    np.testing.assert_allclose(merged["out"], whole["out"].reshape(-1, width), rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(merged["lse_out"], whole["lse"].reshape(-1), rtol=1e-12)


def test_a_causal_query_does_not_see_what_comes_later() -> None:
    inputs = drawn("flash-attention-fwd")
    longer = TRUTH["flash-attention-fwd"](**inputs)["out"]
    shorter = TRUTH["flash-attention-fwd"](
        **inputs | {"q": inputs["q"][:, :, :-5], "k": inputs["k"][:, :, :-5], "v": inputs["v"][:, :, :-5]}
    )["out"]
    np.testing.assert_allclose(shorter, longer[:, :, :-5], rtol=1e-12, atol=1e-14)


def test_equal_scores_give_the_mean_of_the_values() -> None:
    kernel = KERNELS["mla-decode"]
    inputs = generate(kernel, kernel.workload("odd"), 4, "equal_logits")
    out = TRUTH["mla-decode"](**inputs)
    tokens = [inputs["kv"][page] for page in inputs["block_table"][0]]
    mean = np.concatenate(tokens)[: inputs["seq_lens"][0], :512].astype(np.float64).mean(axis=0)
    np.testing.assert_allclose(out["out"][0, 0], mean, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(out["lse"][0], math.log(inputs["seq_lens"][0]), rtol=1e-12)


def test_where_a_page_lies_does_not_matter() -> None:
    inputs = drawn("paged-gqa-decode")
    order = np.random.default_rng(1).permutation(len(inputs["k_cache"]))
    place = np.argsort(order).astype(np.int32)
    moved = inputs | {
        "k_cache": inputs["k_cache"][order],
        "v_cache": inputs["v_cache"][order],
        "block_table": place[inputs["block_table"]],
    }
    for name, value in TRUTH["paged-gqa-decode"](**inputs).items():
        assert np.array_equal(TRUTH["paged-gqa-decode"](**moved)[name], value)


def test_quantising_what_was_dequantised_changes_nothing() -> None:
    inputs = drawn("number-formats")
    first = TRUTH["number-formats"](**inputs)
    for codes, element in (("mxfp8", formats.E4M3), ("mxfp4", formats.E2M1)):
        scale = formats.decode_e8m0(first[f"{codes}_scale"]).repeat(32, axis=1)
        raw = first[codes] if codes == "mxfp8" else formats.unpack_e2m1(first[codes])
        again = TRUTH["number-formats"]((element.decode(raw) * scale).astype(np.float32), inputs["tensor_scale"])
        assert np.array_equal(again[codes], first[codes])
        assert np.array_equal(again[f"{codes}_scale"], first[f"{codes}_scale"])


def _divide(value: float, by: float) -> float:
    return math.nan if math.isinf(value) and math.isinf(by) else value / by


def _dumb_sum(values: list[float]) -> float:
    """An exact rational sum; with infinities or NaN, a plain one."""
    if all(map(math.isfinite, values)):
        return float(sum(map(Fraction, values), Fraction(0)))
    total = 0.0
    for value in values:
        total += value
    return total


def _dumb_softmax(row: list[float]) -> tuple[list[float], float]:
    """The online form: one pass that rescales its sum whenever the maximum moves."""
    if any(math.isnan(value) or value == math.inf for value in row):
        return [math.nan] * len(row), math.nan
    top, total = -math.inf, 0.0
    for value in row:
        if value > top:
            top, total = value, total * math.exp(top - value)
        total += math.exp(value - top) if value > -math.inf else 0.0
    if top == -math.inf:
        return [0.0] * len(row), -math.inf
    return [math.exp(value - top) / total for value in row], top + math.log(total)


def _dumb_attention(q: Any, rows: list[tuple[Any, Any]], scale: float, width: int) -> tuple[Any, float]:
    scores = [float(np.dot(q.astype(np.float64), key.astype(np.float64))) * scale for key, _ in rows]
    weights, lse = _dumb_softmax(scores)
    out = np.zeros(width)
    for weight, (_, value) in zip(weights, rows, strict=True):
        out += weight * value.astype(np.float64)
    return out, lse


def _merge(a: list[float], lse_a: float, b: list[float], lse_b: float) -> tuple[list[float], float]:
    if lse_b == -math.inf:
        return a, lse_a
    if lse_a == -math.inf:
        return b, lse_b
    gap = lse_b - lse_a
    share = 1 / (1 + math.exp(-gap)) if gap > -700 else 0.0
    lse = max(lse_a, lse_b) + math.log1p(math.exp(-abs(gap)))
    return [p * (1 - share) + q * share for p, q in zip(a, b, strict=True)], lse


def _nearest(element: formats.Format, value: float) -> int:
    """Tries every finite code; of two equally near the even one wins."""
    values = element.decode(np.arange(element.finite)).tolist()
    code = min(range(element.finite), key=lambda code: (abs(values[code] - abs(value)), code % 2))
    return code + element.sign * (math.copysign(1, value) < 0)


def _dumb_mx(block: list[float], element: formats.Format) -> tuple[int, list[int]]:
    if not all(map(math.isfinite, block)):
        return 255, [0] * len(block)
    amax, exponent = max(map(abs, block)), 127
    top = 2.0 ** math.floor(math.log2(element.max))
    while exponent > -127 and 2.0**exponent * top > amax:
        exponent -= 1
    return exponent + 127, [_nearest(element, value / 2.0**exponent) for value in block]


def _dumb_nv(block: list[float], tensor_scale: float) -> tuple[int, list[int]]:
    if not all(map(math.isfinite, block)):
        return 127, [0] * len(block)
    single = np.float32
    scale = _nearest(formats.E4M3, float(single(max(map(abs, block))) / single(6) / single(tensor_scale)))
    unit = single(formats.E4M3.decode([scale])[0]) * single(tensor_scale)
    if unit == 0:
        return scale, [0] * len(block)
    return scale, [_nearest(formats.E2M1, float(single(value) / unit)) for value in block]
