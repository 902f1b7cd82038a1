/** Targets of share links: the page with the chosen parts, or one clip or one frame, and nothing else. */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { sharedTestPageSchema } from "@tapedeck/contract/link.ts";
import { trackLinePageSchema, trackListSchema } from "@tapedeck/contract/track.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#test/api-client.ts";
import { TEST_API_KEY, TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { inExplore } from "#test/in-explore.ts";
import { type ScriptedRunner, scriptRunner } from "#test/runners/scripted-runner.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

let video: Buffer;
beforeAll(async () => {
	video = await readFile(await makeVideo("recorder.mp4", 4));
});
afterAll(removeTestFolder);

const PARTS = [
	...(["video", "poster", "frame?at=1", "clip", "tests", "tracks", "tracks/log"] as const),
	...(["proof", "proof/receipt"] as const),
] as const;
type Part = "" | (typeof PARTS)[number];

onOneDatabase((api) => {
	let runner: ScriptedRunner;
	beforeAll(async () => {
		const dashboard = { url: api().url, api: connect(api().url, TEST_API_KEY), runnerToken: TEST_RUNNER_TOKEN };
		runner = await scriptRunner(dashboard, "runner of links");
	});
	afterAll(() => runner.stop());

	/** A recording of 4 s with a failed test and a log that name it. @returns its id. */
	async function recorded(name: string): Promise<number> {
		const jobId = await runner.record(name);
		expect(await runner.send(jobId, 0, video, video.length)).toBe(204);
		await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
		const { startedAt, recording } = await connect(api().url, TEST_API_KEY).waitFor(jobId, "playable");
		const at = (seconds: number) => new Date(Date.parse(startedAt ?? "") + seconds * 1_000).toISOString();
		const result = {
			...{ key: "1", test: `Cart › ${name}`, suite: "Cart", file: "secret/cart.spec.ts", outcome: "failed" },
			...{ message: `19 is not 20 in ${name}`, stack: "Error at secret/cart.ts:1" },
			...{ startedAt: at(0.5), endedAt: at(2) },
			steps: [{ title: "pay", startedAt: at(1), endedAt: at(2), outcome: "failed", message: "no" }],
		};
		expect((await api().call("POST", `/v1/jobs/${jobId}/tests`, { body: [result] })).status).toBe(201);
		const raw = `${JSON.stringify({ at: at(1), text: `a line of ${name}`, level: "error" })}\n`;
		const headers = { "content-type": "application/x-ndjson" };
		expect((await api().call("POST", `/v1/jobs/${jobId}/tracks/log`, { raw, headers })).status).toBe(200);
		return recording?.id ?? 0;
	}
	const links = (id: number, body: object) =>
		api().call("POST", `/v1/recordings/${id}/links`, { body: { expiresAt: null, ...body } });
	async function share(id: number, body: object = {}): Promise<{ id: number; url: string; path: string }> {
		const { status, body: link } = await links(id, body);
		expect(status, JSON.stringify(link)).toBe(201);
		const token = /\/shared\/([\w-]{32})/.exec(link.url)?.[1];
		return { ...link, path: `/v1/shared/${token}` };
	}
	/** Visits the page of a link without credentials. */
	const visit = (path: string, headers: Record<string, string> = {}) =>
		api().call("GET", path.replace(api().app.baseUrl, ""), { token: null, headers });
	async function opened(path: string): Promise<Part[]> {
		const open: Part[] = [];
		for (const part of ["", ...PARTS] as const) {
			const { status } = await visit(part === "" ? path : `${path}/${part}`, { range: "bytes=0-0" });
			expect([200, 206, 404], `${part}: ${status}`).toContain(status);
			if (status !== 404) open.push(part);
		}
		return open;
	}

	inExplore(test)(
		"a link that includes the proof offers the cut, as video and GIF, with a receipt that names both and the whole",
		async () => {
			const id = await recorded("proven");
			const { path } = await share(id, { include: ["proof"] });
			const sha256 = (bytes: ArrayBuffer) => createHash("sha256").update(Buffer.from(bytes)).digest("hex");
			const whole = sha256(await (await fetch(`${api().url}${path}/video`)).arrayBuffer());
			for (const [query, name, type] of [
				["", "proof.mp4", "video/mp4"],
				["?format=gif", "proof.gif", "image/gif"],
			] as const) {
				const cut = await fetch(`${api().url}${path}/proof${query}`);
				expect([cut.status, cut.headers.get("content-type")]).toEqual([200, type]);
				const { payload } = (await visit(`${path}/proof/receipt${query}`)).body;
				const statement = JSON.parse(Buffer.from(payload, "base64").toString());
				expect(statement.subject).toEqual([
					{ name, digest: { sha256: sha256(await cut.arrayBuffer()) } },
					{ name: "recording", digest: { sha256: whole } },
				]);
				expect(statement.predicate.url).toBe(`${api().app.baseUrl}/recordings/${id}`);
			}
			// The link of the excerpt says which it is.
			expect((await visit(`${path}/proof?maxSeconds=120`)).status).toBe(200);
		},
	);

	test("a link opens what was chosen when it was made, and nothing else of its recording", async () => {
		const id = await recorded("chosen");
		const page: Part[] = ["", "video", "poster", "frame?at=1"];
		const opens = async (body: object) => opened((await share(id, body)).path);
		expect(await opens({})).toEqual(page);
		expect(await opens({ include: [] })).toEqual(page);
		expect(await opens({ at: 1 })).toEqual(page);
		expect(await opens({ include: ["tests"] })).toEqual([...page, "tests"]);
		expect(await opens({ include: ["proof"] })).toEqual([...page, "proof", "proof/receipt"]);
		expect(await opens({ include: ["tracks"] })).toEqual([...page, "tracks", "tracks/log"]);
		expect(await opens({ include: ["steps", "tests", "tracks"] })).toEqual([
			...page,
			...(["tests", "tracks", "tracks/log"] as const),
		]);
		expect(await opens({ opens: "clip", from: 1, to: 2 })).toEqual(["clip"]);
		expect(await opens({ opens: "frame", at: 1 })).toEqual([]);
	});

	test("a shared recording whose failure is a test result alone has the frame of that failure as its picture", async () => {
		const id = await recorded("pictured");
		expect((await api().call("PATCH", `/v1/recordings/${id}`, { body: { outcome: "failed" } })).status).toBe(200);
		const { pictureUrl, failureOffsetSeconds } = (await visit((await share(id)).path)).body;
		expect(failureOffsetSeconds).toBe(2);
		const picture = await visit(pictureUrl);
		expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		// The step that failed ended at 2 s. The video counts its frames: no other moment has this picture.
		const frameAt = async (seconds: number) => (await visit(pictureUrl.replace("of=failure", `at=${seconds}`))).body;
		expect(picture.body === (await frameAt(2))).toBe(true);
		expect(picture.body === (await frameAt(3.5))).toBe(false);
		// So is its poster, in the lists of the dashboard.
		const posterOf = async (recordingId: number) =>
			Buffer.from((await api().call("GET", `/v1/recordings/${recordingId}/poster`)).body);
		const failure = await api().call("GET", `/v1/recordings/${id}/frame?of=failure`);
		expect((await posterOf(id)).equals(Buffer.from(failure.body))).toBe(true);
		expect((await api().call("PATCH", `/v1/recordings/${id}`, { body: { outcome: "passed" } })).status).toBe(200);
		expect((await posterOf(id)).equals(Buffer.from(failure.body))).toBe(false);
	});

	inExplore(test)("a link from before there was a choice opens the page as before", async () => {
		const link = await share(await recorded("old"), { include: ["tests"], at: 1 });
		await api().app.db.updateTable("shareLink").set({ shown: null }).where("id", "=", link.id).execute();
		expect(await opened(link.path)).toEqual(["", "video", "poster", "frame?at=1"]);
		expect((await visit(link.path)).body).toMatchObject({ include: [], at: null, from: null, to: null });
	});

	test("a shared page has the results of its recording alone, with steps if they are included, and no code or history", async () => {
		const id = await recorded("mine");
		await recorded("theirs");
		const whole = await share(id, { include: ["tests", "steps"] });
		const { body } = await visit(`${whole.path}/tests`);
		expect(sharedTestPageSchema.parse(body)).toEqual(body);
		expect(body.data).toMatchObject([
			{
				...{ test: "Cart › mine", outcome: "failed", message: "19 is not 20 in mine", attempt: 1 },
				...{ offsetSeconds: 0.5, failureOffsetSeconds: 2, stepsLeftOut: 0 },
				steps: [{ title: "pay", offsetSeconds: 1, outcome: "failed", message: "no" }],
			},
		]);
		expect(JSON.stringify(body)).not.toMatch(/theirs|secret|testId|jobId|labels/);
		const { body: plain } = await visit(`${(await share(id, { include: ["tests"] })).path}/tests`);
		expect(plain.data).toMatchObject([{ test: "Cart › mine", steps: [], stepsLeftOut: 0 }]);
		expect((await visit(`${whole.path}/tests?cursor=x`)).status).toBe(422);
	});

	test("a shared page has the tracks of its recording alone", async () => {
		const id = await recorded("mine");
		await recorded("theirs");
		const { path } = await share(id, { include: ["tracks"] });
		const { data } = trackListSchema.parse((await visit(`${path}/tracks`)).body);
		expect(data.map(({ name, lines }) => [name, lines])).toEqual([["log", 1]]);
		const read = async (query: string) => trackLinePageSchema.parse((await visit(`${path}/tracks/log?${query}`)).body);
		expect((await read("from=0&to=2")).data.map(({ text }) => text)).toEqual(["a line of mine"]);
		expect((await read("from=2")).data).toEqual([]);
		expect((await visit(`${path}/tracks/other`)).status).toBe(404);
	});

	inExplore(test)("an uploaded video has no tracks to share", async () => {
		const headers = { "content-type": "video/mp4" };
		const { id } = (await api().call("POST", "/v1/recordings?name=x", { raw: video, headers })).body;
		const { path } = await share(id, { include: ["tests", "tracks"] });
		expect((await visit(`${path}/tracks`)).body).toEqual({ data: [] });
		expect((await visit(`${path}/tests`)).body.data).toEqual([]);
		expect((await visit(`${path}/tracks/log`)).status).toBe(404);
	});

	test("a page says at which moment it opens or which stretch it repeats, and stands in chats for that moment", async () => {
		const id = await recorded("moment");
		const page = async (body: object) => (await visit((await share(id, body)).path)).body;
		await api().call("PATCH", `/v1/recordings/${id}`, { body: { outcome: "failed" } });
		const stretch = await page({ from: 1, to: 2.5 });
		expect(stretch).toMatchObject({ at: null, from: 1, to: 2.5, include: [] });
		// The frame of a failure says more than that of a chosen moment.
		expect(stretch.pictureUrl).toMatch(/\/frame\?of=failure&width=1200$/);
		await api().call("PATCH", `/v1/recordings/${id}`, { body: { outcome: "passed" } });
		const moment = await page({ at: 1.5 });
		expect(moment).toMatchObject({ at: 1.5, from: null, to: null });
		expect(moment.pictureUrl).toMatch(/\/frame\?at=1.5&width=1200$/);
		expect((await visit(moment.pictureUrl)).headers.get("content-type")).toBe("image/jpeg");
	});

	test("a link to a clip is that clip, whatever is added to its URL, and a link to a frame that frame", async () => {
		const id = await recorded("excerpts");
		const clip = await share(id, { opens: "clip", from: 1.4, to: 2 });
		expect(new URL(clip.url).pathname).toBe(`${clip.path}/clip`);
		const answer = await visit(clip.url);
		expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "video/mp4"]);
		// The key frame before it is not shown.
		expect(answer.headers.get("tapedeck-clip")).toBe("1.400-2.000");
		expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
		const etag = answer.headers.get("etag") ?? "";
		expect((await visit(clip.url, { "if-none-match": etag })).status).toBe(304);
		const gif = await visit((await share(id, { opens: "clip", from: 1, to: 1.5, format: "gif" })).url);
		expect([gif.status, gif.headers.get("content-type")]).toEqual([200, "image/gif"]);
		for (const query of ["from=0", "from=1&to=2", "format=gif", "size=640", "maxBytes=90000000"]) {
			expect((await visit(`${clip.url}?${query}`)).status, query).toBe(404);
		}
		const frame = await share(id, { opens: "frame", at: 1, width: 80 });
		expect(new URL(frame.url).pathname).toBe(`${frame.path}/frame`);
		const picture = await fetch(`${api().url}${new URL(frame.url).pathname}`);
		expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
		expect((await decodePicture(Buffer.from(await picture.arrayBuffer()))).width).toBe(80);
		for (const query of ["at=2", "at=1&width=80", "of=failure", "width=640"]) {
			expect((await visit(`${frame.url}?${query}`)).status, query).toBe(404);
		}
	});

	test("a clip, a frame, tests and tracks are gone once their link is revoked or expires, or the recording is deleted", async () => {
		const id = await recorded("ending");
		const urlsOf = async () => {
			const page = await share(id, { include: ["tests", "tracks"] });
			const clip = await share(id, { opens: "clip", from: 1, to: 2 });
			const frame = await share(id, { opens: "frame", at: 1 });
			const urls = [clip.url, frame.url, `${page.path}/tests`, `${page.path}/tracks`, `${page.path}/tracks/log`];
			return { ids: [page.id, clip.id, frame.id], urls };
		};
		const statuses = async ({ urls }: { urls: string[] }) => {
			const found: number[] = [];
			for (const url of urls) found.push((await visit(url)).status);
			return [...new Set(found)];
		};
		const [revoked, expired, deleted] = [await urlsOf(), await urlsOf(), await urlsOf()];
		for (const link of revoked.ids) await api().call("DELETE", `/v1/recordings/${id}/links/${link}`);
		await api().app.db.updateTable("shareLink").set({ expiresAt: 1 }).where("id", "in", expired.ids).execute();
		expect([await statuses(revoked), await statuses(expired), await statuses(deleted)]).toEqual([[404], [410], [200]]);
		await api().call("DELETE", `/v1/recordings/${id}`);
		expect(await statuses(deleted)).toEqual([404]);
	});

	test("a link that includes attachments opens those of its recording's tests, as downloads if they could run", async () => {
		const [id, other] = [await recorded("attached"), await recorded("not shared")];
		const attach = async (recordingId: number, name: string, type: string) => {
			const { data } = (await api().call("GET", `/v1/tests?recordingId=${recordingId}`)).body;
			const headers = { "content-type": type };
			const path = `/v1/tests/${data[0].id}/attachments?name=${name}`;
			return (await api().call("POST", path, { raw: `content of ${name}`, headers })).body.id as number;
		};
		const log = await attach(id, "output.txt", "text/plain");
		const page = await attach(id, "page.html", "text/html");
		const foreign = await attach(other, "secret.txt", "text/plain");
		const { path } = await share(id, { include: ["tests", "attachments"] });
		const { body } = await visit(`${path}/tests`);
		expect(sharedTestPageSchema.parse(body)).toEqual(body);
		const url = `${api().app.baseUrl}${path}/attachments`;
		const noSize = { width: null, height: null };
		expect(body.data[0].attachments).toEqual([
			{ id: log, name: "output.txt", contentType: "text/plain", bytes: 21, ...noSize, url: `${url}/${log}` },
			{ id: page, name: "page.html", contentType: "text/html", bytes: 20, ...noSize, url: `${url}/${page}` },
		]);
		const text = await visit(`${path}/attachments/${log}`);
		expect([text.status, text.body]).toEqual([200, "content of output.txt"]);
		expect(text.headers.get("access-control-allow-origin")).toBeNull();
		const { headers } = await visit(`${path}/attachments/${page}`);
		expect(headers.get("content-disposition")).toMatch(/^attachment/);
		expect((await visit(`${path}/attachments/${foreign}`)).status).toBe(404);
		const { path: without } = await share(id, { include: ["tests"] });
		expect((await visit(`${without}/tests`)).body.data[0].attachments).toEqual([]);
		expect((await visit(`${without}/attachments/${log}`)).status).toBe(404);
		const refused = await links(id, { include: ["attachments"] });
		expect([refused.status, refused.body.errors[0].path]).toEqual([422, "include"]);
		await api().call("DELETE", `/v1/recordings/${id}`);
		expect((await visit(`${path}/attachments/${log}`)).status).toBe(404);
	});

	test("a link says what it opens to those who may revoke it, and the audit log to those who read it", async () => {
		const id = await recorded("listed");
		const shown = { opens: "clip", at: null, from: 1, to: 2, include: [], format: "mp4", width: null };
		expect(await share(id, { opens: "clip", from: 1, to: 2 })).toMatchObject(shown);
		const { body } = await api().call("GET", `/v1/recordings/${id}/links`);
		expect(body.data).toMatchObject([shown]);
		const { detail } = await api()
			.app.db.selectFrom("auditEntry")
			.select("detail")
			.where("action", "=", "link.created")
			.where("targetId", "=", id)
			.executeTakeFirstOrThrow();
		expect(JSON.parse(detail ?? "")).toMatchObject({ opens: "clip", include: [] });
	});

	test("a target that cannot be opened is refused at its field when the link is made", async () => {
		const id = await recorded("refused");
		const refusals: [object, string][] = [
			[{ opens: "clip" }, "from"],
			[{ opens: "clip", from: 1 }, "to"],
			[{ opens: "clip", from: 2, to: 1 }, "to"],
			[{ opens: "clip", from: 5, to: 6 }, "from"],
			[{ opens: "clip", from: 1, to: 2, include: ["tests"] }, "include"],
			[{ opens: "frame" }, "at"],
			[{ opens: "frame", at: 1, format: "gif" }, "format"],
			[{ opens: "frame", at: 100 }, "at"],
			[{ opens: "video" }, "opens"],
			[{ at: -1 }, "at"],
			[{ at: 1, from: 1, to: 2 }, "at"],
			[{ to: 2 }, "from"],
			[{ from: 100, to: 200 }, "from"],
			[{ width: 640 }, "width"],
			[{ include: ["steps"] }, "include"],
			[{ include: ["everything"] }, "include.0"],
		];
		for (const [body, path] of refusals) {
			const answer = await links(id, body);
			expect([answer.status, answer.body.errors?.[0]?.path], JSON.stringify(body)).toEqual([422, path]);
		}
	});
});
