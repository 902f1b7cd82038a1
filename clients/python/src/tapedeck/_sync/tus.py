# Written by scripts/generate.py from _async.
"""Sends large files by tus 1.0: after a broken connection, an upload continues with what has not arrived."""

from __future__ import annotations

import time
from collections.abc import Mapping
from urllib.parse import urlsplit

from .._calls import MAX_FRUITLESS, PIECE, TUS, UPLOAD_TIMEOUT, backoff, is_broken, tus_metadata, tus_refusal
from ..errors import TapedeckError
from .transport import Transport


def send_by_tus(transport: Transport, data: bytes, fields: Mapping[str, object], answer_header: str) -> int | None:
    """The id of what the upload becomes; None if the key of these calls may not upload by tus.

    :param fields: the upload's metadata, without those that are None.
    :param answer_header: has that id.
    """
    headers = {**TUS, "upload-length": str(len(data)), "upload-metadata": tus_metadata(fields)}
    while True:
        try:
            # An upload that an unanswered call has created is empty, and is deleted later.
            created = transport.exchange("POST", "/v1/uploads", headers=headers, repeatable=True)
        except TapedeckError as error:
            if error.status == 403:
                return None
            raise tus_refusal(error) from error
        path = urlsplit(created.headers["location"]).path
        found = _send_pieces(transport, path, data, answer_header)
        if found is not None:
            return found


def _send_pieces(transport: Transport, path: str, data: bytes, answer_header: str) -> int | None:
    """None if the dashboard has lost the upload, or had the same file already."""
    offset = fruitless = 0
    while True:
        headers = {**TUS, "content-type": "application/offset+octet-stream", "upload-offset": str(offset)}
        try:
            # Not repeated with this offset: a part of it may have arrived.
            answer = transport.exchange(
                "PATCH",
                path,
                headers=headers,
                content=data[offset : offset + PIECE],
                timeout=UPLOAD_TIMEOUT,
                repeatable=False,
            )
            arrived = int(answer.headers["upload-offset"])
        except TapedeckError as error:
            fruitless += 1
            if not is_broken(error) or fruitless > MAX_FRUITLESS:
                raise tus_refusal(error) from error
            time.sleep(backoff(fruitless))
            try:
                answer = transport.exchange("HEAD", path, headers=TUS)
            except TapedeckError as lost:
                if lost.status == 404:
                    return None
                raise tus_refusal(lost) from lost
            arrived = int(answer.headers["upload-offset"])
        if answer_header in answer.headers:
            return int(answer.headers[answer_header])
        if arrived > offset:
            fruitless = 0
        offset = arrived


def attach_file(
    transport: Transport, owner: Mapping[str, int], name: str, data: bytes, content_type: str
) -> dict[str, object] | None:
    """The attachment; None if the key of these calls may not upload by tus.

    :param owner: ``testResultId`` or ``testRunId``.
    """
    fields = {**owner, "name": name, "filetype": content_type, "as": "attachment"}
    attachment_id = send_by_tus(transport, data, fields, "tapedeck-attachment")
    if attachment_id is None:
        return None
    return {
        "id": attachment_id,
        "name": name.replace("\\", "/").rsplit("/", 1)[-1],
        "contentType": content_type,
        "bytes": len(data),
        "url": f"{transport.url}/v1/attachments/{attachment_id}",
    }
