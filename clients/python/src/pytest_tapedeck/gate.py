"""The gate of a session, as ``tapedeck run --gate`` has it: failures that are all known do not fail pytest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Thread

from tapedeck.types import Gate

from .delivery import sentence_of
from .session_recording import Owner, open_own_client

GATE_SECONDS = 5.0
"""A dashboard that takes longer lets nothing pass."""


def passes_gate(owners: Sequence[Owner], problem: str | None, say: Callable[[str], None]) -> bool:
    """Says what the gate decides.

    :param owners: recordings and test runs with failed tests.
    :param problem: another reason for the failure, such as "the run stopped early"; None if there is none.
    :returns: whether every failure is known.
    """
    if problem is not None:
        say(f"The gate stays shut: {problem}.")
        return False
    try:
        gates = ask(owners)
    except Exception as error:
        say(f"The gate could not be asked: {sentence_of(error).rstrip('.')}. The run stays failed.")
        return False
    for gate in gates:
        say(gate["summary"])
    passes = all(gate["passes"] for gate in gates)
    if passes:
        say("CI passes: every failure is known.")
    return passes


def ask(owners: Sequence[Owner]) -> list[Gate]:
    """Asks about all of them within ``GATE_SECONDS``."""
    gates: list[Gate] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            with open_own_client() as client:
                for kind, owner_id in owners:
                    of = client.jobs.gate if kind == "job" else client.test_runs.gate
                    gates.append(of(owner_id))
        except Exception as error:
            errors.append(error)

    # The limits of httpx are for each part of an answer. A thread also ends the wait for one that trickles.
    thread = Thread(target=run, daemon=True)
    thread.start()
    thread.join(GATE_SECONDS)
    if thread.is_alive():
        raise TimeoutError(f"The dashboard did not answer within {GATE_SECONDS:g} seconds")
    if errors:
        raise errors[0]
    return gates
