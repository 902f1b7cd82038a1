"""Schedules: jobs that are created again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ..types import CreateSchedule, Schedule, SchedulePage
from .transport import AsyncTransport


class AsyncSchedules:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, body: CreateSchedule) -> Schedule:
        """Creates a job now, and again after each period."""
        return cast(Schedule, await self._transport.call("POST", "/v1/schedules", body=body))

    async def list(self) -> Sequence[Schedule]:
        return cast(SchedulePage, await self._transport.call("GET", "/v1/schedules"))["data"]

    async def get(self, schedule_id: int) -> Schedule:
        return cast(Schedule, await self._transport.call("GET", f"/v1/schedules/{schedule_id}"))

    async def pause(self, schedule_id: int) -> Schedule:
        return await self._change(schedule_id, True)

    async def resume(self, schedule_id: int) -> Schedule:
        """The next regular start follows."""
        return await self._change(schedule_id, False)

    async def delete(self, schedule_id: int) -> None:
        """Its jobs stay."""
        await self._transport.call("DELETE", f"/v1/schedules/{schedule_id}")

    async def _change(self, schedule_id: int, paused: bool) -> Schedule:
        path = f"/v1/schedules/{schedule_id}"
        return cast(Schedule, await self._transport.call("PATCH", path, body={"paused": paused}, repeatable=True))
