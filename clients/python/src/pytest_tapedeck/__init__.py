"""``pytest --tapedeck=failed``: records the tests, reports the result of each, and puts links into the reports."""

from __future__ import annotations

import argparse

import pytest

# Tests that are killed with all that they have started don't end their recording.
DEFAULT_MAX_SECONDS = 6 * 60 * 60


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tapedeck", "recording with Tapedeck (TAPEDECK_URL and TAPEDECK_API_KEY)")
    group.addoption(
        "--tapedeck",
        choices=("failed", "always"),
        help="record the tests, and keep the recording if one fails, or always",
    )
    group.addoption(
        "--tapedeck-runner", metavar="NAME", help="the runner that records; default the one with the display"
    )
    group.addoption(
        "--tapedeck-display",
        metavar="DISPLAY",
        help="what to record; default DISPLAY. With worker, a virtual display for each process of tests",
    )
    group.addoption("--tapedeck-name", metavar="NAME", help="of the recording; default the name of the root folder")
    group.addoption(
        "--tapedeck-label",
        metavar="KEY=VALUE",
        type=_label,
        action="append",
        default=[],
        help="a label of the recording, such as build=123; repeat it for several",
    )
    group.addoption(
        "--tapedeck-project",
        metavar="NAME",
        help="distinguishes these tests from the same ones elsewhere, such as py312 or firefox",
    )
    group.addoption(
        "--tapedeck-gate",
        action="store_true",
        help="exit with 0 if tests failed and every failure has a cause that is let pass in the dashboard",
    )
    group.addoption(
        "--tapedeck-max",
        metavar="SECONDS",
        type=int,
        default=DEFAULT_MAX_SECONDS,
        help="stop recording after this time; default 21600, which is 6 hours",
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("tapedeck") is None or config.getoption("collectonly"):
        return
    # Loaded only where it is used: everybody who has the package pays for this module.
    try:
        from .plugin import TapedeckPlugin

        config.pluginmanager.register(TapedeckPlugin(config), "tapedeck-recording")
    except Exception as error:
        config.pluginmanager.register(NotRecorded(error), "tapedeck-recording")


class NotRecorded:
    """In place of the plugin, where it can't be loaded."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("tapedeck")
        terminalreporter.line(f"Warning: {self._error}. The tests run without a recording.", yellow=True)


def _label(text: str) -> tuple[str, str]:
    key, separator, value = text.partition("=")
    if separator and key:
        return key, value
    raise argparse.ArgumentTypeError(f"{text!r} is no label. Use key=value, such as build=123.")
