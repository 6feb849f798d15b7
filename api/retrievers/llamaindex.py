"""A retriever for LlamaIndex (https://developers.llamaindex.ai): `pip install warpath[llamaindex]`.

retriever = WarpathRetriever(Client("http://127.0.0.1:8000"), limit=5, hardware="hopper")
nodes = retriever.retrieve("shared memory bank conflicts")
"""

from __future__ import annotations

from typing import Any

try:
    from llama_index.core.retrievers import BaseRetriever
    from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode
except ImportError as error:
    raise ImportError("This needs LlamaIndex: pip install 'warpath[llamaindex]'.") from error

from api.retrievers import Searcher, found, metadata, text


class WarpathRetriever(BaseRetriever):
    """Resources as nodes: the text is a title with what is said of it, the metadata says where that stands."""

    def __init__(self, searcher: Searcher, limit: int = 5, **conditions: Any) -> None:
        """`conditions` are other fields of `SearchRequest`."""
        super().__init__()
        self._searcher, self._limit, self._conditions = searcher, limit, conditions

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = found(self._searcher, query_bundle.query_str, self._limit, self._conditions)
        return [
            NodeWithScore(node=TextNode(id_=hit.id, text=text(hit), metadata=metadata(hit)), score=hit.score)
            for hit in hits
        ]
