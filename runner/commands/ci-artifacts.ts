/** Files as artifacts of the CI run: where a comment links to them. On GitHub within an action, they are uploaded one by one. */
import { createHash } from "node:crypto";
import { relative, resolve } from "node:path";
import type { Environment } from "../config/settings.ts";
import { CommandError } from "./command.ts";

const TIMEOUT_MS = 60_000;
const SERVICE = "twirp/github.actions.results.api.v1.ArtifactService";
/** The version of artifacts that can be plain files, which GitHub shows itself. */
const VERSION = 7;

/** @returns the address of a file's artifact. @throws CommandError if it could not be uploaded. */
type ArtifactLink = (file: { name: string; path: string; bytes: Uint8Array<ArrayBuffer> }) => Promise<string>;

/** @returns null if CI is none whose artifacts have known addresses. */
export function artifactsOf(env: Environment): ArtifactLink | null {
	if (env.GITHUB_ACTIONS) return githubArtifacts(env);
	const { GITLAB_CI, CI_JOB_URL, CI_PROJECT_DIR } = env;
	if (!GITLAB_CI || !CI_JOB_URL || !CI_PROJECT_DIR) return null;
	return async ({ path }) => {
		const inProject = relative(CI_PROJECT_DIR, resolve(path));
		return `${CI_JOB_URL}/artifacts/file/${inProject.split("/").map(encodeURIComponent).join("/")}`;
	};
}

function githubArtifacts(env: Environment): ArtifactLink | null {
	const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
	if (!server || !repository || !run) return null;
	const page = `${server}/${repository}/actions/runs/${run}`;
	const { ACTIONS_RUNTIME_TOKEN: token, ACTIONS_RESULTS_URL: service } = env;
	// Only actions have them. In other steps, actions/upload-artifact uploads the folder.
	if (!token || !service) return async () => `${page}#artifacts`;
	return async ({ name, bytes }) => {
		const artifact = { ...backendIds(token), name };
		const call = (method: string, body: object) =>
			request("POST", new URL(`${SERVICE}/${method}`, service).href, JSON.stringify({ ...artifact, ...body }), {
				authorization: `Bearer ${token}`,
				"content-type": "application/json",
			});
		const begun = await call("CreateArtifact", { mime_type: "video/mp4", version: VERSION });
		// Another job of this run has uploaded it.
		if (begun.status === 409) return `${page}#artifacts`;
		await request("PUT", String(begun.body.signed_upload_url), bytes, {
			"content-type": "video/mp4",
			"x-ms-blob-content-type": "video/mp4",
			"x-ms-blob-type": "BlockBlob",
		});
		const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
		const { body } = await call("FinalizeArtifact", { size: String(bytes.length), hash });
		return `${page}/artifacts/${body.artifact_id}`;
	};
}

/** The ids of the run and of the job, which are in the token. @throws CommandError */
function backendIds(token: string) {
	try {
		const { scp } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { scp: string };
		const [, run, job] = /(?:^| )Actions\.Results:([^: ]+):([^: ]+)(?: |$)/.exec(scp) ?? [];
		if (run && job) return { workflow_run_backend_id: run, workflow_job_run_backend_id: job };
	} catch {
		// It is no such token.
	}
	throw new CommandError(
		"refused",
		"ACTIONS_RUNTIME_TOKEN does not name the run. Run the action in a job of GitHub Actions.",
	);
}

/** Its messages go into logs that many can read: they have neither the token nor the signature of an address. */
async function request(
	method: string,
	url: string,
	body: string | Uint8Array<ArrayBuffer>,
	headers: Record<string, string>,
) {
	const { origin, pathname } = new URL(url);
	const what = `${method} ${origin}${pathname}`;
	const signal = AbortSignal.timeout(TIMEOUT_MS);
	const response = await fetch(url, { method, body, headers, redirect: "error", signal }).catch(
		(error: Error & { cause?: { code?: string } }) => {
			throw new CommandError("unreachable", `${what}: ${error.cause?.code ?? error.message}.`);
		},
	);
	const text = await response.text();
	if (!response.ok && response.status !== 409)
		throw new CommandError("refused", `${what}: it answered ${response.status}.`);
	return { status: response.status, body: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown> };
}
