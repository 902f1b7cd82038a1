/** `tapedeck comment` with a real dashboard, and servers that answer as GitHub and GitLab do. */

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { contextFor } from "../../lib/http/app-context.ts";
import { frameSweep } from "../../lib/test-results/failure-frames.ts";
import { signIn } from "../../test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../test/api-server.ts";
import { inExplore } from "../../test/in-explore.ts";
import { tapedeck } from "../../test/processes/tapedeck-command.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { makeVideo, removeTestFolder } from "../../test/videos/make-video.ts";

let api: TestApi;
let forge: Forge;
let folder: string;
beforeAll(async () => {
	api = await startTestApi();
	forge = await startForge();
});
afterAll(() => Promise.all([api.stop(), forge.close(), removeTestFolder()]));
beforeEach(async () => {
	forge.comments.length = 0;
	forge.uploads.length = 0;
	forge.artifacts.length = 0;
	forge.state.refuses = false;
	folder = await temporaryFolder("comment");
});

interface Comment {
	id: number;
	body: string;
	/** Author of the comment. */
	by: string;
}
type Forge = Awaited<ReturnType<typeof startForge>>;

/** Comments of one request. Its GitHub says to nobody who they are, as it does to the token of a workflow. */
async function startForge() {
	const comments: Comment[] = [];
	const calls: string[] = [];
	const uploads: string[] = [];
	const artifacts: unknown[] = [];
	const state = { refuses: false };
	const asGithub = ({ id, body, by }: Comment): object => ({
		...{ id, body, html_url: `https://github.test/comments/${id}` },
		user: { login: by, type: by.endsWith("[bot]") ? "Bot" : "User" },
	});
	const asGitlab = ({ id, body, by }: Comment): object => ({ id, body, author: { id: by === "tapedeck" ? 7 : 8 } });
	const server = createServer(async (request, response) => {
		const { method = "", url = "", headers } = request;
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk);
		const text = Buffer.concat(chunks).toString("latin1");
		const [path = "", query = ""] = url.split("?");
		calls.push(`${method} ${path}`);
		const answer = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
		const isGithub = path.startsWith("/repos/acme/shop/issues/");
		const isKnown = isGithub ? headers.authorization === "Bearer gh-s3cr3t" : headers["private-token"] === "gl-s3cr3t";
		if (path.startsWith("/twirp/github.actions.results.api.v1.ArtifactService/")) {
			if (!headers.authorization?.endsWith(".s3cr3t")) return answer(401, {});
			if (path.endsWith("/CreateArtifact") && artifacts.length > 0) return answer(409, { code: "already_exists" });
			artifacts.push(JSON.parse(text));
			const blob = `http://${headers.host}/blob?sig=s3cr3t`;
			return answer(200, { ok: true, signed_upload_url: blob, artifact_id: "99" });
		}
		if (path === "/blob") {
			if (headers["x-ms-blob-type"] !== "BlockBlob" || query !== "sig=s3cr3t") return answer(400, {});
			artifacts.push(text.length);
			return response.writeHead(201).end();
		}
		if (path === "/user") return answer(headers.authorization ? 403 : 200, { id: 7 });
		if (!isKnown) return answer(401, {});
		if (method === "GET") {
			const page = Number(new URLSearchParams(query).get("page"));
			return answer(200, comments.slice((page - 1) * 100, page * 100).map(isGithub ? asGithub : asGitlab));
		}
		if (state.refuses) return answer(403, {});
		if (path.endsWith("/uploads")) {
			uploads.push(text);
			return answer(201, { markdown: "![failure](/uploads/5ec/failure.mp4)" });
		}
		const { body } = JSON.parse(Buffer.from(text, "latin1").toString());
		const id = Number(/\/(\d+)$/.exec(path)?.[1]);
		const known = method === "POST" ? undefined : comments.find((one) => one.id === id);
		const comment = known ?? { id: comments.length + 1, body, by: isGithub ? "github-actions[bot]" : "tapedeck" };
		comment.body = body;
		if (known === undefined) comments.push(comment);
		answer(known === undefined ? 201 : 200, (isGithub ? asGithub : asGitlab)(comment));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		...{ comments, calls, uploads, artifacts, state, url: `http://127.0.0.1:${port}` },
		close: () => new Promise((resolve) => server.close(resolve)),
	};
}

const own = () => ({ TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY });
const github = (number: number) => ({
	...{ ...own(), GITHUB_ACTIONS: "true", GITHUB_API_URL: forge.url, GITHUB_TOKEN: "gh-s3cr3t" },
	...{ GITHUB_REPOSITORY: "acme/shop", GITHUB_WORKFLOW: "CI", GITHUB_RUN_NUMBER: String(number) },
	...{ GITHUB_REF: "refs/pull/12/merge", GITHUB_HEAD_REF: "main", GITHUB_SHA: `c0ffee${number}` },
	...{ GITHUB_STEP_SUMMARY: join(folder, "summary.md"), GITHUB_EVENT_PATH: "" },
});
const gitlab = (number: number) => ({
	...{ ...own(), GITLAB_CI: "true", CI_API_V4_URL: forge.url, GITLAB_TOKEN: "gl-s3cr3t", GITHUB_ACTIONS: "" },
	...{ CI_PROJECT_PATH: "acme/lab", CI_PROJECT_ID: "3", CI_PIPELINE_IID: String(number), CI_MERGE_REQUEST_IID: "4" },
	...{ CI_PROJECT_URL: "https://gitlab.test/acme/lab", GITHUB_STEP_SUMMARY: "" },
});
const run = (env: Record<string, string>, ...words: string[]) => tapedeck(["comment", ...words], env);

/** A build of one test run. */
async function addBuild(build: string, ...tests: [test: string, outcome: string, message?: string][]) {
	const name = build.slice(0, build.lastIndexOf(" "));
	const labels = { build, repository: "acme/shop", workflow: name, branch: "main" };
	const { id } = (await api.call("POST", "/v1/test-runs", { body: { name: "Tests", labels } })).body;
	const body = tests.map(([test, outcome, message = null], index) => ({
		...{ key: String(index), test, outcome, message, file: "shop.spec.ts", line: 7 },
	}));
	const { data } = (await api.call("POST", `/v1/test-runs/${id}/tests`, { body })).body;
	await api.call("POST", `/v1/test-runs/${id}/end`, { body: { outcome: "failed" } });
	return data as { id: number; testId: number; cause: string }[];
}

const REASON = "The gateway of payments answered 502 to the order of a red cart";
const HOSTILE = "pays @octocat #1 `x` <!-- --> [a](http://evil.test)";

test("a pull request gets one comment with new causes, gate and counts, which the next build replaces", async () => {
	await addBuild(
		"acme/shop CI #1",
		["stays red", "failed", "Error: no such cart"],
		["turns green", "failed", "Error: x"],
	);
	const [, , failed] = await addBuild(
		"acme/shop CI #2",
		["stays red", "failed", "Error: no such cart"],
		["turns green", "passed"],
		[HOSTILE, "failed", REASON],
		["pays again", "failed", REASON],
	);
	const written = await run(github(2));
	expect(written.status, written.text).toBe(0);
	expect(written.text).toContain("Commented on pull request 12: https://github.test/comments/1");
	const link = `${api.url}/tests/${failed?.testId}?result=${failed?.id}`;
	const [comment] = forge.comments;
	const [marker, ...text] = comment?.body.split("\n") ?? [];
	expect(marker).toMatch(/^<!-- tapedeck comment [0-9a-f]{16} -->$/);
	expect(text.join("\n")).toBe(
		[
			"### `acme/shop CI #2`: 2 new failures",
			`- \`${REASON}\` in \`\` ${HOSTILE} \`\` and 1 more: [result](${link}), no owner`,
			"Gate: shut, nobody lets 2 of 2 causes through.",
			`4 tests: 1 passed, 3 failed, 0 skipped. Fixed: \`turns green\`. [The build in Tapedeck](${api.url}/builds/acme%2Fshop%20CI%20%232)`,
			"",
		]
			.join("\n\n")
			.trimEnd()
			.concat("\n"),
	);
	expect(await readFile(join(folder, "summary.md"), "utf8")).toBe(`${text.join("\n")}\n`);
	expect(written.text).toContain(`::error file=shop.spec.ts,line=7,title=${HOSTILE.replace(":", "%3A")}::${REASON}\n`);

	// A user who writes our marker is not us.
	const forged = { id: 50, body: comment?.body ?? "", by: "mallory" };
	forge.comments.unshift(forged, ...Array.from({ length: 120 }, (_, n) => ({ id: 100 + n, body: "+1", by: "ada" })));
	const owner = await signIn(api);
	const until = new Date(Date.now() + 86_400_000).toISOString();
	const letPass = (cause: string) =>
		owner.call("PUT", "/v1/failure-triage", {
			body: { cause, letsPass: true, mutedUntil: until, reason: "TAP-7", assigneeUserId: owner.userId },
		});
	const again = await addBuild("acme/shop CI #3", ["pays again", "failed", REASON]);
	await letPass(again[0]?.cause ?? "");
	const replaced = await run(github(3));
	expect(replaced.status, replaced.text).toBe(0);
	expect(forge.comments.filter(({ body }) => body.startsWith(marker ?? ""))).toHaveLength(2);
	expect(forged.body).toContain("CI #2");
	expect(comment?.body).toContain("### `acme/shop CI #3`: no new failures\n\nGate: open, 1 known cause let through.\n");
	expect(replaced.text).not.toContain("::error");
});

inExplore(test)("a merge request of GitLab gets its comment by its token, and the same one is replaced", async () => {
	await addBuild("acme/lab #1", ["pays", "failed", "Error: expected 201"]);
	const first = await run(gitlab(1));
	expect(first.status, first.text).toBe(0);
	expect(first.text).toContain("Commented on merge request 4: https://gitlab.test/acme/lab/-/merge_requests/4#note_1");
	expect(forge.comments[0]?.body).toContain("`expected 201` in `pays`: [result](");
	await addBuild("acme/lab #2", ["pays", "passed"]);
	expect((await run(gitlab(2))).status).toBe(0);
	expect(forge.comments).toHaveLength(1);
	expect(forge.comments[0]?.body).toContain("### `acme/lab #2`: no test fails\n\nGate: open, no test fails.\n");
	expect(forge.calls).toContain("PUT /projects/3/merge_requests/4/notes/1");
});

test("a cause whose moment is not exact says about, and no link of it leads to a second", async () => {
	const { id } = (await api.call("POST", "/v1/test-runs", { body: { labels: { build: "about #1" } } })).body;
	const times = { startedAt: "2026-11-01T00:00:00.000Z", endedAt: "2026-11-01T00:00:03.000Z", isApproximate: true };
	const result = { ...times, key: "ships", test: "ships", outcome: "failed", message: "Error: no parcel" };
	const stored = (await api.call("POST", `/v1/test-runs/${id}/tests`, { body: [result] })).body.data[0];
	const raw = await readFile(await makeVideo("plain.mp4"));
	const video = `/v1/recordings?name=Video&testResultId=${stored.id}&startedAt=${times.startedAt}`;
	const recording = (await api.call("POST", video, { raw, headers: { "content-type": "video/mp4" } })).body;
	const { status, text } = await run(gitlab(1), "--build", "about #1", "--dry-run");
	expect(status, text).toBe(0);
	const page = `${api.url}/recordings/${recording.id}?result=${stored.id}`;
	expect(text).toContain(`\`no parcel\` in \`ships\`: [result](${page}), failed at about 0:03, no owner`);
});

test("a cause has links to its clip and frame, and --attach shows the clip in a comment of GitLab", async () => {
	const labels = { build: "filmed #1", repository: "acme/lab" };
	const { id } = (await api.call("POST", "/v1/test-runs", { body: { labels } })).body;
	const times = { startedAt: "2026-11-01T00:00:00.000Z", endedAt: "2026-11-01T00:00:03.000Z" };
	const result = { ...times, key: "pays", test: "pays", outcome: "failed", message: "Error: the film broke" };
	const stored = (await api.call("POST", `/v1/test-runs/${id}/tests`, { body: [result] })).body.data[0];
	const raw = await readFile(await makeVideo("plain.mp4"));
	const video = `/v1/recordings?name=Video&testResultId=${stored.id}&startedAt=${times.startedAt}`;
	const recording = (await api.call("POST", video, { raw, headers: { "content-type": "video/mp4" } })).body;
	const { status, text } = await run(gitlab(1), "--build", "filmed #1", "--attach");
	expect(status, text).toBe(0);
	const page = `${api.url}/recordings/${recording.id}?result=${stored.id}`;
	const links = `[result](${page}), [clip](${api.url}/v1/recordings/${recording.id}/clip?from=0&to=8), no owner`;
	expect(forge.comments[0]?.body).toContain(
		`- \`the film broke\` in \`pays\`: ${links}\n\n  ![failure](/uploads/5ec/failure.mp4)\n\nGate: shut`,
	);
	expect(forge.uploads).toEqual([expect.stringMatching(/filename="failure-\d+\.mp4"[\s\S]*ftyp/)]);

	await frameSweep(new AbortController().signal)(contextFor(api.app, { kind: "system", organizationId: 0 }));
	const onGithub = await run(github(1), "--build", "filmed #1", "--attach");
	expect(onGithub.text).toContain("GitHub takes no files of comments from workflows: --clips makes artifacts of them.");
	expect(forge.comments.at(-1)?.body).toContain(
		`[result](${page}), [frame](${api.url}/v1/tests/${stored.id}/frame), [clip]`,
	);
	expect(forge.uploads).toHaveLength(1);
});

/** A build of one test that failed, with its video. */
async function addFilmed(build: string, message: string): Promise<{ id: number }> {
	const { id } = (await api.call("POST", "/v1/test-runs", { body: { labels: { build } } })).body;
	const times = { startedAt: "2026-11-01T00:00:00.000Z", endedAt: "2026-11-01T00:00:03.000Z" };
	const result = { ...times, key: "pays", test: "pays", outcome: "failed", message };
	const stored = (await api.call("POST", `/v1/test-runs/${id}/tests`, { body: [result] })).body.data[0];
	const raw = await readFile(await makeVideo("plain.mp4"));
	const video = `/v1/recordings?name=Video&testResultId=${stored.id}&startedAt=${times.startedAt}`;
	await api.call("POST", video, { raw, headers: { "content-type": "video/mp4" } });
	return stored;
}

inExplore(test)(
	"--clips writes the clips of new causes, and the comment names them as artifacts of the job of GitLab",
	async () => {
		const { id } = await addFilmed("artifacts #1", "Error: the reel is torn");
		const job = { CI_JOB_URL: "https://gitlab.test/acme/lab/-/jobs/5", CI_PROJECT_DIR: folder };
		const { status, text } = await run(
			{ ...gitlab(1), ...job },
			"--build",
			"artifacts #1",
			"--clips",
			join(folder, "the clips"),
		);
		expect(status, text).toBe(0);
		const bytes = await readFile(join(folder, "the clips", `failure-${id}.mp4`));
		expect(bytes.subarray(4, 8).toString()).toBe("ftyp");
		expect(forge.comments[0]?.body).toContain(
			`, [clip as artifact](https://gitlab.test/acme/lab/-/jobs/5/artifacts/file/the%20clips/failure-${id}.mp4), no owner`,
		);
	},
);

test("--clips uploads each clip as an artifact of its own within an action of GitHub, and names the run's page elsewhere", async () => {
	const { id } = await addFilmed("artifacts #2", "Error: the lamp is dark");
	const page = "https://github.test/acme/shop/actions/runs/7";
	const env = { ...github(1), GITHUB_SERVER_URL: "https://github.test", GITHUB_RUN_ID: "7" };
	const clips = ["--build", "artifacts #2", "--clips", join(folder, "clips")];
	await run(env, ...clips);
	expect(forge.comments[0]?.body).toContain(`[clip as artifact](${page}#artifacts), no owner`);
	const scp = "Actions.Other Actions.Results:run-id:job-id";
	const token = `x.${Buffer.from(JSON.stringify({ scp })).toString("base64url")}.s3cr3t`;
	const action = { ACTIONS_RUNTIME_TOKEN: token, ACTIONS_RESULTS_URL: `${forge.url}/` };
	const { status, text } = await run({ ...env, ...action }, ...clips);
	expect(status, text).toBe(0);
	expect(forge.comments[0]?.body).toContain(`[clip as artifact](${page}/artifacts/99), no owner`);
	const bytes = await readFile(join(folder, "clips", `failure-${id}.mp4`));
	const ids = { workflow_run_backend_id: "run-id", workflow_job_run_backend_id: "job-id", name: `failure-${id}.mp4` };
	expect(forge.artifacts).toEqual([
		{ ...ids, mime_type: "video/mp4", version: 7 },
		bytes.length,
		{ ...ids, size: String(bytes.length), hash: `sha256:${createHash("sha256").update(bytes).digest("hex")}` },
	]);
	// Another job of the run has uploaded it.
	const again = await run({ ...env, ...action }, ...clips);
	expect(again.status, again.text).toBe(0);
	expect(forge.comments[0]?.body).toContain(`[clip as artifact](${page}#artifacts), no owner`);
	const refused = await run({ ...env, ...action, ACTIONS_RESULTS_URL: "http://127.0.0.1:9/" }, ...clips);
	expect([refused.status, refused.text]).toEqual([
		0,
		expect.stringContaining("The clip of pays was not written as an artifact"),
	]);
	expect(refused.text).not.toContain("s3cr3t");
});

inExplore(test)("--dry-run prints the comment of a build and asks nobody", async () => {
	await addBuild("dry #1", ["pays", "failed", "Error: expected 202"]);
	const before = forge.calls.length;
	const { status, text } = await run(github(1), "--build", "dry #1", "--dry-run");
	expect(status, text).toBe(0);
	expect(text).toMatch(/^<!-- tapedeck comment [0-9a-f]{16} -->\n### `dry #1`: 1 new failure\n/);
	expect(forge.calls).toHaveLength(before);
});

test("a run for a branch comments nothing, and one for a target's ref finds its request in the event", async () => {
	await addBuild("events #1", ["pays", "passed"]);
	const branch = { ...github(1), GITHUB_REF: "refs/heads/main" };
	const none = await run(branch, "--build", "events #1");
	expect([none.status, none.text]).toEqual([0, expect.stringContaining("this is no pull request")]);
	const event = join(folder, "event.json");
	await writeFile(event, JSON.stringify({ pull_request: { number: 12 } }));
	expect((await run({ ...branch, GITHUB_EVENT_PATH: event }, "--build", "events #1")).text).toContain(
		"pull request 12",
	);
});

test.each([
	["without a token", { GITHUB_TOKEN: "" }, "set GITHUB_TOKEN"],
	["with a token that may not write", {}, "it answered 403. The token must be allowed"],
	["of a build that nobody knows", { GITHUB_RUN_NUMBER: "999" }, "The build acme/shop CI #999 was not found"],
	["when the site does not answer", { GITHUB_API_URL: "http://127.0.0.1:9" }, "GET http://127.0.0.1:9/repos/acme"],
])("a comment fails %s, and says why without the token", async (_what, env, sentence) => {
	await addBuild("acme/shop CI #77", ["pays", "passed"]);
	forge.state.refuses = true;
	const { status, text } = await run({ ...github(77), ...env });
	expect([status, text]).toEqual([1, expect.stringContaining(sentence)]);
	expect(text).not.toContain("s3cr3t");
});
