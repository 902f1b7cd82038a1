/** What continuous integration says about the build, as labels: build, branch, commit and ci.url. */
import { LABEL_KEY_PATTERN, MAX_LABEL_VALUE } from "#lib/contract/labels.ts";
import { sanitizeName } from "#lib/contract/plain-text.ts";
import type { Environment } from "../config/settings.ts";

type CiLabels = Partial<Record<"build" | "branch" | "commit" | "ci.url", string | undefined>>;

const githubUrl = (env: Environment): string | undefined =>
	env.GITHUB_SERVER_URL && env.GITHUB_REPOSITORY && env.GITHUB_RUN_ID
		? `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`
		: undefined;

const azureUrl = (env: Environment): string | undefined =>
	env.SYSTEM_COLLECTIONURI && env.SYSTEM_TEAMPROJECT && env.BUILD_BUILDID
		? `${env.SYSTEM_COLLECTIONURI}${encodeURIComponent(env.SYSTEM_TEAMPROJECT)}/_build/results?buildId=${env.BUILD_BUILDID}`
		: undefined;

/** Each system, by the variable that only it sets. */
const SYSTEMS: readonly { variable: string; labels(env: Environment): CiLabels }[] = [
	{
		variable: "GITHUB_ACTIONS",
		labels: (env) => ({
			build: env.GITHUB_RUN_NUMBER,
			// Of a pull request, the branch that it is about.
			branch: env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME,
			commit: env.GITHUB_SHA,
			"ci.url": githubUrl(env),
		}),
	},
	{
		variable: "GITLAB_CI",
		labels: (env) => ({
			build: env.CI_PIPELINE_IID ?? env.CI_PIPELINE_ID,
			branch: env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME ?? env.CI_COMMIT_REF_NAME,
			commit: env.CI_COMMIT_SHA,
			"ci.url": env.CI_JOB_URL,
		}),
	},
	{
		variable: "BUILDKITE",
		labels: (env) => ({
			build: env.BUILDKITE_BUILD_NUMBER,
			branch: env.BUILDKITE_BRANCH,
			commit: env.BUILDKITE_COMMIT,
			"ci.url": env.BUILDKITE_BUILD_URL,
		}),
	},
	{
		variable: "CIRCLECI",
		labels: (env) => ({
			build: env.CIRCLE_BUILD_NUM,
			branch: env.CIRCLE_BRANCH,
			commit: env.CIRCLE_SHA1,
			"ci.url": env.CIRCLE_BUILD_URL,
		}),
	},
	{
		variable: "TF_BUILD",
		labels: (env) => ({
			build: env.BUILD_BUILDNUMBER,
			branch: env.BUILD_SOURCEBRANCHNAME,
			commit: env.BUILD_SOURCEVERSION,
			"ci.url": azureUrl(env),
		}),
	},
	{
		variable: "JENKINS_URL",
		labels: (env) => ({
			build: env.BUILD_NUMBER,
			branch: env.CHANGE_BRANCH ?? env.BRANCH_NAME ?? env.GIT_BRANCH?.replace(/^origin\//, ""),
			commit: env.GIT_COMMIT,
			"ci.url": env.BUILD_URL,
		}),
	},
];

/** @returns the labels of the system that this process runs in; none outside of one. */
export function ciLabels(env: Environment): Record<string, string> {
	const system = SYSTEMS.find(({ variable }) => env[variable]);
	if (system === undefined) return {};
	return Object.fromEntries(
		Object.entries(system.labels(env)).flatMap(([key, value]) => {
			const text = sanitizeName(value ?? "", MAX_LABEL_VALUE);
			return text === "" ? [] : [[key, text]];
		}),
	);
}

/** Reads `key=value`. @returns null if it is no label. */
export function labelOf(text: string): [string, string] | null {
	const at = text.indexOf("=");
	const [key, value] = [text.slice(0, at), text.slice(at + 1)];
	return at > 0 && LABEL_KEY_PATTERN.test(key) && value.length <= MAX_LABEL_VALUE ? [key, value] : null;
}
