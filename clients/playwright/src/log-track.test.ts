/** Output of tests, as a dashboard receives it. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { SecretMask, Tapedeck } from "../../typescript/src/index.ts";
import { LogTrack } from "./log-track.ts";
import { Track } from "./track.ts";

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
const linesOf = async (jobId: number): Promise<[string, string][]> =>
	(await api.call("GET", `/v1/jobs/${jobId}/tracks/log.playwright?limit=1000`)).body.data.map(
		({ level, text }: Record<string, string>) => [level, text],
	);

const logOf = (client: Tapedeck, jobId: number): Track =>
	new Track(client, jobId, "log.playwright", new AbortController().signal);

test("lines are put together from what arrives, by stream, and secrets are masked", async () => {
	vi.stubEnv("SHOP_TOKEN", "tok-0123456789");
	const jobId = await newJob();
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const track = logOf(client, jobId);
	const log = new LogTrack(track, new SecretMask(process.env));
	vi.unstubAllEnvs();
	for (const chunk of ["the token is tok-01", "23456789\nsecond\nno", Buffer.from(" end")]) log.add(chunk, "info");
	log.add("wrong\n", "error");
	log.end();
	expect(await track.finish()).toBe(0);
	expect(await linesOf(jobId)).toEqual([
		["info", "the token is ***"],
		["info", "second"],
		["error", "wrong"],
		["info", "no end"],
	]);
});

test("lines whose answer is lost are sent again, and stored once", async () => {
	const jobId = await newJob();
	let calls = 0;
	const client = new Tapedeck({
		...{ url: api.url, apiKey: TEST_API_KEY, retries: 0 },
		fetch: async (input, init) => {
			const answer = await fetch(input, init);
			if (init?.method === "POST" && String(init.body ?? "") !== "") calls += 1;
			if (calls === 1) {
				calls += 1;
				throw new TypeError("the connection broke");
			}
			return answer;
		},
	});
	const track = logOf(client, jobId);
	for (const text of ["one", "two"]) track.add({ at: new Date(), text, level: "info" });
	expect(await track.finish()).toBe(0);
	expect(await linesOf(jobId)).toEqual([
		["info", "one"],
		["info", "two"],
	]);
});

test("a job that is gone fails nothing, and the lines are counted", async () => {
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const track = logOf(client, 999_999);
	for (const text of ["one", "two"]) track.add({ at: new Date(), text });
	expect(await track.finish()).toBe(2);
	track.add({ at: new Date(), text: "three" });
	expect(await track.finish()).toBe(3);
});
