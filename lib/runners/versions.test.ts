/** Runners of a different version than the dashboard, over a real socket. */
import { readFile } from "node:fs/promises";
import { VERSION } from "@tapedeck/contract/version.ts";
import { beforeEach, expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

test("runners and dashboards report the package's version to each other", async () => {
	const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
	expect(VERSION).toBe(version);
});

onOneDatabase((api) => {
	let count = 0;
	let sessionId: string;
	let runnerId: number;
	const keys = new Map<number, string>();

	const post = async (path: string, body: object) => {
		const answer = await api().call("POST", `/v1/runner/${path}`, { token: TEST_RUNNER_TOKEN, body });
		if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
		return answer.body;
	};
	const signIn = async (more: object) => {
		count += 1;
		const who = { name: `box-${count}`, version: "9.9.0", instanceId: `instance-${count}`, displays: [] };
		const answer = await post("sign-in", { ...who, ...more });
		sessionId = answer.sessionId;
		runnerId = answer.runnerId;
		return answer;
	};
	const create = async () => {
		const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
		return (await api().call("POST", "/v1/jobs", { body })).body.id as number;
	};
	const read = async (id: number) => (await api().call("GET", `/v1/jobs/${id}`)).body;
	const events = async (id: number) => (await api().call("GET", `/v1/jobs/${id}/events`)).body.data;
	const now = () => new Date().toISOString();
	/** Takes the jobs that wait. */
	const take = async () => {
		const answer = await post("sync", { sessionId, jobs: [], waitSeconds: 0 });
		for (const { id, key } of answer.start) keys.set(id, key);
		return answer;
	};
	const report = (jobId: number, ...reports: object[]) =>
		post("reports", {
			sessionId,
			sentAt: now(),
			jobs: reports.map((each, index) => ({ at: now(), jobId, jobKey: keys.get(jobId), seq: index + 1, ...each })),
		});
	const firstFrame = { type: "recording", width: 160, height: 120 };

	beforeEach(async () => {
		await signIn({});
	});

	test("a newer runner's unknown fields and displays are ignored by every endpoint", async () => {
		const displays = [
			{ id: ":99", width: 160, height: 120, scale: 2 },
			{ id: "wayland-0", kind: "wayland" },
		];
		const answer = await signIn({ displays, capabilities: ["audio"] });
		expect(answer.version).toBe(VERSION);
		const seen = await api().call("GET", `/v1/runners/${runnerId}`);
		expect(seen.body.displays).toEqual([{ id: ":99", width: 160, height: 120 }]);
		const id = await create();
		const listed = [{ id: 987654, key: "the key of no job", cancelSeen: false, mood: "good" }];
		const { start } = await post("sync", { sessionId, jobs: listed, waitSeconds: 0, hints: [] });
		expect(start.map((job: { id: number }) => job.id)).toEqual([id]);
		const sent = { sessionId, sentAt: now(), displays, battery: 0.4 };
		await post("reports", {
			...sent,
			jobs: [{ ...firstFrame, jobId: id, jobKey: start[0].key, seq: 1, at: now(), colours: 24 }],
		});
		expect((await read(id)).status).toBe("recording");
		await post("sign-out", { sessionId, why: "tired" });
	});

	test("a report of an unknown type becomes a note in the history and blocks no other report", async () => {
		const id = await create();
		await take();
		const reports = [firstFrame, { type: "paused", reason: "lunch" }, { type: "stopped", stopReason: "cancelled" }];
		expect((await report(id, ...reports)).jobs.at(-1)).toEqual({ jobId: id, status: "uploading" });
		const note = (await events(id)).find(({ type }: { type: string }) => type === "not_understood");
		expect(note.data).toEqual({ reason: "lunch" });
		for (const words of ['"paused"', `version ${VERSION}`, "version 9.9.0"]) expect(note.message).toContain(words);
	});

	test("a report whose content is unknown here becomes an entry of the history and blocks no other report", async () => {
		const id = await create();
		await take();
		const session = { uuid: "of tomorrow" };
		const marker = { label: "Paid", kind: "purchase" };
		const reports = [
			{ type: "session_started", message: "It began.", session },
			{ type: "command_marker", message: "Marked.", marker },
			{ type: "stopped", stopReason: "cancelled" },
		];
		expect((await report(id, firstFrame, ...reports)).jobs.at(-1)).toEqual({ jobId: id, status: "uploading" });
		expect(await events(id)).toEqual(
			expect.arrayContaining([
				expect.objectContaining({ type: "session_started", message: "It began.", data: { session } }),
				expect.objectContaining({ type: "command_marker", message: "Marked.", data: { marker } }),
			]),
		);
	});

	test("an unknown stop reason still ends the job, as not_supported with both versions in the message", async () => {
		const [stopped, failed] = [await create(), await create()];
		await take();
		const end = { type: "stopped", stopReason: "moon_set", verdict: "upside_down", message: "The moon has set." };
		await report(stopped, firstFrame, end);
		expect(await read(stopped)).toMatchObject({ status: "uploading", stopReason: "not_supported" });
		await report(failed, { type: "failed", code: "no_moon", message: "There is no moon." });
		const { error } = await read(failed);
		expect(error.code).toBe("not_supported");
		for (const words of ["There is no moon.", '"no_moon"', `version ${VERSION}`, "version 9.9.0"])
			expect(error.message).toContain(words);
		const entry = (await events(stopped)).find(({ type }: { type: string }) => type === "stopped");
		expect(entry.message).toContain("The moon has set.");
		expect(entry.message).toContain('"moon_set"');
	});

	test("a note with an event name that is invalid here keeps its message", async () => {
		const id = await create();
		await take();
		await report(id, { type: "note", event: "moon-rise:2", message: "The moon rises.", data: { degrees: 4 } });
		const note = (await events(id)).at(-1);
		expect(note).toMatchObject({ type: "not_understood", message: "The moon rises." });
		expect(note.data).toEqual({ event: "moon-rise:2", data: { degrees: 4 } });
	});

	test("an unparsable report is rejected by its index, and nothing of the request is applied", async () => {
		const id = await create();
		await take();
		const jobs = [
			{ ...firstFrame, jobId: id, jobKey: keys.get(id), seq: 1, at: now() },
			{ type: "stopped", jobId: id, jobKey: keys.get(id), seq: 0, at: now() },
		];
		const body = { sessionId, sentAt: now(), jobs };
		const answer = await api().call("POST", "/v1/runner/reports", { token: TEST_RUNNER_TOKEN, body });
		expect(answer.status).toBe(422);
		expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(["jobs.1.seq", "jobs.1.stopReason"]);
		expect((await read(id)).status).toBe("starting");
	});

	test("a recording that a newer runner started by itself becomes a job, whatever its stop condition", async () => {
		const auto = { sessionId, sentAt: now(), at: now(), displayId: ":99", mood: "good" };
		const config = { durationSeconds: 5, moonlight: true };
		const first = { ...auto, key: `a-${sessionId}`, stopCondition: "duration", stopConditionConfig: config };
		const known = await post("jobs", first);
		expect(known.stopConditionConfig).toEqual({ durationSeconds: 5 });
		const strange = { ...auto, key: `b-${sessionId}`, stopCondition: "moon_set", stopConditionConfig: { at: 1 } };
		const { id } = await post("jobs", strange);
		expect(await read(id)).toMatchObject({ status: "starting", stopCondition: "interrupt" });
		expect((await events(id))[0].message).toContain('Its stop condition is "moon_set"');
	});

	test("every answer says how a runner's version compares with the dashboard's, builds of one version included", async () => {
		const [major = 0, minor = 0] = VERSION.split(".").map(Number);
		const script = await (await fetch(`${api().url}/install.sh`)).text();
		const digest = /^PACKAGE_SHA256='(\w+)'/m.exec(script)?.[1] ?? "";
		const cases = [
			[VERSION, "current"],
			[`${VERSION}+${digest.slice(0, 12)}`, "current"],
			[`${VERSION}+0123456789ab`, "different"],
			["0.0.9", "older"],
			["0.0.9+0123456789ab", "older"],
			[`${major}.${minor + 10}.0`, "newer"],
			[`${major + 1}.0.0`, "newer"],
			["nightly", "different"],
		] as const;
		for (const [version, versionStatus] of cases) {
			await signIn({ version });
			const expected = { version, versionStatus };
			expect((await api().call("GET", `/v1/runners/${runnerId}`)).body).toMatchObject(expected);
			expect((await api().call("GET", "/v1/runners")).body.data.at(-1)).toMatchObject(expected);
		}
	});

	test("an older runner, which reports only what the first version required, records and ends its job", async () => {
		await signIn({ version: "0.0.1" });
		const id = await create();
		const { start } = await take();
		expect(start).toEqual([expect.objectContaining({ id, cancelRequested: false, stopCondition: "interrupt" })]);
		await report(id, firstFrame, { type: "stopped", stopReason: "cancelled" });
		expect(await read(id)).toMatchObject({ status: "uploading", stopReason: "cancelled" });
	});
});
