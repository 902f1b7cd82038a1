/** What tests print, as a dashboard receives it. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { SecretMask, Tapedeck } from "../../typescript/src/index.ts";
import { LogTrack } from "./log-track.ts";

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

test("lines are put together from what arrives, by stream, and secrets are masked", async () => {
	vi.stubEnv("SHOP_TOKEN", "tok-0123456789");
	const jobId = await newJob();
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const track = new LogTrack(client, jobId, new SecretMask(process.env), new AbortController().signal);
	vi.unstubAllEnvs();
	for (const chunk of ["the token is tok-01", "23456789\nsecond\nno", Buffer.from(" end")]) track.add(chunk, "info");
	track.add("wrong\n", "error");
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
	const track = new LogTrack(client, jobId, new SecretMask(process.env), new AbortController().signal);
	track.add("one\ntwo\n", "info");
	expect(await track.finish()).toBe(0);
	expect(await linesOf(jobId)).toEqual([
		["info", "one"],
		["info", "two"],
	]);
});

test("a job that is gone fails nothing, and the lines are counted", async () => {
	const client = new Tapedeck({ url: api.url, apiKey: TEST_API_KEY });
	const track = new LogTrack(client, 999_999, new SecretMask({}), new AbortController().signal);
	track.add("one\ntwo\n", "info");
	expect(await track.finish()).toBe(2);
	track.add("three\n", "info");
	expect(await track.finish()).toBe(3);
});
