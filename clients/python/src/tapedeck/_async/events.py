"""Changes in the organization, as they happen: the server-sent events of ``GET /v1/events``."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
import httpx
from httpx_sse import EventSource

from .._calls import backoff
from ..errors import TapedeckError, not_a_dashboard
from ..live_events import EVENT_TYPES, LiveEvent
from .transport import AsyncTransport

_SILENCE = 45.0
"""Seconds. The dashboard sends something every 15."""


async def follow_events(transport: AsyncTransport) -> AsyncIterator[LiveEvent]:
    """Changes until the loop ends; connects again when the connection ends.

    :raises TapedeckError: when the first connection fails, or the key is no longer accepted.
    """
    is_connected = False
    failures = 0
    while True:
        try:
            response = await transport.open("/v1/events", {"accept": "text/event-stream"}, timeout=_SILENCE)
            try:
                if not response.headers.get("content-type", "").startswith("text/event-stream"):
                    raise not_a_dashboard(response.status_code, transport.url)
                is_connected, failures = True, 0
                yield event_of("resync", {})
                async for message in EventSource(response).aiter_sse():
                    # Later versions may have others.
                    if message.event in EVENT_TYPES:
                        yield event_of(message.event, message.json())
            finally:
                await response.aclose()
        except TapedeckError as error:
            if not is_connected or is_refusal(error):
                raise
        except httpx.RequestError:
            # The connection broke, or was silent for too long.
            pass
        failures += 1
        await anyio.sleep(backoff(failures))


def event_of(event_type: str, data: Any) -> LiveEvent:
    return cast(LiveEvent, {"type": event_type, "data": data})


def is_refusal(error: TapedeckError) -> bool:
    return 300 <= error.status < 500 and error.status != 429
