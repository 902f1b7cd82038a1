import { readFile } from "node:fs/promises";
import { SCOPES, type Scope } from "@tapedeck/contract/permissions.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { invite, join, type Person, signIn } from "#test/api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "#test/api-server.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

/** Opens a stream. @returns its whole text once it has ended. */
async function openStream(headers: Record<string, string>): Promise<{ text: Promise<string> }> {
	const response = await fetch(`${api.url}/v1/events`, { headers });
	expect(response.status).toBe(200);
	return { text: response.text() };
}

const makeKey = async (person: Person, scopes: Scope[]): Promise<{ id: number; headers: Record<string, string> }> => {
	const created = await person.call("POST", "/v1/api-keys", { body: { name: "Listener", scopes } });
	expect(created.status).toBe(201);
	return { id: created.body.id, headers: { authorization: `Bearer ${created.body.secret}` } };
};

/** Opens a stream and reads it as it arrives. */
async function listen(headers: Record<string, string>) {
	const response = await fetch(`${api.url}/v1/events`, { headers });
	expect(response.status).toBe(200);
	const reader = (response.body as ReadableStream<Uint8Array>).getReader();
	const decoder = new TextDecoder();
	let text = "";
	const next = async (): Promise<boolean> => {
		const { done, value } = await reader.read();
		text += decoder.decode(value, { stream: true });
		return !done;
	};
	await next();
	return {
		/** Reads until this text has arrived. */
		async until(words: string) {
			while (!text.includes(words)) if (!(await next())) throw new Error(`the stream ended without ${words}`);
		},
		async untilEnd() {
			while (await next());
		},
		types: () => [...new Set([...text.matchAll(/^event: (.*)$/gm)].map((match) => String(match[1])))].sort(),
		close: () => reader.cancel(),
	};
}

/** Makes a change of every kind; the last one creates a job with this name. */
async function changeEverything(owner: Person, last: string): Promise<void> {
	const { runnerId } = await api.signIn(`runner of ${last}`);
	await api.call("PATCH", `/v1/runners/${runnerId}`, { body: { name: `renamed for ${last}` } });
	const video = await readFile(await makeVideo("recorder.mp4"));
	const headers = { "content-type": "video/mp4" };
	const recording = await api.call("POST", "/v1/recordings?name=Secret", { raw: video, headers });
	expect(recording.status).toBe(201);
	const path = `/v1/recordings/${recording.body.id}`;
	await api.call("POST", `${path}/markers`, { body: { label: "x", offsetSeconds: 0 } });
	await api.call("DELETE", path);
	await invite(owner, "viewer");
	const storage = (await api.call("GET", "/v1/storage")).body;
	api.app.events.publish({ type: "storage", organizationId: 1, storage });
	const job = { displayId: ":99", name: last, stopCondition: "interrupt" };
	const other = (await api.signIn(`other runner of ${last}`)).runnerId;
	expect((await api.call("DELETE", `/v1/runners/${other}`)).status).toBe(204);
	expect((await api.call("POST", "/v1/jobs", { body: { ...job, runnerId } })).status).toBe(201);
}

const JOBS = ["job", "markers"];
const RECORDINGS = ["markers", "recording", "recording_deleted", "storage"];
const RUNNERS = ["runner", "runner_removed"];

test("an event is sent to exactly those who could read the same data with a call of their own", async () => {
	const owner = await signIn(api);
	const viewer = await join(api, owner, "viewer");
	const expected: Record<string, string[]> = {
		viewer: [...JOBS, ...RECORDINGS, ...RUNNERS, "members"],
		"every scope": [...JOBS, ...RECORDINGS, ...RUNNERS],
	};
	const streams: Record<string, Awaited<ReturnType<typeof listen>>> = {
		viewer: await listen({ cookie: viewer.cookie() }),
		"every scope": await listen((await makeKey(owner, [...SCOPES])).headers),
	};
	for (const scope of SCOPES) {
		streams[scope] = await listen((await makeKey(owner, ["jobs:read", scope])).headers);
		expected[scope] =
			scope === "recordings:read" ? [...JOBS, ...RECORDINGS] : scope === "runners:read" ? [...JOBS, ...RUNNERS] : JOBS;
	}
	await changeEverything(owner, "the last job");
	const types: Record<string, string[]> = {};
	for (const [name, stream] of Object.entries(streams)) {
		await stream.until('"name":"the last job"');
		types[name] = stream.types();
		await stream.close();
		expected[name] = [...new Set(expected[name])].sort();
	}
	expect(types).toEqual(expected);
});

test("an event stream ends when its caller loses permissions, and the next one carries fewer events", async () => {
	const owner = await signIn(api);
	const admin = await join(api, owner, "admin");
	const key = await makeKey(admin, [...SCOPES]);
	const [ofKey, ofAdmin] = [await listen(key.headers), await listen({ cookie: admin.cookie() })];
	expect((await owner.call("PATCH", `/v1/members/${admin.userId}`, { body: { role: "member" } })).status).toBe(200);
	await Promise.all([ofKey.untilEnd(), ofAdmin.untilEnd()].map((end) => end.catch(() => undefined)));
	const again = await listen(key.headers);
	// Changes the database directly, as another process would.
	await api.app.db
		.updateTable("apiKey")
		.set({ scopes: JSON.stringify(["jobs:read"]) })
		.where("id", "=", key.id)
		.execute();
	await again.untilEnd().catch(() => undefined);
	const less = await listen(key.headers);
	await changeEverything(owner, "after the scopes");
	await less.until('"name":"after the scopes"');
	expect(less.types()).toEqual(JOBS);
	await less.close();
});

test("an event stream ends soon after its person signs out, and sends nothing that happens later", async () => {
	const cookie = (await signIn(api)).cookie();
	const stream = await openStream({ cookie });
	const out = await api.call("POST", "/api/auth/sign-out", {
		token: null,
		headers: { cookie, origin: api.url },
		body: {},
	});
	expect(out.status).toBe(200);
	expect(await stream.text).not.toContain("event: job");
});

test("an event stream ends soon after its key is revoked", async () => {
	const stream = await openStream({ authorization: `Bearer ${TEST_API_KEY}` });
	await api.app.db.updateTable("apiKey").set({ revokedAt: Date.now() }).execute();
	expect(await stream.text).toContain("retry:");
});
