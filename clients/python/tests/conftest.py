"""The dashboard, display and runner that e2e/python-client.external.test.ts has started."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
import pytest

from tapedeck import Tapedeck

pytest_plugins = ["pytester"]


@dataclass(frozen=True)
class Stack:
    url: str
    api_key: str
    display: str
    runner: str
    runner_id: int


@pytest.fixture(scope="session")
def stack() -> Stack:
    env = os.environ
    return Stack(
        env["TEST_URL"], env["TEST_API_KEY"], env["TEST_DISPLAY"], env["TEST_RUNNER"], int(env["TEST_RUNNER_ID"])
    )


@pytest.fixture
def client(stack: Stack) -> Iterator[Tapedeck]:
    with Tapedeck(stack.url, stack.api_key) as client:
        yield client


@pytest.fixture
def owner(stack: Stack) -> Iterator[httpx.Client]:
    """The owner, signed in as by a browser."""
    with httpx.Client(base_url=stack.url, headers={"origin": stack.url}) as owner:
        sign_in = {"email": os.environ["TEST_EMAIL"], "password": os.environ["TEST_PASSWORD"]}
        owner.post("/api/auth/sign-in/email", json=sign_in).raise_for_status()
        yield owner


@pytest.fixture
def revocable_key(owner: httpx.Client) -> tuple[str, Callable[[], None]]:
    """An API key, and what revokes it."""
    key = owner.post("/v1/api-keys", json={"name": "revocable"}).raise_for_status().json()

    def revoke() -> None:
        owner.delete(f"/v1/api-keys/{key['id']}").raise_for_status()

    return key["secret"], revoke
