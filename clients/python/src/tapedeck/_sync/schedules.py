# Written by scripts/generate.py from _async.
"""Schedules: jobs that are created again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from ..types import CreateSchedule, Schedule, SchedulePage
from .transport import Transport


class Schedules:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateSchedule) -> Schedule:
        """Creates a job now, and again after each period."""
        return cast(Schedule, self._transport.call("POST", "/v1/schedules", body=body))

    def list(self) -> Sequence[Schedule]:
        return cast(SchedulePage, self._transport.call("GET", "/v1/schedules"))["data"]

    def get(self, schedule_id: int) -> Schedule:
        return cast(Schedule, self._transport.call("GET", f"/v1/schedules/{schedule_id}"))

    def pause(self, schedule_id: int) -> Schedule:
        return self._change(schedule_id, True)

    def resume(self, schedule_id: int) -> Schedule:
        """The next regular start follows."""
        return self._change(schedule_id, False)

    def delete(self, schedule_id: int) -> None:
        """Its jobs stay."""
        self._transport.call("DELETE", f"/v1/schedules/{schedule_id}")

    def _change(self, schedule_id: int, paused: bool) -> Schedule:
        path = f"/v1/schedules/{schedule_id}"
        return cast(Schedule, self._transport.call("PATCH", path, body={"paused": paused}, repeatable=True))
