"""``pytest --tapedeck-display worker``: displays that a real runner makes, with real browsers on them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from conftest import Stack, job_of, results_of, section, title_of

from tapedeck import Tapedeck
from tapedeck.types import Job

COLORS = {"one": (230, 40, 40), "two": (40, 230, 40), "three": (40, 40, 230), "four": (230, 230, 40)}
POPUP = (40, 230, 230)
TOLERANCE = 40
"""A channel of a decoded pixel may differ by this much from the color that was shown."""
FRAMES_PER_SECOND = 10
WIDTH, HEIGHT = 96, 54
PATIENCE = 0.3
"""Seconds by which a result and the film may differ."""

TESTS = f"""
import os
import pytest

@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {{**browser_type_launch_args, "executable_path": "/usr/bin/chromium", "args": ["--no-sandbox"]}}

@pytest.mark.parametrize("name, color", {list(COLORS.items())!r})
def test_shows(page, name, color):
    print("shown on", os.environ["DISPLAY"])
    page.goto(f"data:text/html,<body style='background: rgb{{color}}'>")
    page.wait_for_timeout(1500)
    with page.expect_popup() as opened:
        page.evaluate("void window.open('about:blank', 'popup', 'width=400,height=300,left=100,top=100')")
    opened.value.evaluate("document.body.style.background = 'rgb{POPUP}'")
    # Long enough for a slow machine to paint it.
    opened.value.screenshot()
    opened.value.wait_for_timeout(1500)
"""


@pytest.fixture(autouse=True)
def variables(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.setenv("TAPEDECK_RUNNER_NAME", stack.runner)
    monkeypatch.delenv("DISPLAY", raising=False)


def test_each_worker_of_xdist_is_a_film_with_the_pages_and_popups_of_its_tests(
    pytester: pytest.Pytester, client: Tapedeck, tmp_path: Path
) -> None:
    pytester.makepyfile(test_shop=TESTS)
    words = ("--tapedeck=always", "--tapedeck-name=films", "--tapedeck-display=worker", "-n2")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *words)
    result.assert_outcomes(passed=4)
    jobs = [job_of(client, f"films (gw{number})") for number in (0, 1)]
    assert len({job["displayId"] for job in jobs}) == 2
    assert section(result) == [f"gw{n}: {job['recording'] and job['recording']['url']}" for n, job in enumerate(jobs)]
    seen = []
    for worker, job in enumerate(jobs):
        frames = frames_of(client, job, tmp_path)
        results = results_of(client, job)
        log = "".join(line["text"] for line in client.jobs.track(job["id"], f"log.pytest.gw{worker}"))
        assert f"shown on {job['displayId']}" in log
        shown = {name: seconds_with(frames, color) for name, color in COLORS.items()}
        popups = seconds_with(frames, POPUP)
        for each in results:
            name = next(name for name in COLORS if f"-{name}-" in title_of(each))
            seen.append(name)
            begin, end = each["offsetSeconds"] - PATIENCE, each["offsetSeconds"] + each["durationSeconds"] + PATIENCE
            seconds = shown.pop(name)
            assert seconds, name
            assert all(begin <= at <= end for at in seconds), (name, begin, end, seconds)
            assert any(begin <= at <= end for at in popups), (name, begin, end, popups)
        # The other worker's.
        assert not any(shown.values()), shown
    assert sorted(seen) == sorted(COLORS)


def test_a_process_has_its_display_while_its_tests_run_and_not_afterwards(
    pytester: pytest.Pytester, client: Tapedeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISPLAY", ":9876")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("XDG_SESSION_TYPE", "wayland")
    monkeypatch.setenv("QT_QPA_PLATFORM", "wayland")
    # Others see the end of the session after the plug-in.
    pytester.makeconftest("import os\ndef pytest_unconfigure(): print('then', os.environ['DISPLAY'])")
    pytester.makepyfile(
        "import os, subprocess\ndef test_display():\n"
        "    print('during', os.environ['DISPLAY'])\n"
        "    assert 'WAYLAND_DISPLAY' not in os.environ\n"
        "    assert (os.environ['XDG_SESSION_TYPE'], os.environ['QT_QPA_PLATFORM']) == ('x11', 'xcb')\n"
        "    subprocess.run(['xsetroot', '-solid', 'red'], check=True)"
    )
    words = ("--tapedeck=always", "--tapedeck-name=single", "--tapedeck-display=worker", "-s")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *words)
    result.assert_outcomes(passed=1)
    job = job_of(client, "single")
    assert (job["status"], job["outcome"]) == ("completed", "passed")
    result.stdout.fnmatch_lines([f"*during {job['displayId']}*", "then :9876"])
    assert not os.path.exists(f"/tmp/.X11-unix/X{job['displayId'][1:]}")


def test_workers_for_which_no_runner_makes_displays_run_on_after_one_line(
    pytester: pytest.Pytester, client: Tapedeck, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile("import pytest\n@pytest.mark.parametrize('n', range(4))\ndef test_n(n): pass")
    words = ("--tapedeck=always", "--tapedeck-name=none", "--tapedeck-display=worker")
    names = ("--tapedeck-runner=nobody", "--tapedeck-label=build=no-display", "-n2")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *words, *names)
    result.assert_outcomes(passed=4)
    lines = [line for line in section(result) if line.startswith("Warning")]
    assert lines == [
        "Warning: No runner of this machine makes 2 displays at a time. Start one with TAPEDECK_VIRTUAL_DISPLAYS=2. "
        "Tests get no display of their own, and browsers are shown as configured."
    ]
    runs = list(client.test_runs.list(build="no-display"))
    assert sum(run["results"]["passed"] for run in runs) == 4


def frames_of(client: Tapedeck, job: Job, folder: Path) -> list[bytes]:
    assert job["recording"] is not None
    file = folder / f"{job['id']}.mp4"
    client.recordings.download(job["recording"]["id"], file)
    filters = f"fps={FRAMES_PER_SECOND},scale={WIDTH}:{HEIGHT}:flags=neighbor,format=rgb24"
    words = ["ffmpeg", "-v", "error", "-i", str(file), "-vf", filters, "-f", "rawvideo", "-"]
    pixels = subprocess.run(words, check=True, capture_output=True).stdout
    size = WIDTH * HEIGHT * 3
    return [pixels[at : at + size] for at in range(0, len(pixels), size)]


def seconds_with(frames: list[bytes], color: tuple[int, int, int]) -> list[float]:
    """The seconds of the film in which a fiftieth of the display has the color."""
    return [index / FRAMES_PER_SECOND for index, frame in enumerate(frames) if share_of(frame, color) > 0.02]


def share_of(frame: bytes, color: tuple[int, int, int]) -> float:
    pixels = zip(frame[::3], frame[1::3], frame[2::3], strict=True)
    near = sum(all(abs(a - b) <= TOLERANCE for a, b in zip(pixel, color, strict=True)) for pixel in pixels)
    return near / (WIDTH * HEIGHT)
