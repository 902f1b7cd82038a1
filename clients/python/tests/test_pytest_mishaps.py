"""Accidents of a recorded pytest: clocks that tests set, environments that break connections, signals."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from uuid import uuid4

import pytest
from conftest import Stack, job_of, markers_of, results_of, seconds_of, title_of

from tapedeck import Tapedeck
from tapedeck.types import Job, Marker

PYTHONS = {"pytest 9": "TEST_PYTHON", "pytest 8": "TEST_OLDER_PYTHON"}
Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def recording_name() -> str:
    return f"mishap {uuid4().hex[:8]}"


@pytest.fixture
def start(pytester: pytest.Pytester, stack: Stack, recording_name: str) -> Iterator[Start]:
    """Starts pytest in the background. What is left of it is killed at the end."""
    started: list[subprocess.Popen[str]] = []

    def run(tests: str, *args: str, python: str = sys.executable, **variables: str) -> subprocess.Popen[str]:
        pytester.makepyfile(test_shop=tests)
        name = f"--tapedeck-name={recording_name}"
        own = {"TAPEDECK_URL": stack.url, "TAPEDECK_API_KEY": stack.api_key, "DISPLAY": stack.display}
        process = subprocess.Popen(
            [python, "-m", "pytest", "-p", "no:cacheprovider", "--tapedeck=failed", *args, name],
            env={**os.environ, **own, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=pytester.path,
        )
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def lines_of(process: subprocess.Popen[str]) -> list[str]:
    output, _ = process.communicate(timeout=240)
    return output.splitlines()


def until_there(file: Path, process: subprocess.Popen[str]) -> None:
    """Waits for what a test writes when it runs."""
    deadline = time.monotonic() + 120
    while not file.exists():
        assert process.poll() is None, process.communicate()[0]
        assert time.monotonic() < deadline
        time.sleep(0.05)


def started_at(job: Job) -> str:
    assert job["startedAt"] is not None
    return job["startedAt"]


CLOCKS = {
    "time-machine ahead": ("time_machine", 'time_machine.travel("2030-06-01T12:00:00Z")'),
    "time-machine back and still": ("time_machine", 'time_machine.travel("2020-01-01T12:00:00Z", tick=False)'),
    "freezegun": ("freezegun", 'freezegun.freeze_time("2020-01-01T12:00:00Z")'),
    "freezegun ahead": ("freezegun", 'freezegun.freeze_time("2031-01-01T12:00:00Z", tick=True)'),
}
TRAVEL = """
import pytest, threading, {module}

@pytest.fixture(autouse=True{scope})
def another_time():
    with {clock}:
        yield

def test_total():
    threading.Event().wait(0.5)
    assert 19 == 20

def test_fine():
    threading.Event().wait(0.5)
"""


@pytest.mark.parametrize("clock", CLOCKS)
@pytest.mark.parametrize("version", PYTHONS)
@pytest.mark.parametrize("scope", ["", ", scope='session'"], ids=["each test", "session"])
def test_a_clock_that_tests_set_moves_no_result(
    start: Start, client: Tapedeck, recording_name: str, clock: str, version: str, scope: str
) -> None:
    module, travel = CLOCKS[clock]
    begun = time.time()
    process = start(TRAVEL.format(module=module, clock=travel, scope=scope), python=os.environ[PYTHONS[version]])
    output = lines_of(process)
    assert process.returncode == 1, output
    taken = time.time() - begun
    job = job_of(client, recording_name)
    total, fine = results_of(client, job)
    assert (job["outcome"], total["outcome"], fine["outcome"]) == ("failed", "failed", "passed")
    end = fine["offsetSeconds"] + fine["durationSeconds"]
    assert 0.5 <= total["failureOffsetSeconds"] <= fine["offsetSeconds"] <= end - 0.5 <= taken
    assert all(0.5 <= each["steps"][1]["durationSeconds"] <= taken for each in (total, fine))
    (marker,) = markers_of(client, job)
    assert marker["clampedTo"] is None
    assert offset(marker) == pytest.approx(total["failureOffsetSeconds"], abs=0.01)
    (link,) = [line for line in output if "?result=" in line]
    assert link.endswith(f"?result={total['id']}")
    assert not [line for line in output if "Warning: " in line]


@pytest.mark.parametrize("ahead", [30, -30])
def test_a_machine_whose_clock_is_wrong_moves_no_result_and_no_link(
    start: Start,
    client: Tapedeck,
    recording_name: str,
    pytester: pytest.Pytester,
    machine_clock: Callable[[float], dict[str, str]],
    ahead: float,
) -> None:
    tests = """
import pathlib, threading, time

def test_total():
    threading.Event().wait(1.5)
    pathlib.Path("failed-at").write_text(str(time.time()))
    assert 19 == 20
"""
    process = start(tests, **machine_clock(ahead))
    output = lines_of(process)
    assert process.returncode == 1, output
    job = job_of(client, recording_name)
    [total] = markers_of(client, job)
    [result] = results_of(client, job)
    true = float((pytester.path / "failed-at").read_text()) - ahead
    assert seconds_of(total["at"] or "") == pytest.approx(true, abs=1)
    assert seconds_of(started_at(job)) + result["failureOffsetSeconds"] == pytest.approx(true, abs=1)
    assert total["clampedTo"] is None
    [link] = [line for line in output if "?result=" in line]
    assert link.endswith(f"?result={result['id']}")


def offset(marker: Marker) -> float:
    assert marker["offsetSeconds"] is not None
    return marker["offsetSeconds"]


ENVIRONMENTS = {
    "a SOCKS proxy for others": {"ALL_PROXY": "socks5://127.0.0.1:9", "NO_PROXY": "127.0.0.1"},
    "IPv6 in NO_PROXY": {"HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "localhost,[::1],::1,fd00::/8,127.0.0.1"},
    "a network in NO_PROXY": {"http_proxy": "127.0.0.1:9", "no_proxy": "10.0.0.0/8, 127.0.0.0/8"},
    "certificates that are not there": {"SSL_CERT_FILE": "/nonexistent/ca.pem", "SSL_CERT_DIR": "/nonexistent"},
    "a proxy of another scheme": {"HTTPS_PROXY": "ftp://[::1", "NO_PROXY": "*"},
}


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_settings_for_other_addresses_keep_nothing_from_being_recorded(
    start: Start, client: Tapedeck, recording_name: str, name: str
) -> None:
    process = start("def test_fine(): pass", "--tapedeck=always", **ENVIRONMENTS[name])
    output = lines_of(process)
    assert process.returncode == 0, output
    assert not [line for line in output if "Warning: " in line]
    assert job_of(client, recording_name)["outcome"] == "passed"


BROKEN = {
    "a SOCKS proxy": ({"ALL_PROXY": "socks5://127.0.0.1:9"}, "socksio"),
    "a proxy of another scheme": ({"HTTP_PROXY": "ftp://proxy.test"}, "ftp"),
    "a proxy that is no address": ({"HTTP_PROXY": "http://[::1"}, "can't be set up"),
    "a proxy that is away": ({"HTTP_PROXY": "http://127.0.0.1:9"}, "can't be reached"),
    "certificates that are not there": (
        {"TAPEDECK_URL": "https://127.0.0.1:9", "SSL_CERT_FILE": "/nonexistent/ca.pem"},
        "can't be set up",
    ),
    "a directory as certificates": ({"TAPEDECK_URL": "https://127.0.0.1:9", "SSL_CERT_FILE": "/"}, "can't be set up"),
    "an address that is none": ({"TAPEDECK_URL": "http://[::1"}, "TAPEDECK_URL"),
    "a host that cannot be": ({"TAPEDECK_URL": "http://a..b"}, "can't be reached"),
    "a key that no key is": ({"TAPEDECK_API_KEY": "tdk_\u00e4"}, "Copy it again"),
    "another server": ({"TAPEDECK_URL": "http://127.0.0.1:9/dashboard"}, "can't be reached"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_an_environment_without_a_connection_is_one_warning_and_the_tests_run(start: Start, name: str) -> None:
    variables, reason = BROKEN[name]
    process = start("def test_fine(): pass\ndef test_total(): assert 19 == 20", "-W", "error", **variables)
    output = lines_of(process)
    assert process.returncode == 1, output
    assert [line for line in output if "1 failed, 1 passed" in line]
    (warning,) = [line for line in output if "Warning: " in line]
    assert reason in warning
    assert warning.endswith(" The tests run without a recording.")


def test_a_client_that_cannot_be_loaded_is_one_warning(start: Start, pytester: pytest.Pytester) -> None:
    pytester.makepyfile(httpx="raise ImportError('a broken httpx')")
    process = start("def test_fine(): pass")
    output = lines_of(process)
    assert process.returncode == 0, output
    (warning,) = [line for line in output if "Warning: " in line]
    assert warning == "Warning: a broken httpx. The tests run without a recording."


def test_what_tests_replace_in_httpx_and_sockets_is_not_met_by_the_recording(
    start: Start, client: Tapedeck, recording_name: str
) -> None:
    process = start(
        """
        import httpx, random, socket, time
        import pytest

        asked = []

        @pytest.fixture(autouse=True)
        def replaced(monkeypatch):
            def answer(self, request):
                asked.append(request.url)
                return httpx.Response(200, json={})
            monkeypatch.setattr(httpx.HTTPTransport, "handle_request", answer)
            yield
            assert [url.host for url in asked] == ["shop.test"] * len(asked)

        @pytest.mark.parametrize("number", range(20))
        def test_shop(number):
            random.seed(number)
            first = random.random()
            time.sleep(0.05)
            assert httpx.get("http://shop.test").json() == {}
            random.seed(number)
            assert random.random() == first

        def test_without_sockets(monkeypatch):
            def refuse(*args, **kwargs):
                raise RuntimeError("no sockets in this test")
            monkeypatch.setattr(socket, "socket", refuse)
            monkeypatch.setattr(socket, "create_connection", refuse)
            time.sleep(0.5)
        """,
        "-p",
        "no:randomly",
    )
    output = lines_of(process)
    assert process.returncode == 0, output
    assert not [line for line in output if "Warning: " in line]
    assert len(results_of(client, job_of(client, recording_name))) == 21


WAITING = """
import pathlib, time

def test_before():
    pass

def test_long(tmp_path_factory):
    pathlib.Path("running").touch()
    time.sleep(600)
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 128 + signal.SIGTERM), (signal.SIGINT, 2)], ids=["SIGTERM", "SIGINT"]
)
def test_a_signal_ends_the_recording(
    start: Start, client: Tapedeck, recording_name: str, pytester: pytest.Pytester, number: int, status: int
) -> None:
    process = start(WAITING)
    until_there(pytester.path / "running", process)
    process.send_signal(number)
    output = lines_of(process)
    assert process.returncode == status, output
    job = job_of(client, recording_name)
    assert (job["outcome"], job["status"], job["stopReason"]) == ("error", "completed", "cancelled")
    assert [(title_of(result), result["outcome"], result["message"]) for result in results_of(client, job)] == [
        ("test_before", "passed", None),
        ("test_long", "error", "The test was interrupted."),
    ]


@pytest.mark.parametrize("workers", ["-n0", "-n1"])
def test_kill_ends_the_recording_at_the_test_that_ran(
    start: Start, client: Tapedeck, recording_name: str, pytester: pytest.Pytester, workers: str
) -> None:
    process = start(WAITING, workers)
    until_there(pytester.path / "running", process)
    name = recording_name if workers == "-n0" else f"{recording_name} (gw0)"
    until_reported(client, name, "test_long")
    process.kill()
    process.wait()
    job = job_of(client, name)
    assert (job["outcome"], job["status"], job["stopReason"]) == ("error", "completed", "cancelled")
    # The result that the test has begun with gets an outcome when the job ends.
    assert [(title_of(result), result["outcome"]) for result in results_of(client, job)] == [
        ("test_before", "passed"),
        ("test_long", "error"),
    ]
    markers = [(marker["label"], marker["kind"]) for marker in markers_of(client, job)]
    # A worker of xdist may still say itself that its test was interrupted, which is no failure.
    assert markers in ([("test_long", "fail")], *([[]] if workers == "-n1" else []))


def until_reported(client: Tapedeck, name: str, title: str) -> None:
    """Waits until the dashboard knows that a test has begun."""
    deadline = time.monotonic() + 60
    (job,) = client.jobs.list(q=f'"{name}"')
    while title not in map(title_of, results_of(client, job)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_sigterm_ends_the_recordings_of_all_workers(
    start: Start, client: Tapedeck, recording_name: str, pytester: pytest.Pytester
) -> None:
    process = start(WAITING, "-n1")
    until_there(pytester.path / "running", process)
    process.terminate()
    output = lines_of(process)
    assert process.returncode == 128 + signal.SIGTERM, output
    job = job_of(client, f"{recording_name} (gw0)")
    assert (job["outcome"], job["status"], job["stopReason"]) == ("error", "completed", "cancelled")


def test_children_of_tests_meet_signals_and_waits_as_without_a_recording(start: Start) -> None:
    process = start(
        """
        import multiprocessing, os, pytest, signal, time

        def test_no_other_children():
            with pytest.raises(ChildProcessError):
                os.waitpid(-1, os.WNOHANG)

        def sleep():
            time.sleep(60)

        @pytest.mark.parametrize("method", ["fork"] * 10 + ["spawn"])
        def test_terminated(method):
            child = multiprocessing.get_context(method).Process(target=sleep)
            child.start()
            child.terminate()
            child.join()
            assert child.exitcode == -signal.SIGTERM
        """
    )
    output = lines_of(process)
    assert process.returncode == 0, output


@contextmanager
def forwarder(stack: Stack) -> Iterator[tuple[str, Callable[[], None]]]:
    """The dashboard under another address, and what closes that."""
    target = (stack.url.split("//")[1].split(":")[0], int(stack.url.rsplit(":", 1)[1]))
    server = socket.create_server(("127.0.0.1", 0))
    open_sockets: list[socket.socket] = []

    def pump(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
        except OSError:
            pass

    def accept() -> None:
        while True:
            try:
                one, _ = server.accept()
                two = socket.create_connection(target)
            except OSError:
                return
            open_sockets.extend((one, two))
            for pair in ((one, two), (two, one)):
                Thread(target=pump, args=pair, daemon=True).start()

    def close() -> None:
        # Wakes what accepts, too.
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        for each in open_sockets:
            each.close()

    Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.getsockname()[1]}", close
    finally:
        server.close()


def test_a_dashboard_that_goes_away_in_the_middle_costs_the_tests_nothing(
    start: Start, client: Tapedeck, recording_name: str, stack: Stack, pytester: pytest.Pytester
) -> None:
    tests = """
    import pathlib, time

    def test_before():
        pass

    def test_while_it_goes_away():
        pathlib.Path("running").touch()
        while not pathlib.Path("gone").exists():
            time.sleep(0.05)

    def test_after():
        assert 19 == 20
    """
    with forwarder(stack) as (url, close):
        process = start(tests, TAPEDECK_URL=url)
        until_there(pytester.path / "running", process)
        close()
        (pytester.path / "gone").touch()
        output = lines_of(process)
    assert process.returncode == 1, output
    assert [line for line in output if "1 failed, 2 passed" in line]
    (warning,) = [line for line in output if "Warning: " in line]
    assert "was not ended" in warning
    (job,) = client.jobs.list(q=f'"{recording_name}"')
    client.jobs.cancel(job["id"])
