"""The correction of questions' vectors."""

from __future__ import annotations

import numpy as np

from graph.query_adapter import MODEL, QueryAdapter

VECTOR = np.eye(384, dtype=np.float32)[7]


def test_vectors_of_other_models_stay_as_they_are() -> None:
    assert QueryAdapter.of("some-other-model@1/384")(VECTOR) is VECTOR


def test_a_corrected_vector_has_length_one_and_still_points_about_the_same_way() -> None:
    turned = QueryAdapter.of(f"{MODEL}@0.1/384")(VECTOR)

    assert np.isclose(np.linalg.norm(turned), 1, atol=1e-6)
    assert 0.3 < turned @ VECTOR < 1
