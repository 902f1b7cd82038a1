"""What continuous integration says about the build, as labels: build, branch, commit and ci.url."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from urllib.parse import quote

Environment = Mapping[str, str]
# Whatever is set first; None and empty when nothing is.
Values = list["str | None"]

MAX_VALUE = 255


def ci_labels(env: Environment | None = None) -> dict[str, str]:
    """The labels ``build``, ``branch``, ``commit`` and ``ci.url`` of the system that runs this process.

    It may be GitHub Actions, GitLab CI, Jenkins, Buildkite, CircleCI or Azure Pipelines. Labels that it does not set
    are left out.

    :param env: default the environment of this process.
    :returns: no labels outside of such a system.
    """
    env = os.environ if env is None else env
    values = next((values for variable, values in _SYSTEMS.items() if env.get(variable)), None)
    if values is None:
        return {}
    chosen = {key: next(filter(None, each), "") for key, each in values(env).items()}
    labels = {key: plain_text(value, MAX_VALUE) for key, value in chosen.items()}
    return {key: value for key, value in labels.items() if value}


def plain_text(text: str, longest: int) -> str:
    """The nearest text that the API takes: without control characters, and not longer, as JavaScript counts."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", text).strip()
    return plain.encode("utf-16-le")[: longest * 2].decode("utf-16-le", errors="ignore").rstrip()


def _github(env: Environment) -> dict[str, Values]:
    return {
        "build": [env.get("GITHUB_RUN_NUMBER")],
        # Of a pull request, the branch that it is about.
        "branch": [env.get("GITHUB_HEAD_REF"), env.get("GITHUB_REF_NAME")],
        "commit": [env.get("GITHUB_SHA")],
        "ci.url": [
            _joined(
                *(env.get("GITHUB_SERVER_URL"), "/", env.get("GITHUB_REPOSITORY")),
                *("/actions/runs/", env.get("GITHUB_RUN_ID")),
            )
        ],
    }


def _gitlab(env: Environment) -> dict[str, Values]:
    return {
        "build": [env.get("CI_PIPELINE_IID"), env.get("CI_PIPELINE_ID")],
        "branch": [env.get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"), env.get("CI_COMMIT_REF_NAME")],
        "commit": [env.get("CI_COMMIT_SHA")],
        "ci.url": [env.get("CI_JOB_URL")],
    }


def _buildkite(env: Environment) -> dict[str, Values]:
    return {
        "build": [env.get("BUILDKITE_BUILD_NUMBER")],
        "branch": [env.get("BUILDKITE_BRANCH")],
        "commit": [env.get("BUILDKITE_COMMIT")],
        "ci.url": [env.get("BUILDKITE_BUILD_URL")],
    }


def _circleci(env: Environment) -> dict[str, Values]:
    return {
        "build": [env.get("CIRCLE_BUILD_NUM")],
        "branch": [env.get("CIRCLE_BRANCH")],
        "commit": [env.get("CIRCLE_SHA1")],
        "ci.url": [env.get("CIRCLE_BUILD_URL")],
    }


def _azure(env: Environment) -> dict[str, Values]:
    project = quote(env.get("SYSTEM_TEAMPROJECT", ""), safe="!'()*", errors="replace")
    return {
        "build": [env.get("BUILD_BUILDNUMBER")],
        # BUILD_SOURCEBRANCHNAME is only what follows the last slash.
        "branch": [
            env.get(name, "").removeprefix("refs/heads/")
            for name in ("SYSTEM_PULLREQUEST_SOURCEBRANCH", "BUILD_SOURCEBRANCH")
        ],
        "commit": [env.get("BUILD_SOURCEVERSION")],
        "ci.url": [
            _joined(env.get("SYSTEM_COLLECTIONURI"), project, "/_build/results?buildId=", env.get("BUILD_BUILDID"))
        ],
    }


def _jenkins(env: Environment) -> dict[str, Values]:
    return {
        "build": [env.get("BUILD_NUMBER")],
        "branch": [
            env.get("CHANGE_BRANCH"),
            env.get("BRANCH_NAME"),
            env.get("GIT_BRANCH", "").removeprefix("origin/"),
        ],
        "commit": [env.get("GIT_COMMIT")],
        "ci.url": [env.get("BUILD_URL")],
    }


# Each system, by the variable that only it sets. The TypeScript client has the same table: test/vectors/computed.
_SYSTEMS: dict[str, Callable[[Environment], dict[str, Values]]] = {
    "GITHUB_ACTIONS": _github,
    "GITLAB_CI": _gitlab,
    "BUILDKITE": _buildkite,
    "CIRCLECI": _circleci,
    "TF_BUILD": _azure,
    "JENKINS_URL": _jenkins,
}


def _joined(*parts: str | None) -> str | None:
    return "".join(map(str, parts)) if all(parts) else None
