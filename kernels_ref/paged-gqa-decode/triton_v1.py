"""Step 1: one program a sequence and query head walks over that sequence's pages."""

import torch
import triton
import triton.language as tl


@triton.jit
def decode(
    q, k_cache, v_cache, block_table, seq_lens, out, lse, scale, HQ, HK, MP,
    D: tl.constexpr, PS: tl.constexpr, BLOCK_N: tl.constexpr,
):  # fmt: skip
    """One query against BLOCK_N tokens at a time: products and sums without tensor cores, in fp32."""
    b, head = tl.program_id(0), tl.program_id(1)
    key_head = head // (HQ // HK)
    columns = tl.arange(0, D)
    length = tl.load(seq_lens + b)
    query = tl.load(q + (b * HQ + head) * D + columns).to(tl.float32)
    top, total, mean = float("-inf"), 0.0, tl.zeros((D,), tl.float32)
    for start in range(0, length, BLOCK_N):
        token = start + tl.arange(0, BLOCK_N)
        seen = token < length
        page = tl.load(block_table + b * MP + token // PS, mask=seen, other=0).to(tl.int64)
        at = ((page * PS + token % PS) * HK + key_head)[:, None] * D + columns
        key = tl.load(k_cache + at, mask=seen[:, None], other=0.0).to(tl.float32)
        value = tl.load(v_cache + at, mask=seen[:, None], other=0.0).to(tl.float32)
        scores = tl.where(seen, tl.sum(query * key, 1) * scale, float("-inf"))
        new_top = tl.maximum(top, tl.max(scores, 0))
        weights = tl.exp(scores - new_top)
        shrink = tl.exp(top - new_top)
        total = total * shrink + tl.sum(weights, 0)
        mean = mean * shrink + tl.sum(weights[:, None] * value, 0)
        top = new_top
    filled = tl.where(total == 0.0, 1.0, total)  # a sequence of length 0 never entered the loop
    tl.store(out + (b * HQ + head) * D + columns, (mean / filled).to(out.dtype.element_ty))
    tl.store(lse + b * HQ + head, top + tl.log(filled))


def run(
    q: torch.Tensor,
    k_cache: torch.Tensor,
    v_cache: torch.Tensor,
    block_table: torch.Tensor,
    seq_lens: torch.Tensor,
    scale: float,
) -> dict[str, torch.Tensor]:
    """A sequence of length 0 has output 0 and lse -inf."""
    (batch, heads, d), (_, page, key_heads, _) = q.shape, k_cache.shape
    out, lse = torch.empty_like(q), torch.empty((batch, heads), dtype=torch.float32, device=q.device)
    decode[(batch, heads)](
        q, k_cache, v_cache, block_table, seq_lens, out, lse, scale, heads, key_heads, block_table.shape[1],
        D=d, PS=page, BLOCK_N=64, num_warps=4,
    )  # fmt: skip
    return {"out": out, "lse": lse}
