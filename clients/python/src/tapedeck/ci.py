"""Labels of the build from the variables of CI: build, repository, workflow, branch, commit and ci.url."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote, unquote

Environment = Mapping[str, str]
# The first variable that is set; None and empty if there is none.
Values = list["str | None"]

MAX_VALUE = 255


class BuildValues(NamedTuple):
    """The variables of a CI system that describe a build."""

    # The counter of builds: the repository, and its workflow or pipeline. Several of them reach the same number.
    counter: Values
    number: Values
    # Values as the system names them, refs too.
    branch: Values
    commit: Values
    url: str | None
    # For example ``acme/shop``, or the address of its clone.
    repository: str | None
    # The source of consecutive builds: a workflow, a pipeline or a job. None where the repository is all that does.
    workflow: str | None = None


def ci_labels(env: Environment | None = None) -> dict[str, str]:
    """The labels of the system that runs this process.

    They are ``build``, ``repository``, ``workflow``, ``branch``, ``commit`` and ``ci.url``. The system may be GitHub
    Actions, Gitea, Forgejo, GitLab CI, Jenkins, Buildkite, CircleCI, Azure Pipelines, Bitbucket Pipelines, Travis CI,
    Woodpecker, Drone, AWS CodeBuild, AppVeyor or TeamCity. Labels that it does not set are left out, and so is a branch
    that is a tag or a pull request, and a commit that is a name.

    :param env: default the environment of this process.
    :returns: no labels outside of such a system.
    """
    env = os.environ if env is None else env
    values = next((values(env) for is_own, values in _SYSTEMS if is_own(env)), None)
    if values is None:
        return {}
    labels = {
        "build": _build(values),
        "repository": _repository_name(values.repository),
        "workflow": values.workflow or "",
        "branch": next(filter(None, map(_branch_name, values.branch)), ""),
        "commit": next(filter(None, map(_commit_id, values.commit)), ""),
        "ci.url": values.url or "",
    }
    plain = {key: plain_text(value, MAX_VALUE) for key, value in labels.items()}
    return {key: value for key, value in plain.items() if value}


def plain_text(text: str, longest: int) -> str:
    """The nearest text that the API takes: without control characters, and not longer, as JavaScript counts."""
    plain = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]", " ", text).strip()
    return plain.encode("utf-16-le")[: longest * 2].decode("utf-16-le", errors="ignore").rstrip()


def _build(values: BuildValues) -> str:
    """``acme/shop CI #12``; the number is never cut."""
    count = plain_text(next((value for value in values.number if value and value.strip()), ""), MAX_VALUE)
    name = " ".join(filter(None, (plain_text(value or "", MAX_VALUE) for value in values.counter)))
    if not count or not name:
        return count
    suffix = f" #{count}"
    # Lengths are counted as JavaScript counts them.
    return plain_text(name, max(0, MAX_VALUE - len(suffix.encode("utf-16-le")) // 2)) + suffix


def _repository_name(text: str | None) -> str:
    """``acme/shop``, also of the address of a clone, which may have credentials in it."""
    path = re.sub(r"\A(?:[a-z][a-z0-9+.-]*://[^/]*/|[^/:]*:)", "", (text or "").strip(), flags=re.IGNORECASE)
    return re.sub(r"\A/|/\Z", "", path).removesuffix(".git")


def _branch_name(ref: str | None) -> str:
    """The name of a branch; empty for a tag, a pull request, and a checkout without a branch."""
    name = re.sub(r"\A(?:refs/heads/|(?:refs/)?remotes/[^/]+/|origin/)", "", (ref or "").strip())
    is_none = (
        re.fullmatch(r"HEAD|detached|\(.*\)", name)
        or re.match(r"(?:refs|tags)/", name)
        or re.fullmatch(
            r"(?:pull|pulls|pull-requests|merge-requests|pr)/[0-9]+(?:/(?:head|merge|from))?|[0-9]+/(?:head|merge)",
            name,
        )
    )
    return "" if is_none else name


def _commit_id(text: str | None) -> str:
    """The id of a commit; empty for a name such as HEAD."""
    name = (text or "").strip()
    # C12 is a changeset of Azure's own version control; plain numbers are revisions of others.
    is_id = re.fullmatch(r"(?i:[0-9a-f]{4,64}|C?[0-9]+)", name) and not re.fullmatch(r"0+", name)
    return name if is_id else ""


def _github(env: Environment) -> BuildValues:
    return BuildValues(
        counter=[env.get("GITHUB_REPOSITORY"), env.get("GITHUB_WORKFLOW")],
        number=[env.get("GITHUB_RUN_NUMBER")],
        repository=env.get("GITHUB_REPOSITORY"),
        workflow=env.get("GITHUB_WORKFLOW"),
        # The branch of a pull request.
        branch=[
            env.get("GITHUB_HEAD_REF"),
            "" if env.get("GITHUB_REF_TYPE") == "tag" else env.get("GITHUB_REF_NAME"),
        ],
        commit=[env.get("GITHUB_SHA")],
        url=_github_url(env),
    )


def _github_url(env: Environment) -> str | None:
    """Gitea and Forgejo have the number of the run in the addresses of its page, and GitHub its id."""
    is_gitea = env.get("GITEA_ACTIONS") or env.get("FORGEJO_ACTIONS")
    run = env.get("GITHUB_RUN_NUMBER") if is_gitea else env.get("GITHUB_RUN_ID")
    server = env.get("GITHUB_SERVER_URL", "").rstrip("/")
    return _joined(server, "/", env.get("GITHUB_REPOSITORY"), "/actions/runs/", run)


def _gitlab(env: Environment) -> BuildValues:
    return BuildValues(
        counter=[env.get("CI_PROJECT_PATH"), env.get("CI_PIPELINE_NAME")],
        number=[env.get("CI_PIPELINE_IID"), env.get("CI_PIPELINE_ID")],
        repository=env.get("CI_PROJECT_PATH"),
        workflow=env.get("CI_PIPELINE_NAME"),
        branch=[
            env.get("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME"),
            env.get("CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME"),
            env.get("CI_COMMIT_BRANCH"),
            "" if env.get("CI_COMMIT_TAG") else env.get("CI_COMMIT_REF_NAME"),
        ],
        commit=[env.get("CI_COMMIT_SHA")],
        url=env.get("CI_JOB_URL"),
    )


def _buildkite(env: Environment) -> BuildValues:
    return BuildValues(
        counter=[env.get("BUILDKITE_PIPELINE_SLUG") or env.get("BUILDKITE_PIPELINE_NAME")],
        number=[env.get("BUILDKITE_BUILD_NUMBER")],
        repository=env.get("BUILDKITE_REPO"),
        workflow=env.get("BUILDKITE_PIPELINE_SLUG") or env.get("BUILDKITE_PIPELINE_NAME"),
        branch=["" if env.get("BUILDKITE_TAG") else env.get("BUILDKITE_BRANCH")],
        # HEAD for a build that was not started by a push.
        commit=[env.get("BUILDKITE_COMMIT")],
        url=env.get("BUILDKITE_BUILD_URL"),
    )


def _circleci(env: Environment) -> BuildValues:
    return BuildValues(
        # Jobs are numbered, not workflows.
        counter=[_path(env.get("CIRCLE_PROJECT_USERNAME"), env.get("CIRCLE_PROJECT_REPONAME")), env.get("CIRCLE_JOB")],
        number=[env.get("CIRCLE_BUILD_NUM")],
        repository=_path(env.get("CIRCLE_PROJECT_USERNAME"), env.get("CIRCLE_PROJECT_REPONAME")),
        workflow=env.get("CIRCLE_JOB"),
        # For a pull request from a fork, pull/8.
        branch=["" if env.get("CIRCLE_TAG") else env.get("CIRCLE_BRANCH")],
        commit=[env.get("CIRCLE_SHA1")],
        url=env.get("CIRCLE_BUILD_URL"),
    )


def _azure(env: Environment) -> BuildValues:
    project = quote(env.get("SYSTEM_TEAMPROJECT", ""), safe="!'()*", errors="replace")
    repository = env.get("BUILD_REPOSITORY_NAME", "")
    return BuildValues(
        counter=[env.get("SYSTEM_TEAMPROJECT"), env.get("BUILD_DEFINITIONNAME")],
        number=[env.get("BUILD_BUILDNUMBER")],
        # For repositories that Azure hosts itself, the name within the project.
        repository=_path(env.get("SYSTEM_TEAMPROJECT") if "/" not in repository else None, repository),
        workflow=env.get("BUILD_DEFINITIONNAME"),
        # BUILD_SOURCEBRANCHNAME is only what follows the last slash.
        branch=[env.get("SYSTEM_PULLREQUEST_SOURCEBRANCH"), env.get("BUILD_SOURCEBRANCH")],
        commit=[env.get("BUILD_SOURCEVERSION")],
        url=_joined(env.get("SYSTEM_COLLECTIONURI"), project, "/_build/results?buildId=", env.get("BUILD_BUILDID")),
    )


def _bitbucket(env: Environment) -> BuildValues:
    repository, number = env.get("BITBUCKET_REPO_FULL_NAME"), env.get("BITBUCKET_BUILD_NUMBER")
    return BuildValues(
        counter=[repository],
        number=[number],
        repository=repository,
        branch=[env.get("BITBUCKET_BRANCH")],
        commit=[env.get("BITBUCKET_COMMIT")],
        url=_joined("https://bitbucket.org/", repository, "/pipelines/results/", number),
    )


def _travis(env: Environment) -> BuildValues:
    is_pull_request = (env.get("TRAVIS_PULL_REQUEST") or "false") != "false"
    return BuildValues(
        counter=[env.get("TRAVIS_REPO_SLUG")],
        number=[env.get("TRAVIS_BUILD_NUMBER")],
        repository=env.get("TRAVIS_REPO_SLUG"),
        # TRAVIS_BRANCH is the target of a pull request, and the name of a tag.
        branch=[
            env.get("TRAVIS_PULL_REQUEST_BRANCH"),
            "" if env.get("TRAVIS_TAG") or is_pull_request else env.get("TRAVIS_BRANCH"),
        ],
        commit=[env.get("TRAVIS_PULL_REQUEST_SHA"), env.get("TRAVIS_COMMIT")],
        url=env.get("TRAVIS_BUILD_WEB_URL"),
    )


def _woodpecker(env: Environment) -> BuildValues:
    return BuildValues(
        # The workflows of a pipeline share its number.
        counter=[env.get("CI_REPO")],
        number=[env.get("CI_PIPELINE_NUMBER"), env.get("CI_BUILD_NUMBER")],
        repository=env.get("CI_REPO"),
        branch=[
            env.get("CI_COMMIT_SOURCE_BRANCH"),
            "" if env.get("CI_COMMIT_TAG") else env.get("CI_COMMIT_BRANCH"),
        ],
        commit=[env.get("CI_COMMIT_SHA")],
        url=env.get("CI_PIPELINE_URL") or env.get("CI_BUILD_LINK"),
    )


def _drone(env: Environment) -> BuildValues:
    return BuildValues(
        counter=[env.get("DRONE_REPO")],
        number=[env.get("DRONE_BUILD_NUMBER")],
        repository=env.get("DRONE_REPO"),
        # DRONE_BRANCH is the target of a pull request.
        branch=[] if env.get("DRONE_TAG") else [env.get("DRONE_SOURCE_BRANCH"), env.get("DRONE_BRANCH")],
        commit=[env.get("DRONE_COMMIT_SHA"), env.get("DRONE_COMMIT")],
        url=env.get("DRONE_BUILD_LINK"),
    )


def _codebuild(env: Environment) -> BuildValues:
    project, _, build = env.get("CODEBUILD_BUILD_ID", "").partition(":")
    trigger = env.get("CODEBUILD_WEBHOOK_TRIGGER", "")
    return BuildValues(
        counter=[project],
        number=[env.get("CODEBUILD_BUILD_NUMBER"), build],
        repository=env.get("CODEBUILD_SOURCE_REPO_URL"),
        workflow=project,
        branch=[
            env.get("CODEBUILD_WEBHOOK_HEAD_REF"),
            trigger.removeprefix("branch/") if trigger.startswith("branch/") else "",
        ],
        commit=[env.get("CODEBUILD_RESOLVED_SOURCE_VERSION")],
        url=env.get("CODEBUILD_BUILD_URL"),
    )


def _appveyor(env: Environment) -> BuildValues:
    account, project = env.get("APPVEYOR_ACCOUNT_NAME"), env.get("APPVEYOR_PROJECT_SLUG")
    is_other = env.get("APPVEYOR_PULL_REQUEST_NUMBER") or env.get("APPVEYOR_REPO_TAG") == "true"
    return BuildValues(
        counter=[_path(account, project)],
        number=[env.get("APPVEYOR_BUILD_NUMBER")],
        repository=env.get("APPVEYOR_REPO_NAME"),
        workflow=_path(account, project),
        branch=[
            env.get("APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH"),
            "" if is_other else env.get("APPVEYOR_REPO_BRANCH"),
        ],
        commit=[env.get("APPVEYOR_PULL_REQUEST_HEAD_COMMIT"), env.get("APPVEYOR_REPO_COMMIT")],
        url=_joined(
            *(env.get("APPVEYOR_URL"), "/project/", account, "/", project),
            *("/builds/", env.get("APPVEYOR_BUILD_ID")),
        ),
    )


def _teamcity(env: Environment) -> BuildValues:
    return BuildValues(
        counter=[env.get("TEAMCITY_PROJECT_NAME"), env.get("TEAMCITY_BUILDCONF_NAME")],
        number=[env.get("BUILD_NUMBER")],
        # It sets no variable for the repository either.
        repository=None,
        workflow=_joined(env.get("TEAMCITY_PROJECT_NAME"), " ", env.get("TEAMCITY_BUILDCONF_NAME")),
        # Nor for the branch.
        branch=[],
        commit=[env.get("BUILD_VCS_NUMBER")],
        url=env.get("BUILD_URL"),
    )


def _jenkins(env: Environment) -> BuildValues:
    job = env.get("JOB_NAME", "")
    # BRANCH_NAME is PR-8 for a pull request, and the name of a tag.
    is_other = env.get("CHANGE_ID") or env.get("TAG_NAME")
    branches = [env.get(name) for name in ("BRANCH_NAME", "GIT_LOCAL_BRANCH", "GIT_BRANCH")]
    return BuildValues(
        counter=[_decoded(job)],
        number=[env.get("BUILD_NUMBER")],
        repository=env.get("GIT_URL"),
        # The last part of the name of a multibranch job is its branch.
        workflow=_decoded(re.sub(r"/[^/]*\Z", "", job) if env.get("BRANCH_NAME") else job),
        branch=[env.get("CHANGE_BRANCH"), *([] if is_other else branches)],
        commit=[env.get("GIT_COMMIT")],
        url=env.get("BUILD_URL"),
    )


def _has(variable: str) -> Callable[[Environment], bool]:
    return lambda env: bool(env.get(variable))


# Each system, and the variable that only it sets. The TypeScript client has the same table: test/vectors/computed.
_SYSTEMS: list[tuple[Callable[[Environment], bool], Callable[[Environment], BuildValues]]] = [
    # Gitea and Forgejo set these variables too.
    (_has("GITHUB_ACTIONS"), _github),
    (_has("GITLAB_CI"), _gitlab),
    (_has("BUILDKITE"), _buildkite),
    (_has("CIRCLECI"), _circleci),
    (_has("TF_BUILD"), _azure),
    (_has("BITBUCKET_BUILD_NUMBER"), _bitbucket),
    (_has("TRAVIS"), _travis),
    (lambda env: "woodpecker" in (env.get("CI"), env.get("CI_SYSTEM_NAME")), _woodpecker),
    (_has("DRONE"), _drone),
    (_has("CODEBUILD_BUILD_ID"), _codebuild),
    (_has("APPVEYOR"), _appveyor),
    (_has("TEAMCITY_VERSION"), _teamcity),
    (_has("JENKINS_URL"), _jenkins),
]


def _joined(*parts: str | None) -> str | None:
    return "".join(map(str, parts)) if all(parts) else None


def _path(owner: str | None, name: str | None) -> str | None:
    return f"{owner}/{name}" if owner and name else name


def _decoded(text: str) -> str:
    """A branch in the name of a multibranch job is percent-encoded."""
    if re.search(r"%(?![0-9A-Fa-f]{2})", text):
        return text
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text
