"""``pytest --tapedeck`` without a display: test runs of a real dashboard."""

from __future__ import annotations

import subprocess
from datetime import datetime
from pathlib import Path

import pytest
from conftest import Stack, section, title_of

from tapedeck import Tapedeck

TESTS = """
import os
from pathlib import Path

import pytest

@pytest.fixture
def output_path(tmp_path):
    # pytest-playwright has this folder, too: its files are written when the page is closed.
    folder = tmp_path / "test-results"
    yield str(folder)

@pytest.fixture
def shop(output_path):
    yield
    Path(output_path).mkdir()
    (Path(output_path) / "trace.zip").write_bytes(b"PK")

def test_pays():
    print("not attached")

def test_total(shop):
    print("paid with " + os.environ["SHOP_TOKEN"])
    assert 19 == 20

@pytest.mark.skip(reason="not today")
def test_skipped(): pass
"""


def test_a_session_without_a_display_is_a_test_run_with_output_and_files(
    pytester: pytest.Pytester, client: Tapedeck, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.setenv("SHOP_TOKEN", "s3cr3t-of-shop")
    monkeypatch.delenv("DISPLAY", raising=False)
    pytester.makepyfile(test_shop=TESTS)
    names = ("--tapedeck=failed", "--tapedeck-name=headless", "--tapedeck-label=build=own-1")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *names)
    result.assert_outcomes(passed=1, failed=1, skipped=1)
    (run,) = client.test_runs.list(build="own-1")
    assert (run["name"], run["source"], run["outcome"], run["results"]["all"]) == ("headless", "pytest", "failed", 3)
    results = {title_of(dict(each)): client.tests.get(each["id"]) for each in client.tests.list(q="build:own-1")}
    assert {title: each["outcome"] for title, each in results.items()} == {
        **{"test_pays": "passed", "test_total": "failed", "test_skipped": "skipped"},
    }
    failed = results["test_total"]
    assert failed["message"] == "assert 19 == 20"
    files = {each["name"]: each for each in failed["attachments"]}
    assert sorted(files) == ["output.txt", "trace.zip"]
    assert results["test_pays"]["attachments"] == []
    assert section(result) == [run["url"]]
    link = f"{stack.url}/tests/{failed['testId']}?result={failed['id']}"
    result.stdout.fnmatch_lines([link])


VIDEO = """
import shutil
import time
from pathlib import Path

import pytest

@pytest.fixture
def output_path(tmp_path):
    yield str(tmp_path / "test-results")

@pytest.fixture
def page(output_path):
    # pytest-playwright does the same: a browser has started before, and the file is written when the page is closed.
    time.sleep(0.3)
    yield
    Path(output_path).mkdir()
    shutil.copy(VIDEO, Path(output_path) / "video.webm")
    shutil.copy(VIDEO, Path(output_path) / "video-1.webm")
    (Path(output_path) / "test-failed-1.png").write_bytes(b"png")

def test_total(page):
    assert 19 == 20
"""


def test_the_video_of_a_page_is_the_recording_of_its_result(
    pytester: pytest.Pytester, client: Tapedeck, stack: Stack, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.delenv("DISPLAY", raising=False)
    video = tmp_path / "made.webm"
    source = ("-f", "lavfi", "-i", "testsrc=duration=3:size=160x120:rate=25")
    subprocess.run(["ffmpeg", "-v", "error", *source, "-c:v", "libvpx", str(video)], check=True)
    pytester.makepyfile(test_shop=VIDEO.replace("VIDEO", repr(str(video))))
    names = ("--tapedeck=always", "--tapedeck-label=build=own-video")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *names)
    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("*Not uploaded*")
    (listed,) = client.tests.list(q="build:own-video")
    failed = client.tests.get(listed["id"])
    assert sorted(each["name"] for each in failed["attachments"]) == ["test-failed-1.png", "video.webm"]
    assert failed["recordingId"] is not None
    recording = client.recordings.get(failed["recordingId"])
    assert (recording["outcome"], recording["labels"]["build"]) == ("failed", "own-video")
    # It begins when the page is open, not with the test.
    begun, started = (datetime.fromisoformat(text) for text in (recording["createdAt"], failed["startedAt"]))
    assert 0.3 <= (begun - started).total_seconds() < 2


def test_each_worker_has_a_test_run_and_a_display_without_a_runner_is_not_missed(
    pytester: pytest.Pytester, client: Tapedeck, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.setenv("DISPLAY", ":9876")
    pytester.makepyfile(test_shop="import pytest\n@pytest.mark.parametrize('n', range(6))\ndef test_n(n): assert n < 6")
    names = ("--tapedeck=always", "--tapedeck-name=workers", "--tapedeck-label=build=own-2")
    pytester.runpytest_subprocess("-p", "no:cacheprovider", *names, "-n2").assert_outcomes(passed=6)
    runs = list(client.test_runs.list(build="own-2"))
    assert sorted((run["name"], run["outcome"]) for run in runs) == [
        *(("workers (gw0)", "passed"), ("workers (gw1)", "passed")),
    ]
    assert sum(run["results"]["passed"] for run in runs) == 6


def test_without_a_dashboard_a_session_without_a_display_is_one_warning(
    pytester: pytest.Pytester, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAPEDECK_URL", "http://127.0.0.1:9")
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.delenv("DISPLAY", raising=False)
    pytester.makepyfile(test_shop="def test_pays(): pass")
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--tapedeck=failed", "-W", "error")
    result.assert_outcomes(passed=1)
    (warning,) = section(result)
    assert warning.startswith("Warning: The dashboard at http://127.0.0.1:9 can't be reached: ")
    assert warning.endswith(" The results of these tests are not kept.")
