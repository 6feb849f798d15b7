"""A retriever for LangChain (https://docs.langchain.com): `pip install warpath[langchain]`.

retriever = WarpathRetriever(searcher=Client("http://127.0.0.1:8000"), limit=5, conditions={"hardware": "hopper"})
documents = retriever.invoke("shared memory bank conflicts")
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

try:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever
except ImportError as error:
    raise ImportError("This needs LangChain: pip install 'warpath[langchain]'.") from error

from api.retrievers import Searcher, found, metadata, text


class WarpathRetriever(BaseRetriever):
    """Resources as documents: the text is a title with what is said of it, the metadata says where that stands."""

    searcher: Any  # a Searcher; pydantic has no check for protocols
    limit: int = 5
    conditions: dict[str, Any] = Field(default_factory=dict)  # other fields of SearchRequest

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        searcher: Searcher = self.searcher
        hits = found(searcher, query, self.limit, self.conditions)
        return [Document(id=hit.id, page_content=text(hit), metadata=metadata(hit)) for hit in hits]
