"""``pytest --tapedeck``, with real recordings, and with xdist, pytest-html, Selenium and Playwright."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from xml.etree import ElementTree

import httpx
import pytest
from conftest import Stack, job_of, markers_of, results_of, section, title_of

from tapedeck import Tapedeck

Run = Callable[..., pytest.RunResult]

TESTS = """
import pytest

@pytest.fixture
def broken():
    raise RuntimeError("no database")

def test_adds():
    assert 1 + 1 == 2

class TestCart:
    @pytest.mark.parametrize("sort", ["a\\nb"])
    def test_total(self, sort):
        assert 19 == 20

def test_setup(broken):
    pass

@pytest.mark.skip(reason="not today")
def test_skipped():
    pass

@pytest.mark.xfail
def test_known():
    assert False
"""


@pytest.fixture
def run(pytester: pytest.Pytester, stack: Stack, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest as a user does, in a process of its own."""
    monkeypatch.setenv("TAPEDECK_URL", stack.url)
    monkeypatch.setenv("TAPEDECK_API_KEY", stack.api_key)
    monkeypatch.setenv("DISPLAY", f"{stack.display}.0")

    def runpytest(tests: str, *args: str) -> pytest.RunResult:
        pytester.makepyfile(test_shop=tests)
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *args)

    return runpytest


def test_each_test_has_a_result_and_each_failure_its_link_in_every_report(
    run: Run, client: Tapedeck, pytester: pytest.Pytester, stack: Stack, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"GITHUB_ACTIONS": "true", "GITHUB_RUN_NUMBER": "6", "GITHUB_REF_NAME": "main"}.items():
        monkeypatch.setenv(name, value)
    result = run(
        TESTS,
        *("--tapedeck=failed", "--tapedeck-name=reports", "--tapedeck-label=build=7", "--show-capture=no"),
        "--tapedeck-project=checkout",
        *("--junitxml=report.xml", "--html=report.html"),
    )
    result.assert_outcomes(passed=1, failed=1, errors=1, skipped=1, xfailed=1)
    job = job_of(client, "reports")
    assert (job["outcome"], job["keep"]) == ("failed", "failed")
    assert (job["labels"]["build"], job["labels"]["branch"]) == ("7", "main")
    assert (job["displayId"], job["stopReason"]) == (stack.display, "cancelled")
    assert job["maxDurationSeconds"] == 6 * 60 * 60
    results = results_of(client, job)
    assert [(result["test"], result["outcome"]) for result in results] == [
        ("test_shop › test_adds", "passed"),
        ("test_shop.TestCart › test_total[a\\nb]", "failed"),
        ("test_shop › test_setup", "failed"),
        ("test_shop › test_skipped", "skipped"),
        ("test_shop › test_known", "skipped"),
    ]
    total, setup = results[1], results[2]
    assert (total["suite"], total["file"], total["line"], total["project"]) == (
        *("test_shop.TestCart", "test_shop.py", 11, "checkout"),
    )
    assert total["labels"]["build"] == "7"
    assert (total["message"], setup["message"]) == ("assert 19 == 20", "RuntimeError: no database")
    assert "test_shop.py:13: AssertionError" in total["stack"]
    assert [(step["title"], step["outcome"]) for step in setup["steps"]] == [
        *(("setup", "failed"), ("teardown", "passed"))
    ]
    # Each failure is also a marker, at the same moment.
    markers = markers_of(client, job)
    assert [(marker["label"], marker["kind"]) for marker in markers] == [
        ("TestCart::test_total[a\\nb]", "fail"),
        ("test_setup", "fail"),
    ]
    assert [result["failureOffsetSeconds"] for result in (total, setup)] == pytest.approx(
        [marker["offsetSeconds"] for marker in markers], abs=0.01
    )
    assert job["recording"] is not None
    url = job["recording"]["url"]
    assert section(result) == [url]
    links = [f"{url}?result={each['id']}" for each in results]
    shown = [line for line in result.outlines if line.startswith(f"{url}?")]
    assert sorted(shown) == sorted([links[1], links[2]])
    cases = ElementTree.parse(pytester.path / "report.xml").getroot().iter("testcase")
    written = [each.attrib["value"] for case in cases for each in case.iter("property") if each.get("name")]
    assert written[1:3] == links[1:3]
    # Tests that passed or were skipped have their link there, too. They do not wait for the dashboard's answer.
    others = [written[0], *written[3:]]
    assert len(others) == 3
    assert all(link in links or link.startswith(f"{url}?t=") for link in others)
    page = (pytester.path / "report.html").read_text()
    assert all(link in page for link in shown)


def test_each_worker_of_xdist_has_its_own_recording(run: Run, client: Tapedeck) -> None:
    tests = "import pytest\n@pytest.mark.parametrize('n', range(8))\ndef test_one(n): assert n != 3"
    result = run(tests, "--tapedeck=always", "--tapedeck-name=workers", "-n2", "--junitxml=report.xml")
    result.assert_outcomes(passed=7, failed=1)
    jobs = [job_of(client, f"workers (gw{number})") for number in (0, 1)]
    assert section(result) == [f"gw{n}: {job['recording'] and job['recording']['url']}" for n, job in enumerate(jobs)]
    titles = sorted(title_of(result) for job in jobs for result in results_of(client, job))
    assert titles == [f"test_one[{number}]" for number in range(8)]
    assert sorted(str(job["outcome"]) for job in jobs) == ["failed", "passed"]
    failed = next(job for job in jobs if job["outcome"] == "failed")
    assert [m["label"] for m in markers_of(client, failed) if m["kind"] == "fail"] == ["test_one[3]"]
    assert failed["recording"] is not None
    result.stdout.fnmatch_lines([f"{failed['recording']['url']}[?]result=*"])


def test_the_recording_of_a_worker_that_crashed_ends_with_an_error(run: Run, client: Tapedeck) -> None:
    result = run(
        "import os\ndef test_good(): pass\ndef test_crash(): os._exit(1)",
        *("--tapedeck=failed", "--tapedeck-name=crash", "-n1", "--max-worker-restart=0"),
    )
    assert result.ret == 1
    job = job_of(client, "crash (gw0)")
    assert (job["status"], job["outcome"], job["stopReason"]) == ("completed", "error", "cancelled")
    (crash,) = markers_of(client, job)
    assert (crash["label"], crash["kind"]) == ("test_crash", "fail")
    assert crash["message"] == "pytest was killed, or crashed, at this moment."


def test_a_worker_that_replaces_a_crashed_one_and_runs_no_test_leaves_no_result(run: Run, client: Tapedeck) -> None:
    run(
        "import os\ndef test_good(): pass\ndef test_crash(): os._exit(1)",
        *("--tapedeck=always", "--tapedeck-name=replaced", "-n1"),
    )
    crashed, replacement = (job_of(client, f"replaced (gw{number})") for number in (0, 1))
    assert crashed["outcome"] == "error"
    assert (replacement["status"], replacement["outcome"]) == ("completed", None)
    assert results_of(client, replacement) == []


def test_an_interrupted_session_has_the_outcome_error_and_one_without_failures_passed(
    run: Run, client: Tapedeck
) -> None:
    run("def test_a(): pass\ndef test_b(): raise KeyboardInterrupt", "--tapedeck=failed", "--tapedeck-name=interrupted")
    job = job_of(client, "interrupted")
    assert (job["outcome"], job["status"]) == ("error", "completed")
    run("def test_a(): pass", "--tapedeck=always", "--tapedeck-name=good")
    job = job_of(client, "good")
    assert (job["outcome"], job["keep"]) == ("passed", "always")


def test_without_a_dashboard_the_tests_run_and_there_is_one_warning(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAPEDECK_URL", "http://127.0.0.1:9")
    tests = "def test_a(): pass\ndef test_b(): pass"
    for workers in ("-n0", "-n2"):
        result = run(tests, "--tapedeck=always", workers, "-W", "error")
        result.assert_outcomes(passed=2)
        (warning,) = section(result)
        assert warning.startswith("Warning: The dashboard at http://127.0.0.1:9 can't be reached: ")
        assert warning.endswith(" The tests run without a recording.")
    monkeypatch.delenv("TAPEDECK_API_KEY")
    result = run(tests, "--tapedeck=always")
    result.assert_outcomes(passed=2)
    assert "TAPEDECK_API_KEY" in section(result)[0]


def test_a_key_that_is_revoked_in_the_middle_fails_no_test_and_says_what_is_missing(
    run: Run,
    client: Tapedeck,
    revocable_key: tuple[str, Callable[[], None]],
    owner: httpx.Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key, _ = revocable_key
    monkeypatch.setenv("TAPEDECK_API_KEY", key)
    me = httpx.get(f"{client.url}/v1/me", headers={"authorization": f"Bearer {key}"}).json()
    cookies = "; ".join(f"{name}={value}" for name, value in owner.cookies.items())
    result = run(
        f"""
        import urllib.request
        def test_revoke():
            headers = {{"cookie": {cookies!r}, "origin": {client.url!r}}}
            urllib.request.urlopen(urllib.request.Request(
                "{client.url}/v1/api-keys/{me["apiKeyId"]}", headers=headers, method="DELETE"))
        def test_after(): pass
        """,
        *("--tapedeck=always", "--tapedeck-name=revoked"),
    )
    result.assert_outcomes(passed=2)
    url, warning = section(result)
    assert warning.startswith(
        f"Warning: The recording {url} was not ended and lacks 2 test results: Send a valid API key"
    )
    job = next(client.jobs.list(q="revoked", status=["recording"]))
    client.jobs.cancel(job["id"])
    assert client.jobs.wait(job["id"], timeout=60)["status"] == "completed"


LOGS = """
import logging, sys

def test_pays():
    logging.getLogger("shop").error("answered 500")
    print("printed")
    print("wrong", file=sys.stderr)
"""


def test_what_tests_log_and_print_is_a_track_of_the_recording(run: Run, client: Tapedeck) -> None:
    run(LOGS, "--tapedeck=always", "--tapedeck-name=logged")
    job = job_of(client, "logged")
    lines = list(client.jobs.track(job["id"], "log.pytest"))
    assert [(line["level"], line["text"]) for line in lines] == [
        *(("error", "shop: answered 500"), ("info", "printed"), ("error", "wrong")),
    ]
    assert all(line["offsetSeconds"] is not None and line["offsetSeconds"] > 0 for line in lines)


SECRETS = """
import os
import pytest

TOKEN, OTHER = os.environ["SHOP_TOKEN"], os.environ["OTHER_TOKEN"]

@pytest.fixture
def signed_in():
    raise RuntimeError(f"refused {TOKEN}")

def test_signs_in(signed_in):
    pass

@pytest.mark.parametrize("token", [TOKEN, OTHER])
def test_pays(token):
    print("paid with", token)
    headers = "POST /pay\\nAuthorization: Bearer only-in-a-header"
    assert token == "x" * 8000 + token, headers

def test_subtests(subtests):
    with subtests.test(msg=f"with {TOKEN}"):
        assert not TOKEN

@pytest.mark.skip(reason=f"while {TOKEN} is refused")
def test_skipped():
    pass
"""


def test_no_secret_is_in_results_markers_and_log(run: Run, client: Tapedeck, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_TOKEN", "tok-0123456789")
    monkeypatch.setenv("OTHER_TOKEN", "another-9876543210")
    run(SECRETS, "--tapedeck=always", "--tapedeck-name=secrets", "-p", "no:xdist")
    job = job_of(client, "secrets")
    results, markers = results_of(client, job), markers_of(client, job)
    stored = repr([job, results, markers, list(client.jobs.track(job["id"], "log.pytest"))])
    for secret in ("tok-01", "another-9", "only-in-a-header"):
        assert secret not in stored
    # Tests that differ only in a secret count as one, but no result is lost.
    assert [(title_of(each), each["attempt"], each["outcome"]) for each in results] == [
        ("test_signs_in", 1, "failed"),
        *(("test_pays[***]", attempt, "failed") for attempt in (1, 2)),
        *(("test_subtests", 1, "failed"), ("test_skipped", 1, "skipped")),
    ]
    assert "RuntimeError: refused ***" in results[0]["message"]
    assert "Authorization: ***" in results[1]["message"]
    assert results[4]["message"] == "Skipped: while *** is refused"
    assert {marker["label"] for marker in markers} >= {"test_pays[***]", "test_subtests [with ***]"}


def test_inside_of_tapedeck_run_its_recording_gets_the_results(run: Run, client: Tapedeck, stack: Stack) -> None:
    env = os.environ
    run(TESTS, "--collect-only")
    command = ["pytest", "-p", "no:cacheprovider", "--tapedeck=failed", "--tapedeck-name=never"]
    done = subprocess.run(
        [
            *(env["TEST_TAPEDECK"], "run", "--data-dir", env["TEST_RUNNER_DATA_DIR"], "--name", "wrapped"),
            *("--display", stack.display, "--", env["TEST_PYTHON"], "-m", *command),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    job = job_of(client, "wrapped")
    assert (job["outcome"], len(results_of(client, job)), len(markers_of(client, job))) == ("failed", 5, 2)
    assert job["recording"] is not None
    assert done.stdout.count(f"{job['recording']['url']}?result=") == 2
    assert list(client.jobs.list(q="never")) == []


def test_it_costs_nothing_without_the_option(run: Run, client: Tapedeck) -> None:
    result = run("import sys\ndef test_a(): assert 'tapedeck' not in sys.modules and 'httpx' not in sys.modules")
    result.assert_outcomes(passed=1)
    assert "tapedeck" not in result.stdout.str().replace("plugins: ", "").partition("test_shop")[2]


BROWSERS = {
    "selenium": """
        import pytest
        from selenium import webdriver

        @pytest.fixture
        def driver():
            options = webdriver.ChromeOptions()
            options.binary_location = "/usr/bin/chromium"
            for each in ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
                options.add_argument(each)
            driver = webdriver.Chrome(options, webdriver.ChromeService("/usr/bin/chromedriver"))
            yield driver
            driver.quit()

        def test_title(driver):
            driver.get("data:text/html,<title>Shop</title>")
            assert driver.title == "Bank"
    """,
    "playwright": """
        import pytest

        @pytest.fixture(scope="session")
        def browser_type_launch_args():
            return {"executable_path": "/usr/bin/chromium", "headless": False, "args": ["--no-sandbox"]}

        def test_title(page):
            page.goto("data:text/html,<title>Shop</title>")
            assert page.title() == "Bank"
    """,
}


@pytest.mark.parametrize("library", BROWSERS)
def test_it_works_with_selenium_and_playwright(run: Run, client: Tapedeck, library: str) -> None:
    result = run(BROWSERS[library], "--tapedeck=failed", f"--tapedeck-name={library}")
    result.assert_outcomes(failed=1)
    job = job_of(client, library)
    assert job["recording"] is not None
    result.stdout.fnmatch_lines([f"{job['recording']['url']}[?]result=*"])
    assert job["recording"]["verdict"] == "ok"
