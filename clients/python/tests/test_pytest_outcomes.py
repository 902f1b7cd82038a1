"""A recording has the outcome of pytest's exit status, whatever other plugins do with the tests: pytest 9 and 8."""

from __future__ import annotations

import os
from collections.abc import Callable
from uuid import uuid4

import pytest
from conftest import Stack, job_of, markers_of, results_of, seconds_of, section, title_of

from tapedeck import Tapedeck
from tapedeck.types import Job

Run = Callable[..., pytest.RunResult]
PYTHONS = {"pytest 9": "TEST_PYTHON", "pytest 8": "TEST_OLDER_PYTHON"}


@pytest.fixture
def recording_name() -> str:
    return f"outcomes {uuid4().hex[:8]}"


@pytest.fixture(params=PYTHONS)
def run(
    request: pytest.FixtureRequest,
    pytester: pytest.Pytester,
    stack: Stack,
    monkeypatch: pytest.MonkeyPatch,
    recording_name: str,
) -> Run:
    """Runs pytest in a process of its own, with each version."""
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.setenv("DISPLAY", stack.display)
    python = os.environ[PYTHONS[request.param]]

    def runpytest(tests: str, *args: str) -> pytest.RunResult:
        pytester.makepyfile(test_shop=tests)
        name = f"--tapedeck-name={recording_name}"
        return pytester.run(python, "-m", "pytest", "-p", "no:cacheprovider", "--tapedeck=failed", name, *args)

    return runpytest


@pytest.fixture
def recorded(client: Tapedeck, recording_name: str) -> Callable[[], tuple[Job, list[tuple[str, str]]]]:
    """The job, and its test results as title and outcome."""

    def read() -> tuple[Job, list[tuple[str, str]]]:
        job = job_of(client, recording_name)
        return job, [(title_of(result), result["outcome"]) for result in results_of(client, job)]

    return read


Recorded = Callable[[], tuple[Job, list[tuple[str, str]]]]


def test_a_failed_subtest_is_where_it_failed_and_keeps_the_recording(
    run: Run, recorded: Recorded, client: Tapedeck
) -> None:
    result = run(
        """
        import time, unittest

        def test_form(subtests):
            for name in ("street", "city", "zip"):
                with subtests.test(msg=name, length=4):
                    time.sleep(0.2)
                    assert name != "city"
            time.sleep(0.2)

        class TestPrices(unittest.TestCase):
            def test_rounding(self):
                for cents in (10, 15):
                    with self.subTest(cents=cents):
                        time.sleep(0.2)
                        self.assertEqual(cents % 10, 0)
                time.sleep(0.2)
        """
    )
    assert result.ret == 1
    job, results = recorded()
    assert (job["outcome"], delete_at(job)) == ("failed", None)
    assert results == [("test_form", "failed"), ("test_rounding", "failed")]
    found = markers_of(client, job)
    assert [(marker["label"], marker["kind"]) for marker in found] == [
        ("test_form [city] (length=4)", "fail"),
        ("test_form", "fail"),
        ("TestPrices::test_rounding (cents=15)", "fail"),
        ("TestPrices::test_rounding", "fail"),
    ]
    seconds = [marker["offsetSeconds"] or 0 for marker in found]
    assert seconds[1] - seconds[0] > 0.35
    assert seconds[3] - seconds[2] > 0.15
    assert "assert 'city' != 'city'" in str(found[0]["message"])
    assert found[1]["message"] == "contains 1 failed subtest"
    assert job["recording"] is not None
    # The result says which one failed, and shows it.
    form, rounding = results_of(client, job)
    links = [line for line in result.outlines if line.startswith(f"{job['recording']['url']}?")]
    assert links == [f"{job['recording']['url']}?result={each['id']}" for each in (form, rounding)]
    assert "assert 'city' != 'city'" in form["message"]
    assert [each["failureOffsetSeconds"] for each in (form, rounding)] == pytest.approx(
        [seconds[0], seconds[2]], abs=0.01
    )
    setup, call, teardown = form["steps"]
    assert [(each["title"], each["outcome"]) for each in (setup, call, teardown)] == [
        *(("setup", "passed"), ("call", "failed"), ("teardown", "passed"))
    ]
    failed = [each for each in call["steps"] if each["outcome"] == "failed"]
    assert [each["title"] for each in failed] == ["[city] (length=4)"]
    assert failed[0]["durationSeconds"] == pytest.approx(0.2, abs=0.15)


def test_a_message_is_the_error_first_and_the_end_of_its_traceback(
    run: Run, recorded: Recorded, client: Tapedeck
) -> None:
    run(
        """
        import pytest

        def fail(depth):
            if depth == 0:
                raise ValueError("\\x1b[31mno total\\x1b[0m \\ud83d")
            fail(depth - 1)

        def test_deep():
            fail(400)

        def test_long():
            assert "a" * 100_000 == "b" * 100_000

        @pytest.mark.skip(reason="no printer here")
        def test_skipped():
            pass
        """,
        "-vv",
        "--tb=long",
    )
    job, results = recorded()
    assert [outcome for _, outcome in results] == ["failed", "failed", "skipped"]
    deep, long = markers_of(client, job)
    lines = str(deep["message"]).splitlines()
    assert lines[0].startswith("ValueError: no total")
    assert lines[2].startswith("… (")
    assert lines[-1].startswith("test_shop.py:5: ValueError")
    assert str(long["message"]).startswith("AssertionError: assert 'aaaa")
    assert "more characters)" in str(long["message"])
    assert max(len(str(each["message"]).encode()) for each in (deep, long)) <= 8192
    # A result has the error, and the end of its traceback as its stack.
    deep_result, long_result, skipped = results_of(client, job)
    assert deep_result["message"].startswith("ValueError: no total")
    assert "test_shop.py" not in deep_result["message"]
    assert deep_result["stack"].splitlines()[-1].startswith("test_shop.py:5: ValueError")
    assert long_result["message"].startswith("AssertionError: assert 'aaaa")
    assert max(len(each["stack"].encode()) for each in (deep_result, long_result)) <= 32 * 1024
    assert (skipped["message"], skipped["stack"]) == ("Skipped: no printer here", None)


def delete_at(job: Job) -> str | None:
    assert job["recording"] is not None
    return job["recording"]["deleteAt"]


FLAKY = """
import time

runs = []

def test_flaky():
    runs.append(1)
    time.sleep(0.3)
    assert len(runs) > 1, "the first run"

def test_sound():
    pass
"""


@pytest.mark.parametrize(
    "args",
    [
        ["-p", "no:pytest-retry", "-p", "no:flaky", "--reruns=2"],
        ["-p", "no:pytest-retry", "--force-flaky", "--max-runs=3"],
        ["-p", "no:rerunfailures", "-p", "no:flaky", "--retries=2"],
    ],
    ids=["pytest-rerunfailures", "flaky", "pytest-retry"],
)
def test_a_run_that_is_repeated_is_an_attempt_and_the_last_one_counts(
    run: Run, recorded: Recorded, client: Tapedeck, args: list[str]
) -> None:
    result = run(FLAKY, *args)
    assert result.ret == 0, result.stdout.str()
    job, results = recorded()
    assert job["outcome"] == "passed"
    assert results == [("test_flaky", "failed"), ("test_flaky", "passed"), ("test_sound", "passed")]
    first, last, sound = results_of(client, job)
    assert [(each["attempt"], each["flaky"]) for each in (first, last, sound)] == [(1, True), (2, True), (1, False)]
    assert "the first run" in first["message"]
    assert seconds_of(last["endedAt"]) - seconds_of(first["endedAt"]) > 0.25
    assert seconds_of(first["startedAt"]) < seconds_of(last["startedAt"])
    # Failures that did not count do not fail the recording.
    assert markers_of(client, job) == []


@pytest.mark.parametrize(
    "args",
    [
        ["-p", "no:pytest-retry", "-p", "no:flaky", "--reruns=1"],
        ["-p", "no:pytest-retry", "--force-flaky", "--max-runs=2"],
        ["-p", "no:rerunfailures", "-p", "no:flaky", "--retries=1"],
    ],
    ids=["pytest-rerunfailures", "flaky", "pytest-retry"],
)
def test_a_test_that_fails_in_each_run_has_failed(
    run: Run, recorded: Recorded, client: Tapedeck, args: list[str]
) -> None:
    result = run("def test_broken():\n    assert 19 == 20", *args)
    assert result.ret == 1, result.stdout.str()
    job, results = recorded()
    assert job["outcome"] == "failed"
    assert results == [("test_broken", "failed")] * 2
    assert [result["attempt"] for result in results_of(client, job)] == [1, 2]
    assert [marker["label"] for marker in markers_of(client, job)] == ["test_broken"]


FORKED = """
import os, time

def test_total():
    time.sleep(0.2)
    assert 19 == 20, "the total"

def test_sound():
    pass

def test_crash():
    os.kill(os.getpid(), 11)
"""


# pytest-forked loses the results of pytest 9, also without a recording.
@pytest.mark.parametrize("run", ["pytest 8"], indirect=True)
def test_forked_tests_have_their_results_and_times(run: Run, recorded: Recorded, client: Tapedeck) -> None:
    result = run(FORKED, "--forked")
    assert result.ret == 1, result.stdout.str()
    job, results = recorded()
    assert job["outcome"] == "failed"
    assert results == [("test_total", "failed"), ("test_sound", "passed"), ("test_crash", "failed")]
    total, _, crash = results_of(client, job)
    assert "the total" in total["message"]
    assert total["durationSeconds"] > 0.2
    assert "CRASHED with signal 11" in crash["message"]
    assert [marker["label"] for marker in markers_of(client, job)] == ["test_total", "test_crash"]


def test_a_module_that_cannot_be_collected_is_a_failure_also_if_the_others_run(
    run: Run, recorded: Recorded, client: Tapedeck, pytester: pytest.Pytester
) -> None:
    pytester.makepyfile(test_broken="import a_module_that_nobody_has")
    result = run("def test_sound():\n    pass", "--continue-on-collection-errors")
    assert result.ret == 1
    job, results = recorded()
    assert job["outcome"] == "failed"
    assert results == [("test_broken", "error"), ("test_sound", "passed")]
    assert "a_module_that_nobody_has" in results_of(client, job)[0]["message"]
    (marker,) = markers_of(client, job)
    assert (marker["label"], marker["kind"]) == ("test_broken.py", "fail")
    assert "a_module_that_nobody_has" in str(marker["message"])


def test_a_coverage_below_its_threshold_is_a_failure_that_says_so(
    run: Run, recorded: Recorded, client: Tapedeck
) -> None:
    shop = "def test_sound():\n    pass\n\ndef unused():\n    a = 1\n    b = 2\n    return a + b"
    result = run(shop, "--cov=.", "--cov-fail-under=99")
    assert result.ret == 1
    job, results = recorded()
    assert (job["outcome"], delete_at(job)) == ("failed", None)
    # So it is found among the failures, too.
    assert results == [("test_sound", "passed"), ("No test failed, but pytest did", "error")]
    (marker,) = markers_of(client, job)
    assert (marker["label"], marker["kind"]) == ("No test failed, but pytest did", "fail")
    assert "less than the required 99 %" in str(marker["message"])


@pytest.mark.parametrize(
    ("tests", "args", "status", "outcome"),
    [
        ("def test_a(): pass", [], 0, "passed"),
        ("import pytest\n@pytest.mark.skip\ndef test_a(): pass", [], 0, "passed"),
        ("import pytest\n@pytest.mark.xfail\ndef test_a(): assert 0", [], 0, "passed"),
        ("import pytest\n@pytest.mark.xfail(strict=True)\ndef test_a(): pass", [], 1, "failed"),
        ("def test_a(): assert 0\ndef test_b(): pass", ["-x"], 1, "failed"),
        ("def test_a(): pass\ndef test_b(): raise KeyboardInterrupt", [], 2, "error"),
        ("def test_a(): assert 0\ndef test_b(): raise KeyboardInterrupt", [], 2, "error"),
        ("import a_module_that_nobody_has", [], 2, "error"),
        ("def test_a(): pass", ["no-such-file.py"], 4, "error"),
        ("def test_a(): pass", ["-k", "nothing"], 5, "skipped"),
        ("import pytest\ndef test_a(): pytest.exit('enough', returncode=7)", [], 7, "error"),
    ],
)
def test_the_exit_status_is_the_outcome(
    run: Run, recorded: Recorded, tests: str, args: list[str], status: int, outcome: str
) -> None:
    assert run(tests, *args).ret == status
    job, _ = recorded()
    assert (job["outcome"], job["status"], job["stopReason"]) == (outcome, "completed", "cancelled")


def test_an_exit_status_that_another_plugin_sets_at_the_end_counts(
    run: Run, recorded: Recorded, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest(
        """
        import pytest

        @pytest.hookimpl(wrapper=True, tryfirst=True)
        def pytest_sessionfinish(session):
            yield
            session.exitstatus = 0
        """
    )
    assert run("def test_a(): assert 0").ret == 0
    job, _ = recorded()
    assert job["outcome"] == "passed"


def test_an_internal_error_is_an_error(
    run: Run, recorded: Recorded, client: Tapedeck, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest("def pytest_runtest_logstart():\n    raise RuntimeError('a broken hook')")
    assert run("def test_a(): pass").ret == 3
    job, results = recorded()
    assert job["outcome"] == "error"
    assert ("pytest has failed internally", "error") in results
    assert [marker["label"] for marker in markers_of(client, job)] == ["pytest has failed internally"]


SHARED = """
import pytest

@pytest.mark.parametrize("number", range(6))
def test_one(number):
    assert number != {bad}

def unused():
    first = 1
    second = 2
    return first + second
"""


def test_with_xdist_the_outcomes_of_the_workers_explain_the_exit_status(
    run: Run, client: Tapedeck, recording_name: str
) -> None:
    def outcomes() -> list[str]:
        return sorted(str(job_of(client, f"{recording_name} (gw{number})")["outcome"]) for number in (0, 1))

    assert run(SHARED.format(bad=3), "-n2").ret == 1
    assert outcomes() == ["failed", "passed"]


def test_with_xdist_a_threshold_of_all_workers_is_the_outcome_of_each(
    run: Run, client: Tapedeck, recording_name: str
) -> None:
    assert run(SHARED.format(bad=9), "-n2", "--cov=.", "--cov-fail-under=99").ret == 1
    assert [job_of(client, f"{recording_name} (gw{number})")["outcome"] for number in (0, 1)] == ["failed", "failed"]


def test_a_subtest_fails_in_a_worker_of_xdist_too(run: Run, client: Tapedeck, recording_name: str) -> None:
    result = run("def test_a(subtests):\n    with subtests.test(msg='one'):\n        assert 0", "-n1")
    assert result.ret == 1
    job = job_of(client, f"{recording_name} (gw0)")
    assert job["outcome"] == "failed"
    assert [marker["label"] for marker in markers_of(client, job)] == ["test_a [one]", "test_a"]
    assert [(title_of(result), result["outcome"]) for result in results_of(client, job)] == [("test_a", "failed")]
    assert job["recording"] is not None
    assert section(result) == [job["recording"]["url"]]
