"""The results and markers of a session: sent in the background, as many in a call as there are."""

from __future__ import annotations

from threading import Event
from typing import Any

from replay import KEY, Exchange, replay

from pytest_tapedeck.delivery import Delivery
from tapedeck import Tapedeck
from tapedeck._clock import monotonic
from tapedeck.types import CreateJobMarker, NewTestResult

MARKERS, RESULTS = "/v1/jobs/7/markers", "/v1/jobs/7/tests"
AT = [f"2026-11-21T01:12:0{second}.500Z" for second in range(3)]
REFUSED = {"code": "unauthorized", "detail": "The key was revoked."}
OK = {"status": 201, "body": {"data": []}}
CUT = {"cut": True}


def marker(second: int) -> CreateJobMarker:
    return {"label": f"test_{second}", "kind": "fail", "at": AT[second]}


def result(number: int, **more: Any) -> NewTestResult:
    return {"key": f"test_{number}#1", "test": f"shop › test_{number}", **more}  # type: ignore[typeddict-item]


def marked(seconds: list[int], response: dict[str, Any]) -> Exchange:
    body = {"markers": [marker(second) for second in seconds]}
    return {"request": {"method": "POST", "path": f"{MARKERS}/batch", "body": body}, "response": response}


def listed(*seconds: int) -> Exchange:
    data = [{"label": f"test_{second}", "at": AT[second]} for second in seconds]
    response = {"status": 200, "body": {"data": data, "nextCursor": None}}
    return {"request": {"method": "GET", "path": MARKERS}, "response": response}


def reported(results: list[NewTestResult], response: dict[str, Any]) -> Exchange:
    return {"request": {"method": "POST", "path": RESULTS, "body": results}, "response": response}


def refused(*paths: str) -> dict[str, Any]:
    errors = [{"path": path, "code": "too_big", "message": "The recording has ended."} for path in paths]
    body = {"code": "validation_failed", "detail": "The recording has ended.", "errors": errors}
    return {"status": 422, "body": body}


def missing_of(first: Any, others: list[Any], *exchanges: Exchange) -> tuple[str | None, str]:
    """Sends something, the rest while the dashboard answers that, and ends."""
    arrived, held = Event(), Event()
    held_back = {**exchanges[0], "response": {**exchanges[0]["response"], "arrived": arrived, "held": held}}
    with replay([held_back, *exchanges[1:]]) as server:
        delivery = Delivery(Tapedeck(server.url, KEY, retries=0), 7)
        for each in [first, *others]:
            delivery.report(each) if "key" in each else delivery.mark(each)
            assert arrived.wait(10)
        held.set()
        return delivery.finish(monotonic() + 30)


def missing_markers(*exchanges: Exchange) -> str | None:
    return missing_of(marker(0), [marker(1), marker(2)], *exchanges)[0]


def test_markers_are_sent_when_the_dashboard_is_back_and_none_twice() -> None:
    # One result of the second call was added although its answer was lost.
    exchanges = [marked([0], CUT), listed(0), marked([1, 2], CUT), listed(0, 1), marked([2], OK)]
    assert missing_markers(*exchanges) is None


def test_what_is_missing_has_its_reason() -> None:
    revoked = {"status": 401, "body": REFUSED}
    rest = [marker(1), result(1), result(2)]
    missing = missing_of(marker(0), rest, marked([0], OK), marked([1], revoked))
    assert missing == ("2 test results and 1 marker", "The key was revoked.")
    assert missing_markers(marked([0], OK), marked([1, 2], refused(""))) == "2 markers"


def test_what_is_refused_keeps_nothing_else_away() -> None:
    assert missing_markers(marked([0], OK), marked([1, 2], refused("markers.0.at")), marked([2], OK)) == "1 marker"
    assert missing_markers(marked([0], refused("markers.0.at")), marked([1, 2], OK)) == "1 marker"
    rest = [result(1), result(2)]
    exchanges = [reported([result(0)], OK), reported(rest, refused("1.endedAt")), reported([result(1)], OK)]
    assert missing_of(result(0), rest, *exchanges) == ("1 test result", "The recording has ended.")


def test_results_are_sent_again_until_the_dashboard_has_them() -> None:
    exchanges = [
        reported([result(0)], CUT),
        reported([result(0), result(1)], CUT),
        reported([result(0), result(1)], OK),
    ]
    assert missing_of(result(0), [result(1)], *exchanges)[0] is None


def test_a_test_that_has_ended_while_its_beginning_waits_is_one_result() -> None:
    # The other has ended while its beginning was sent.
    first, second = result(0, outcome="failed"), result(1, outcome="passed")
    exchanges = [reported([result(0)], OK), reported([first, second], OK)]
    assert missing_of(result(0), [result(1), first, second], *exchanges)[0] is None


def test_what_would_be_too_much_for_one_call_is_sent_in_several() -> None:
    # As JSON, a control character takes six bytes.
    message = "\x1b" * 8000
    long: CreateJobMarker = {"label": "test", "kind": "fail", "at": AT[0], "message": message}
    body = {"markers": [long] * 10}
    calls = [{"request": {"method": "POST", "path": f"{MARKERS}/batch", "body": body}, "response": OK}] * 3
    many: list[Any] = [{**long} for _ in range(30)]
    assert missing_of(marker(0), many, marked([0], OK), *calls)[0] is None


def test_1000_results_of_up_to_1_mib_are_one_call() -> None:
    few = [result(number) for number in range(2_500)]
    exchanges = [
        reported(few[:1], OK),
        reported(few[1:1001], OK),
        reported(few[1001:2001], OK),
        reported(few[2001:], OK),
    ]
    assert missing_of(few[0], few[1:], *exchanges)[0] is None
    large = [result(number, outcome="failed", message="\x1b" * 8000) for number in range(40)]
    exchanges = [reported(few[:1], OK), *(reported(large[at : at + 18], OK) for at in (0, 18, 36))]
    assert missing_of(few[0], [*large], *exchanges)[0] is None


def test_a_link_waits_a_moment_for_the_id_of_a_result_that_is_being_sent_and_for_no_other() -> None:
    arrived, held = Event(), Event()
    answer = {"status": 201, "body": {"data": [{"id": 21, "testId": 5}]}, "arrived": arrived, "held": held}
    with replay([reported([result(0)], answer)]) as server:
        delivery = Delivery(Tapedeck(server.url, KEY, retries=0), 7)
        delivery.report(result(0))
        assert arrived.wait(10)
        # A test that passed does not wait, and neither does one that is not sent.
        assert delivery.id_of("test_0#1", waits=False) is None
        assert delivery.id_of("test_1#1", waits=True) is None
        held.set()
        assert delivery.id_of("test_0#1", waits=True) == 21
        assert delivery.finish(monotonic() + 10) == (None, "")


def test_no_link_waits_for_a_dashboard_that_is_slow_again() -> None:
    arrived, held = Event(), Event()
    answer = {"status": 201, "body": {"data": [{"id": 21, "testId": 5}]}, "arrived": arrived, "held": held}
    with replay([reported([result(0)], answer)]) as server:
        delivery = Delivery(Tapedeck(server.url, KEY, retries=0), 7)
        delivery.report(result(0))
        assert arrived.wait(10)
        begun = monotonic()
        assert [delivery.id_of("test_0#1", waits=True) for _ in range(20)] == [None] * 20
        assert monotonic() - begun < 5
        held.set()
        assert delivery.finish(monotonic() + 10) == (None, "")
