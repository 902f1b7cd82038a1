/** Labels that describe the build, from the variables of continuous integration: build, repository, workflow, branch, commit and ci.url. */

import { type Environment, ownEnvironment } from "./environment.ts";

/** Candidates for a value: the first one that is set counts. An unset one is undefined or empty. */
type Values = (string | undefined)[];
interface BuildValues {
	/**
	 * The scope of the build number: the repository, and its workflow or pipeline. Builds in different scopes can have the
	 * same number.
	 */
	counter: Values;
	number: Values;
	/** For example `acme/shop`, or the address of its clone. */
	repository: string | undefined;
	/** The workflow, pipeline or job that runs the builds. Omitted where a repository has only one. */
	workflow?: string | undefined;
	/** The branch as the system names it, which may be a ref. */
	branch: Values;
	commit: Values;
	url: string | undefined;
}

const MAX_VALUE = 255;

/** Each system, and the variable that only it sets. The Python client has the same table: test/vectors/computed. */
const SYSTEMS: readonly { isOwn(env: Environment): boolean; values(env: Environment): BuildValues }[] = [
	{
		// Gitea and Forgejo set these variables too.
		isOwn: (env) => Boolean(env.GITHUB_ACTIONS),
		values: (env) => ({
			counter: [env.GITHUB_REPOSITORY, env.GITHUB_WORKFLOW],
			number: [env.GITHUB_RUN_NUMBER],
			repository: env.GITHUB_REPOSITORY,
			workflow: env.GITHUB_WORKFLOW,
			// For a pull request, the branch with the changes.
			branch: [env.GITHUB_HEAD_REF, env.GITHUB_REF_TYPE === "tag" ? "" : env.GITHUB_REF_NAME],
			commit: [env.GITHUB_SHA],
			url: githubUrl(env),
		}),
	},
	{
		isOwn: (env) => Boolean(env.GITLAB_CI),
		values: (env) => ({
			counter: [env.CI_PROJECT_PATH, env.CI_PIPELINE_NAME],
			number: [env.CI_PIPELINE_IID, env.CI_PIPELINE_ID],
			repository: env.CI_PROJECT_PATH,
			workflow: env.CI_PIPELINE_NAME,
			branch: [
				...[env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME, env.CI_EXTERNAL_PULL_REQUEST_SOURCE_BRANCH_NAME],
				...[env.CI_COMMIT_BRANCH, env.CI_COMMIT_TAG ? "" : env.CI_COMMIT_REF_NAME],
			],
			commit: [env.CI_COMMIT_SHA],
			url: env.CI_JOB_URL,
		}),
	},
	{
		isOwn: (env) => Boolean(env.BUILDKITE),
		values: (env) => ({
			counter: [env.BUILDKITE_PIPELINE_SLUG || env.BUILDKITE_PIPELINE_NAME],
			number: [env.BUILDKITE_BUILD_NUMBER],
			repository: env.BUILDKITE_REPO,
			workflow: env.BUILDKITE_PIPELINE_SLUG || env.BUILDKITE_PIPELINE_NAME,
			branch: [env.BUILDKITE_TAG ? "" : env.BUILDKITE_BRANCH],
			// HEAD for a build that was not started by a push.
			commit: [env.BUILDKITE_COMMIT],
			url: env.BUILDKITE_BUILD_URL,
		}),
	},
	{
		isOwn: (env) => Boolean(env.CIRCLECI),
		values: (env) => ({
			// Jobs are numbered, not workflows.
			counter: [path(env.CIRCLE_PROJECT_USERNAME, env.CIRCLE_PROJECT_REPONAME), env.CIRCLE_JOB],
			number: [env.CIRCLE_BUILD_NUM],
			repository: path(env.CIRCLE_PROJECT_USERNAME, env.CIRCLE_PROJECT_REPONAME),
			workflow: env.CIRCLE_JOB,
			// For a pull request from a fork, this is pull/8.
			branch: [env.CIRCLE_TAG ? "" : env.CIRCLE_BRANCH],
			commit: [env.CIRCLE_SHA1],
			url: env.CIRCLE_BUILD_URL,
		}),
	},
	{
		isOwn: (env) => Boolean(env.TF_BUILD),
		values: (env) => ({
			counter: [env.SYSTEM_TEAMPROJECT, env.BUILD_DEFINITIONNAME],
			number: [env.BUILD_BUILDNUMBER],
			// The name within the project, for repositories that the system hosts itself.
			repository: env.BUILD_REPOSITORY_NAME?.includes("/")
				? env.BUILD_REPOSITORY_NAME
				: env.BUILD_REPOSITORY_NAME && path(env.SYSTEM_TEAMPROJECT, env.BUILD_REPOSITORY_NAME),
			workflow: env.BUILD_DEFINITIONNAME,
			// BUILD_SOURCEBRANCHNAME has only the part after the last slash.
			branch: [env.SYSTEM_PULLREQUEST_SOURCEBRANCH, env.BUILD_SOURCEBRANCH],
			commit: [env.BUILD_SOURCEVERSION],
			url: azureUrl(env),
		}),
	},
	{
		isOwn: (env) => Boolean(env.BITBUCKET_BUILD_NUMBER),
		values: (env) => ({
			counter: [env.BITBUCKET_REPO_FULL_NAME],
			number: [env.BITBUCKET_BUILD_NUMBER],
			repository: env.BITBUCKET_REPO_FULL_NAME,
			branch: [env.BITBUCKET_BRANCH],
			commit: [env.BITBUCKET_COMMIT],
			url: joined([
				...["https://bitbucket.org/", env.BITBUCKET_REPO_FULL_NAME],
				...["/pipelines/results/", env.BITBUCKET_BUILD_NUMBER],
			]),
		}),
	},
	{
		isOwn: (env) => Boolean(env.TRAVIS),
		values: (env) => ({
			counter: [env.TRAVIS_REPO_SLUG],
			number: [env.TRAVIS_BUILD_NUMBER],
			repository: env.TRAVIS_REPO_SLUG,
			// TRAVIS_BRANCH is the target of a pull request, and the name of a tag.
			branch: [
				env.TRAVIS_PULL_REQUEST_BRANCH,
				env.TRAVIS_TAG || (env.TRAVIS_PULL_REQUEST || "false") !== "false" ? "" : env.TRAVIS_BRANCH,
			],
			commit: [env.TRAVIS_PULL_REQUEST_SHA, env.TRAVIS_COMMIT],
			url: env.TRAVIS_BUILD_WEB_URL,
		}),
	},
	{
		isOwn: (env) => env.CI === "woodpecker" || env.CI_SYSTEM_NAME === "woodpecker",
		values: (env) => ({
			// The workflows of a pipeline share its number.
			counter: [env.CI_REPO],
			number: [env.CI_PIPELINE_NUMBER, env.CI_BUILD_NUMBER],
			repository: env.CI_REPO,
			branch: [env.CI_COMMIT_SOURCE_BRANCH, env.CI_COMMIT_TAG ? "" : env.CI_COMMIT_BRANCH],
			commit: [env.CI_COMMIT_SHA],
			url: env.CI_PIPELINE_URL || env.CI_BUILD_LINK,
		}),
	},
	{
		isOwn: (env) => Boolean(env.DRONE),
		values: (env) => ({
			counter: [env.DRONE_REPO],
			number: [env.DRONE_BUILD_NUMBER],
			repository: env.DRONE_REPO,
			// DRONE_BRANCH is the target of a pull request.
			branch: [env.DRONE_TAG ? "" : env.DRONE_SOURCE_BRANCH, env.DRONE_TAG ? "" : env.DRONE_BRANCH],
			commit: [env.DRONE_COMMIT_SHA, env.DRONE_COMMIT],
			url: env.DRONE_BUILD_LINK,
		}),
	},
	{
		isOwn: (env) => Boolean(env.CODEBUILD_BUILD_ID),
		values: (env) => ({
			counter: [env.CODEBUILD_BUILD_ID?.split(":")[0]],
			number: [env.CODEBUILD_BUILD_NUMBER, env.CODEBUILD_BUILD_ID?.split(":")[1]],
			repository: env.CODEBUILD_SOURCE_REPO_URL,
			workflow: env.CODEBUILD_BUILD_ID?.split(":")[0],
			branch: [env.CODEBUILD_WEBHOOK_HEAD_REF, /^branch\/(.+)$/s.exec(env.CODEBUILD_WEBHOOK_TRIGGER ?? "")?.[1]],
			commit: [env.CODEBUILD_RESOLVED_SOURCE_VERSION],
			url: env.CODEBUILD_BUILD_URL,
		}),
	},
	{
		isOwn: (env) => Boolean(env.APPVEYOR),
		values: (env) => ({
			counter: [path(env.APPVEYOR_ACCOUNT_NAME, env.APPVEYOR_PROJECT_SLUG)],
			number: [env.APPVEYOR_BUILD_NUMBER],
			repository: env.APPVEYOR_REPO_NAME,
			workflow: path(env.APPVEYOR_ACCOUNT_NAME, env.APPVEYOR_PROJECT_SLUG),
			branch: [
				env.APPVEYOR_PULL_REQUEST_HEAD_REPO_BRANCH,
				env.APPVEYOR_PULL_REQUEST_NUMBER || env.APPVEYOR_REPO_TAG === "true" ? "" : env.APPVEYOR_REPO_BRANCH,
			],
			commit: [env.APPVEYOR_PULL_REQUEST_HEAD_COMMIT, env.APPVEYOR_REPO_COMMIT],
			url: joined([
				...[env.APPVEYOR_URL, "/project/", env.APPVEYOR_ACCOUNT_NAME, "/", env.APPVEYOR_PROJECT_SLUG],
				...["/builds/", env.APPVEYOR_BUILD_ID],
			]),
		}),
	},
	{
		isOwn: (env) => Boolean(env.TEAMCITY_VERSION),
		values: (env) => ({
			counter: [env.TEAMCITY_PROJECT_NAME, env.TEAMCITY_BUILDCONF_NAME],
			number: [env.BUILD_NUMBER],
			// It sets no variable for the repository either.
			repository: undefined,
			workflow: joined([env.TEAMCITY_PROJECT_NAME, " ", env.TEAMCITY_BUILDCONF_NAME]),
			// Nor for the branch.
			branch: [],
			commit: [env.BUILD_VCS_NUMBER],
			url: env.BUILD_URL,
		}),
	},
	{
		isOwn: (env) => Boolean(env.JENKINS_URL),
		values: (env) => ({
			counter: [decoded(env.JOB_NAME)],
			number: [env.BUILD_NUMBER],
			repository: env.GIT_URL,
			// The last part of the name of a multibranch job is its branch.
			workflow: decoded(env.BRANCH_NAME ? env.JOB_NAME?.replace(/\/[^/]*$/, "") : env.JOB_NAME),
			// BRANCH_NAME is PR-8 for a pull request, and the name of a tag.
			branch: [
				env.CHANGE_BRANCH,
				...(env.CHANGE_ID || env.TAG_NAME ? [] : [env.BRANCH_NAME, env.GIT_LOCAL_BRANCH, env.GIT_BRANCH]),
			],
			commit: [env.GIT_COMMIT],
			url: env.BUILD_URL,
		}),
	},
];

/**
 * The labels `build`, `repository`, `workflow`, `branch`, `commit` and `ci.url` of the system that runs this process:
 * GitHub Actions, Gitea, Forgejo, GitLab CI, Jenkins, Buildkite, CircleCI, Azure Pipelines, Bitbucket Pipelines, Travis
 * CI, Woodpecker, Drone, AWS CodeBuild, AppVeyor or TeamCity. Labels that the system does not set are left out, and so
 * is a branch that is a tag or a pull request, and a commit that is a name.
 * @param env default: the environment of this process.
 * @returns no labels outside of such a system.
 */
export function ciLabels(env: Environment = ownEnvironment()): Record<string, string> {
	const values = SYSTEMS.find(({ isOwn }) => isOwn(env))?.values(env);
	if (values === undefined) return {};
	const labels = {
		build: buildOf(values),
		repository: repositoryName(values.repository),
		workflow: values.workflow,
		branch: values.branch.map(branchName).find(Boolean),
		commit: values.commit.map(commitId).find(Boolean),
		"ci.url": values.url,
	};
	return Object.fromEntries(
		Object.entries(labels).flatMap(([key, value]) => {
			const text = labelValue(value ?? "");
			return text === "" ? [] : [[key, text]];
		}),
	);
}

/** `acme/shop CI #12`; the number is never cut. */
function buildOf({ counter, number }: BuildValues): string {
	const count = labelValue(number.find((value) => value?.trim()) ?? "");
	const name = counter
		.map((value) => labelValue(value ?? ""))
		.filter(Boolean)
		.join(" ");
	if (count === "" || name === "") return count;
	const suffix = ` #${count}`;
	return labelValue(name, Math.max(0, MAX_VALUE - suffix.length)) + suffix;
}

/** `acme/shop`, also of the address of a clone, which may have credentials in it. */
function repositoryName(text = ""): string {
	const path = text.trim().replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*\/|^[^/:]*:/i, "");
	return path.replace(/^\/|\/$/g, "").replace(/\.git$/, "");
}

/** The name of a branch; empty for a tag, a pull request, and a checkout without a branch. */
function branchName(ref: string | undefined): string {
	const name = (ref ?? "").trim().replace(/^refs\/heads\/|^(?:refs\/)?remotes\/[^/]+\/|^origin\//, "");
	const isNone =
		/^(?:HEAD|detached|\(.*\))$/.test(name) ||
		/^(?:refs|tags)\//.test(name) ||
		/^(?:pull|pulls|pull-requests|merge-requests|pr)\/\d+(?:\/(?:head|merge|from))?$/.test(name) ||
		/^\d+\/(?:head|merge)$/.test(name);
	return isNone ? "" : name;
}

/** The id of a commit; empty for a name such as HEAD. */
function commitId(text: string | undefined): string {
	const id = (text ?? "").trim();
	// C12 is a changeset of Azure's own version control; plain numbers are revisions of others.
	return /^(?:[0-9a-f]{4,64}|C?\d+)$/i.test(id) && !/^0+$/.test(id) ? id : "";
}

/** The nearest value that the API accepts. */
function labelValue(text: string, longest = MAX_VALUE): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
	const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu, " ").trim();
	// The cut may split a surrogate pair.
	return plain
		.slice(0, longest)
		.replace(/[\ud800-\udfff]$/u, "")
		.trimEnd();
}

const joined = (parts: Values): string | undefined => (parts.every(Boolean) ? parts.join("") : undefined);

const azureUrl = (env: Environment): string | undefined =>
	joined([
		...[env.SYSTEM_COLLECTIONURI, encodeURIComponent(env.SYSTEM_TEAMPROJECT ?? "")],
		...["/_build/results?buildId=", env.BUILD_BUILDID],
	]);

const path = (owner: string | undefined, name: string | undefined): string | undefined =>
	owner && name ? `${owner}/${name}` : name;

/** Gitea and Forgejo have the number of the run in the addresses of its page, and GitHub its id. */
function githubUrl(env: Environment): string | undefined {
	const isGitea = env.GITEA_ACTIONS || env.FORGEJO_ACTIONS;
	const run = isGitea ? env.GITHUB_RUN_NUMBER : env.GITHUB_RUN_ID;
	return joined([env.GITHUB_SERVER_URL?.replace(/\/+$/, ""), "/", env.GITHUB_REPOSITORY, "/actions/runs/", run]);
}

/** A branch in the name of a multibranch job is percent-encoded. */
function decoded(text: string | undefined): string | undefined {
	try {
		return text === undefined ? undefined : decodeURIComponent(text);
	} catch {
		return text;
	}
}
