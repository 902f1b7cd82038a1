"""A virtual display for each process of tests: a runner makes it, and it ends with its recording."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Mapping
from dataclasses import replace

from .session_recording import Order, SessionRecording, open_own_client, runner_of

NEW = "new"
"""In place of a display: its runner makes one."""
TIMEOUT = 3.0
SETUP = bytes([0x6C, 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])
"""The beginning of a connection of the X protocol 11.0, without a cookie."""
SUCCESS = 1


def record_own_display(order: Order, count: int) -> SessionRecording:
    """Records a display that is made for this process, also inside of ``tapedeck run``.

    :param count: of the processes that need one at the same time.
    :raises TapedeckError, ValueError: with a sentence why there is none.
    """
    if sys.platform != "linux":
        raise ValueError("Virtual displays need Linux")
    with open_own_client() as client:
        runner_id = runner_of(
            client,
            order.runner,
            lambda runner: (runner["virtualDisplays"] or 0) >= count,
            nobody=f"No runner of this machine makes {count} displays at a time. Start one with "
            f"TAPEDECK_VIRTUAL_DISPLAYS={count}",
            several="make displays",
        )
    recording = SessionRecording.record(replace(order, runner=runner_id, display=NEW))
    if not opens(recording.display):
        recording.end(None)
        raise ValueError(
            f"Programs of this user cannot open {recording.display}. "
            "The runner has to run as the same user on this machine"
        )
    return recording


def display_environment(display: str, environment: Mapping[str, str]) -> dict[str, str | None]:
    """Variables with which browsers, GTK and Qt show themselves on a display, and not in a Wayland session.

    :return: those that have to change; None for those that have to go.
    """
    is_wayland = environment.get("QT_QPA_PLATFORM", "").startswith("wayland")
    return {
        "DISPLAY": display,
        "WAYLAND_DISPLAY": None,
        "WAYLAND_SOCKET": None,
        "MOZ_ENABLE_WAYLAND": None,
        "XDG_SESSION_TYPE": "x11",
        # Without the name of a socket, GTK tries the usual one.
        "GDK_BACKEND": "x11",
        **({"QT_QPA_PLATFORM": "xcb"} if is_wayland else {}),
    }


def opens(display: str) -> bool:
    """Whether programs of this user can be shown on a display of this machine, such as ``:104``."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(TIMEOUT)
        try:
            connection.connect(f"/tmp/.X11-unix/X{display[1:]}")
            connection.sendall(SETUP)
            return connection.recv(1) == bytes([SUCCESS])
        except OSError:
            return False


def worker_count() -> int:
    """The number of xdist's workers; 1 without xdist."""
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
