"""Reference kernels: the list, and a page for each."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path

from api import examples
from api.routes.base import STORE_ERRORS, Shared, answers
from graph.errors import UnknownName
from graph.models import KernelLine, KernelPage

router = APIRouter(tags=["kernels"])


@router.get("/v1/kernels", responses=answers([examples.KERNEL_PAGE.kernel], STORE_ERRORS, takes_values=False))
def list_kernels(library: Shared) -> list[KernelLine]:
    """All reference kernels in the order to write them; those without a place in it come last."""
    return library.kernels()


# `:path` because a title may hold a slash.
@router.get("/v1/kernels/{slug:path}", responses=answers(examples.KERNEL_PAGE, (UnknownName, *STORE_ERRORS)))
def get_kernel(
    slug: Annotated[str, Path(max_length=2000, examples=[examples.KERNEL_PAGE.kernel.slug])], library: Shared
) -> KernelPage:
    """One kernel: what it is about and needs, and the works and posts that speak of it.

    `slug` may also be the kernel's title or an alias.
    """
    return library.kernel(slug)
