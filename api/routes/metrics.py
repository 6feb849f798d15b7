"""Figures for Prometheus, where the operator has turned them on."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

router = APIRouter(tags=["health"])


@router.get("/metrics", include_in_schema=False)
def get_metrics(request: Request) -> Response:
    """All figures in Prometheus' text format."""
    page: bytes = request.app.state.metrics.page()
    return Response(page, media_type="text/plain; version=0.0.4; charset=utf-8")
