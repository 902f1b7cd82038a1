# Written by scripts/generate.py from _async.
"""Webhooks: where an organization's events are sent. The key needs the scope ``settings:write``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from typing_extensions import Unpack

from ..types import (
    CreateWebhook,
    DeliveryFilter,
    NewWebhook,
    UpdateWebhook,
    Webhook,
    WebhookDelivery,
    WebhookPage,
    WholeWebhookDelivery,
)
from .transport import Transport


class Webhooks:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, body: CreateWebhook) -> NewWebhook:
        """Creates a webhook. Its signing secret is never shown again."""
        return cast(NewWebhook, self._transport.call("POST", "/v1/webhooks", body=body))

    def list(self) -> Sequence[Webhook]:
        return cast(WebhookPage, self._transport.call("GET", "/v1/webhooks"))["data"]

    def get(self, webhook_id: int) -> Webhook:
        return cast(Webhook, self._transport.call("GET", f"/v1/webhooks/{webhook_id}"))

    def update(self, webhook_id: int, body: UpdateWebhook) -> Webhook:
        """Changes it, pauses it or resumes it. What is left out stays as it is."""
        path = f"/v1/webhooks/{webhook_id}"
        return cast(Webhook, self._transport.call("PATCH", path, body=body, repeatable=True))

    def delete(self, webhook_id: int) -> None:
        self._transport.call("DELETE", f"/v1/webhooks/{webhook_id}")

    def rotate_secret(self, webhook_id: int) -> NewWebhook:
        """Replaces the secret. For 24 hours, requests are signed with the old one as well."""
        return cast(NewWebhook, self._transport.call("POST", f"/v1/webhooks/{webhook_id}/rotate-secret"))

    def test(self, webhook_id: int) -> WebhookDelivery:
        """Sends a test, signed like any other event."""
        return cast(WebhookDelivery, self._transport.call("POST", f"/v1/webhooks/{webhook_id}/test"))

    def deliveries(self, webhook_id: int, **filters: Unpack[DeliveryFilter]) -> Iterator[WebhookDelivery]:
        """Deliveries of the last 30 days, the newest first. The pages are read as they are used."""
        path = f"/v1/webhooks/{webhook_id}/deliveries"
        return self._transport.pages(path, cast("dict[str, object]", filters))

    def delivery(self, webhook_id: int, delivery_id: int) -> WholeWebhookDelivery:
        """A delivery with what was sent and the beginning of the answer."""
        path = f"/v1/webhooks/{webhook_id}/deliveries/{delivery_id}"
        return cast(WholeWebhookDelivery, self._transport.call("GET", path))

    def resend(self, webhook_id: int, delivery_id: int) -> WebhookDelivery:
        """Sends the same message again."""
        path = f"/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/resend"
        return cast(WebhookDelivery, self._transport.call("POST", path))
