/** Tracks as the client sends and reads them, at a real dashboard. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { Tapedeck } from "./index.ts";

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

async function newJob(): Promise<number> {
	const { runnerId } = await api.signIn();
	const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	return (await api.call("POST", "/v1/jobs", { body })).body.id;
}

test("lines are sent in calls of limited size, and read one after another", async () => {
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const jobId = await newJob();
	const began = new Date();
	function* lines() {
		for (let n = 0; n < 5_000; n += 1) {
			yield { at: new Date(began.getTime() - 5_000 + n), text: `${n} ${"x".repeat(200)}`, level: "info" as const };
		}
		yield { text: "now", level: "error" as const, data: { status: 500 } };
	}
	const track = await client.jobs.addTrack(jobId, "log", lines());
	expect([track.lines, track.refused]).toEqual([5_001, 0]);
	expect((await client.jobs.tracks(jobId)).map(({ name }) => name)).toEqual(["log"]);
	const read: string[] = [];
	for await (const { text } of client.jobs.track(jobId, "log", { limit: 1_000 }))
		read.push(text.split(" ")[0] as string);
	expect(read).toEqual([...Array.from({ length: 5_000 }, (_, n) => `${n}`), "now"]);
	const [error] = (await client.jobs.track(jobId, "log", { level: "error" }).page()).data;
	expect(error).toMatchObject({ text: "now", data: { status: 500 } });
});

test("a call whose answer is lost is repeated, and stores its lines once", async () => {
	const lost = new Set<string>();
	const client = new Tapedeck({
		...{ url: api.url, apiKey: TEST_API_KEY },
		fetch: async (input, init) => {
			const answer = await fetch(input, init);
			const text = String(init?.body ?? "");
			if (init?.method !== "POST" || text === "" || lost.has(text)) return answer;
			lost.add(text);
			throw new TypeError("the connection broke");
		},
	});
	const jobId = await newJob();
	const track = await client.jobs.addTrack(jobId, "log", [{ text: "a" }, { text: "b" }]);
	expect([lost.size, track.lines]).toEqual([1, 2]);
	await client.jobs.addTrack(jobId, "log", [{ text: "c" }]);
	const texts: string[] = [];
	for await (const { text } of client.jobs.track(jobId, "log")) texts.push(text);
	expect(texts).toEqual(["a", "b", "c"]);
});

test("times of a machine with a wrong clock are sent as the dashboard's", async () => {
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY, clockShiftMs: -3_600_000 });
	const jobId = await newJob();
	await client.jobs.addTrack(jobId, "log", [{ at: new Date(), text: "an hour ahead" }]);
	const [line] = (await client.jobs.track(jobId, "log").page()).data;
	expect(Math.abs(Date.parse(line?.at ?? "") - (Date.now() - 3_600_000))).toBeLessThan(60_000);
});
