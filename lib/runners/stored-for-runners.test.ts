/** The dashboard limits the amount of data that it stores for a runner, whatever the runner sends. */
import { expect, test } from "vitest";
import { TEST_RUNNER_TOKEN } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";
import { firstFrame, protocolRunner, stopped } from "#test/runners/protocol-runner.ts";

const note = (event: string, data: object, message = "Noted.") => ({ type: "note", event, message, data });
const started = (session: object) => ({ type: "session_started", message: "It began.", session });
const HUGE = "x".repeat(900_000);
const ODD = "a\u0000b\u001b[31mc\nd\ud800e\u2028f";

onOneDatabase((api) => {
	const runner = protocolRunner(api);
	const get = async (path: string) => {
		const answer = await api().call("GET", path);
		return { ...answer, bytes: JSON.stringify(answer.body).length };
	};
	const recorded = async () => {
		const { id, key } = await runner.startJob();
		await runner.report(id, firstFrame);
		return { id, key, recordingId: await runner.storeRecording(id, "live") };
	};

	test("40 short capabilities of a session are kept, and only the session's own response has them", async () => {
		const { id, recordingId } = await recorded();
		const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key${index}`, "v".repeat(20)]));
		const sessionId = `many ${id}`;
		const capabilities = { long: HUGE.slice(0, 300), [HUGE.slice(0, 200)]: "v", number: 7, odd: ODD, ...many };
		await runner.report(id, started({ sessionId, name: "Named", capabilities, labels: {} }));
		const { body } = await get(`/v1/sessions/${encodeURIComponent(sessionId)}`);
		expect(Object.keys(body.capabilities)).toHaveLength(40);
		expect(body.capabilities).toMatchObject({ key0: "v".repeat(20) });
		expect(body.capabilities.odd).not.toMatch(/\p{Cc}|\p{Cs}/u);
		expect(body.capabilities).not.toHaveProperty("long");
		const { sessions } = (await get(`/v1/recordings/${recordingId}`)).body;
		expect(sessions).toHaveLength(1);
		expect(Object.keys(sessions[0]).sort()).toEqual(["endedAt", "name", "offsetSeconds", "sessionId", "startedAt"]);
		const events = (await get(`/v1/jobs/${id}/events`)).body.data;
		expect(events.at(-1)).toMatchObject({ type: "session_started", data: { sessionId, name: "Named" } });
		expect(Object.keys(events.at(-1).data).sort()).toEqual(["name", "sessionId"]);
	});

	test("a hundred notes of a megabyte make a short list, which has what is small in each", async () => {
		const { id } = await recorded();
		for (let count = 0; count < 97; count++) {
			await runner.report(id, note("grid_silent", { polls: [{ seen: HUGE }], why: "It does not respond.", count }));
		}
		const { body, bytes } = await get(`/v1/jobs/${id}/events?limit=100`);
		expect(body.data).toHaveLength(100);
		expect(bytes).toBeLessThan(200_000);
		expect(body.data.at(-1).data).toEqual({ why: "It does not respond.", count: 96, leftOut: 1 });
	});

	test("the end of a capture counts, with its reason and verdict, however much a runner says of it", async () => {
		const { id } = await recorded();
		const keys = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`verdict${index}`, index]));
		expect(
			await runner.report(id, stopped("selenium_idle", { verdict: "black", data: { ...keys, huge: HUGE } })),
		).toEqual([{ jobId: id, status: "uploading" }]);
		const { body } = await get(`/v1/jobs/${id}/events`);
		expect(body.data.at(-1)).toMatchObject({
			type: "stopped",
			data: { stopReason: "selenium_idle", verdict: "black" },
		});
		expect(JSON.stringify(body.data.at(-1)).length).toBeLessThan(20_000);
	});

	test("data that is nested too deeply to be written is left out, and the report counts", async () => {
		const { id, key } = await recorded();
		const raw = JSON.stringify({
			sessionId: runner.session.sessionId,
			sentAt: new Date().toISOString(),
			clockShiftMs: 0,
			jobs: [
				{ jobId: id, jobKey: key, seq: 50, at: new Date().toISOString(), ...note("deep", { deep: "HERE", small: 1 }) },
			],
		}).replace('"HERE"', "[".repeat(200_000) + "]".repeat(200_000));
		const headers = { "content-type": "application/json", authorization: `Bearer ${TEST_RUNNER_TOKEN}` };
		expect((await api().call("POST", "/v1/runner/reports", { raw, headers })).status).toBe(200);
		const { body } = await get(`/v1/jobs/${id}/events`);
		expect(body.data.at(-1)).toMatchObject({ type: "deep", data: { small: 1, leftOut: 1 } });
	});

	test("names and versions have no control characters, wherever a runner sends them", async () => {
		const { id, recordingId } = await recorded();
		const sessionId = `odd ${id} ${ODD}`;
		await runner.report(id, started({ sessionId, name: ODD, capabilities: {}, labels: {} }));
		const seen = { sessionId: `seen ${id} ${ODD}`, name: ODD, node: ODD, startedAt: new Date().toISOString() };
		const sent = { sentAt: new Date().toISOString(), clockShiftMs: 0, jobs: [] };
		const sessions = [{ ...seen, endedAt: null, reason: "recording_failed" }];
		expect((await runner.call("reports", { ...sent, sessions })).status).toBe(200);
		const version = { name: runner.name, version: `1.0${ODD}`, instanceId: `instance-${runner.name}`, displays: [] };
		expect((await api().call("POST", "/v1/runner/sign-in", { token: TEST_RUNNER_TOKEN, body: version })).status).toBe(
			200,
		);
		const texts = [
			(await get(`/v1/recordings/${recordingId}`)).body.sessions,
			(await get("/v1/coverage")).body.data,
			(await get("/v1/runners?limit=100")).body.data,
			(await get(`/v1/jobs/${id}/events`)).body.data,
		];
		expect(texts.flat().length).toBeGreaterThan(4);
		const strings: string[] = [];
		JSON.stringify(texts, (_, value) => (typeof value === "string" ? void strings.push(value) : value));
		expect(strings.filter((text) => /[\p{Cc}\p{Cs}\u2028]/u.test(text))).toEqual([]);
	});
});
