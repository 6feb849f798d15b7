"""The cheapest set of resources that teaches a set of topics: weighted set cover, solved exactly.

An integer linear program for HiGHS (Huangfu & Hall 2018, https://doi.org/10.1007/s12532-017-0130-5) by scipy: one
variable per resource, one constraint per group of topics. Learning plans are small; it takes milliseconds.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Group = TypeVar("Group", bound=Hashable)


def cheapest_cover(options: Mapping[Group, Sequence[str]], cost: Mapping[str, int]) -> set[str]:
    """Ids of resources with the least total cost such that every group has one of its options.

    Groups without options are left out: nothing can be done for them. Of equally cheap sets the first by id is taken.
    """
    groups = [sorted(set(ids)) for ids in options.values() if ids]
    ids = sorted({id for group in groups for id in group})
    if not ids:
        return set()
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp  # a quarter of a second: only when the time is short
    from scipy.sparse import csr_array

    column = {id: number for number, id in enumerate(ids)}
    rows = [row for row, group in enumerate(groups) for _ in group]
    columns = [column[id] for group in groups for id in group]
    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(groups), len(ids)))
    tie = np.arange(len(ids)) / (1000.0 * len(ids) ** 2)  # less than a minute in all: settles ties, never a cost
    found = milp(
        np.array([cost[id] for id in ids], dtype=float) + tie,
        integrality=np.ones(len(ids)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, lb=1),
        options={"mip_rel_gap": 0.0},
    )
    return {id for id, taken in zip(ids, found.x, strict=True) if taken > 0.5}
