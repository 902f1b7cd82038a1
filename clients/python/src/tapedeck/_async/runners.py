"""Runners: the agents on machines with displays."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import cast

from typing_extensions import Unpack

from ..types import Runner, RunnerFilter
from .transport import AsyncTransport


class AsyncRunners:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    def list(self, **filters: Unpack[RunnerFilter]) -> AsyncIterator[Runner]:
        """Runners with their displays. The pages are read as they are used."""
        return self._transport.pages("/v1/runners", cast("dict[str, object]", filters))

    async def get(self, runner_id: int) -> Runner:
        return cast(Runner, await self._transport.call("GET", f"/v1/runners/{runner_id}"))
