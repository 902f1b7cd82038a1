/** What continuous integration says about the build, as labels: build, branch, commit and ci.url. */

type Environment = Readonly<Record<string, string | undefined>>;
/** Whatever is set first; undefined and empty when nothing is. */
type Values = (string | undefined)[];
type LabelValues = Record<"build" | "branch" | "commit" | "ci.url", Values>;

const MAX_VALUE = 255;

/** Each system, by the variable that only it sets. The Python client has the same table: test/vectors/computed. */
const SYSTEMS: readonly { variable: string; labels(env: Environment): LabelValues }[] = [
	{
		variable: "GITHUB_ACTIONS",
		labels: (env) => ({
			build: [env.GITHUB_RUN_NUMBER],
			// Of a pull request, the branch that it is about.
			branch: [env.GITHUB_HEAD_REF, env.GITHUB_REF_NAME],
			commit: [env.GITHUB_SHA],
			"ci.url": [joined([env.GITHUB_SERVER_URL, "/", env.GITHUB_REPOSITORY, "/actions/runs/", env.GITHUB_RUN_ID])],
		}),
	},
	{
		variable: "GITLAB_CI",
		labels: (env) => ({
			build: [env.CI_PIPELINE_IID, env.CI_PIPELINE_ID],
			branch: [env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME, env.CI_COMMIT_REF_NAME],
			commit: [env.CI_COMMIT_SHA],
			"ci.url": [env.CI_JOB_URL],
		}),
	},
	{
		variable: "BUILDKITE",
		labels: (env) => ({
			build: [env.BUILDKITE_BUILD_NUMBER],
			branch: [env.BUILDKITE_BRANCH],
			commit: [env.BUILDKITE_COMMIT],
			"ci.url": [env.BUILDKITE_BUILD_URL],
		}),
	},
	{
		variable: "CIRCLECI",
		labels: (env) => ({
			build: [env.CIRCLE_BUILD_NUM],
			branch: [env.CIRCLE_BRANCH],
			commit: [env.CIRCLE_SHA1],
			"ci.url": [env.CIRCLE_BUILD_URL],
		}),
	},
	{
		variable: "TF_BUILD",
		labels: (env) => ({
			build: [env.BUILD_BUILDNUMBER],
			// BUILD_SOURCEBRANCHNAME is only what follows the last slash.
			branch: [withoutPrefix(env.SYSTEM_PULLREQUEST_SOURCEBRANCH), withoutPrefix(env.BUILD_SOURCEBRANCH)],
			commit: [env.BUILD_SOURCEVERSION],
			"ci.url": [azureUrl(env)],
		}),
	},
	{
		variable: "JENKINS_URL",
		labels: (env) => ({
			build: [env.BUILD_NUMBER],
			branch: [env.CHANGE_BRANCH, env.BRANCH_NAME, env.GIT_BRANCH?.replace(/^origin\//, "")],
			commit: [env.GIT_COMMIT],
			"ci.url": [env.BUILD_URL],
		}),
	},
];

/**
 * The labels `build`, `branch`, `commit` and `ci.url` of the system that runs this process: GitHub Actions, GitLab CI,
 * Jenkins, Buildkite, CircleCI or Azure Pipelines. Labels that it does not set are left out.
 * @param env default the environment of this process.
 * @returns no labels outside of such a system.
 */
export function ciLabels(env: Environment = ownEnvironment()): Record<string, string> {
	const system = SYSTEMS.find(({ variable }) => env[variable]);
	if (system === undefined) return {};
	return Object.fromEntries(
		Object.entries(system.labels(env)).flatMap(([key, values]) => {
			const text = labelValue(values.find(Boolean) ?? "");
			return text === "" ? [] : [[key, text]];
		}),
	);
}

/** The nearest value that the API accepts. */
function labelValue(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
	const plain = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/gu, " ").trim();
	// The cut may split a surrogate pair.
	return plain
		.slice(0, MAX_VALUE)
		.replace(/[\ud800-\udfff]$/u, "")
		.trimEnd();
}

const joined = (parts: Values): string | undefined => (parts.every(Boolean) ? parts.join("") : undefined);

const azureUrl = (env: Environment): string | undefined =>
	joined([
		...[env.SYSTEM_COLLECTIONURI, encodeURIComponent(env.SYSTEM_TEAMPROJECT ?? "")],
		...["/_build/results?buildId=", env.BUILD_BUILDID],
	]);

const withoutPrefix = (ref: string | undefined): string | undefined => ref?.replace(/^refs\/heads\//, "");

/** Of this process; browsers have none. */
const ownEnvironment = (): Environment => (globalThis as { process?: { env?: Environment } }).process?.env ?? {};
