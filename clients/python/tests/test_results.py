"""Test results as one call takes them, whatever a test has done."""

from __future__ import annotations

import json
from typing import Any

from pytest_tapedeck.results import identity_of, key_of
from tapedeck._calls import batches_of, fitting_result
from tapedeck.types import NewTestResult


def count_of(steps: list[Any]) -> int:
    return sum(1 + count_of(step.get("steps", [])) for step in steps if step is not None)


def test_of_50000_steps_the_first_are_sent_and_the_others_are_counted() -> None:
    steps = [{"title": f"step {number}", "steps": [{"title": "inner"}] * 4} for number in range(10_000)]
    sent = fitting_result({"key": "a", "test": "a", "steps": steps})["steps"] or []
    assert count_of(sent) == 2_000
    assert sent.count(None) == 48_000
    assert sent[0] == steps[0]
    assert len(json.dumps(sent)) < 600_000


def test_a_step_that_failed_is_sent_however_late_it_is() -> None:
    steps = [{"title": f"step {number}", "outcome": "passed"} for number in range(3_000)]
    steps[2_500]["outcome"] = "failed"
    sent = fitting_result({"key": "a", "test": "a", "steps": [{"title": "call", "steps": steps}]})["steps"] or []
    kept = sent[0]["steps"]
    assert count_of(sent) == 2_000
    assert (kept[-2]["title"], kept[-1]) == ("step 1997", steps[2_500])
    assert sent.count(None) == 1_001


def test_no_result_is_larger_than_a_call() -> None:
    huge = "\x1b[31m" * 200_000
    step = {"title": "a" * 10_000, "message": huge[:50_000]}
    result: NewTestResult = {"key": "a", "test": "a", "message": huge, "stack": huge, "steps": [step] * 100}
    (batch,) = batches_of([result])
    assert len(json.dumps(batch)) < 1024 * 1024
    assert len((batch[0]["stack"] or "").encode()) <= 32 * 1024
    assert "more characters)" in (batch[0]["message"] or "")


def test_a_test_is_named_as_in_junit_reports() -> None:
    assert identity_of("tests/unit/test_shop.py::TestCart::test_total[a::b/c]") == {
        "test": "tests.unit.test_shop.TestCart › test_total[a::b/c]",
        "suite": "tests.unit.test_shop.TestCart",
    }
    assert identity_of("test_shop.py") == {"test": "test_shop"}
    assert identity_of("test_shop.py::test_total[a@b]")["test"] == "test_shop › test_total[a@b]"
    assert identity_of("test_a@b.py::test_total")["test"] == "test_a@b › test_total"


def test_a_group_of_xdist_is_no_part_of_the_name() -> None:
    for title in ("test_total", "test_total[a@b]"):
        nodeid = f"test_shop.py::{title}"
        assert identity_of(f"{nodeid}@browsers") == identity_of(nodeid)


def test_long_titles_that_differ_at_their_end_stay_different() -> None:
    one, two = (identity_of(f"test_shop.py::test_total[{'x' * 20_000}{end}]")["test"] for end in "ab")
    assert one != two
    assert len(one) <= 10_000
    assert len({key_of(test, attempt) for test in (one, two) for attempt in (1, 2)}) == 4
    assert max(len(key_of(test, 1_000)) for test in (one, two)) <= 500
