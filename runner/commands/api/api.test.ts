/** The commands that call the API, against a real dashboard. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startTestApi, TEST_API_KEY, type TestApi } from "../../../test/api-server.ts";
import { startCommand, tapedeck } from "../../../test/processes/tapedeck-command.ts";
import { startTcpProxy } from "../../../test/servers/tcp-proxy.ts";
import { until } from "../../../test/wait.ts";

let api: TestApi;
const jobs: Job[] = [];
beforeAll(async () => {
	api = await startTestApi();
	const { runnerId } = await api.signIn();
	for (const name of ["checkout", "search", "checkout again"]) {
		const body = {
			runnerId,
			displayId: ":99",
			name,
			stopCondition: "interrupt",
			labels: { suite: name.split(" ")[0] },
		};
		jobs.push((await api.call("POST", "/v1/jobs", { body })).body);
	}
});
afterAll(() => api.stop());

const cli = (words: string[], env: Record<string, string> = {}) =>
	tapedeck(words, { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY, ...env });
const [first, second, third] = [0, 1, 2].map((index) => () => jobs[index] as Job) as [() => Job, () => Job, () => Job];

describe("tapedeck jobs list", () => {
	test("is a table for people, newest first, without colors when it is piped", async () => {
		const { status, text } = await cli(["jobs", "list"], { NO_COLOR: "" });
		expect(status).toBe(0);
		const [header, ...lines] = text.trim().split("\n");
		expect(header).toMatch(/^ID +STATUS +OUTCOME +LENGTH +RUNNER +DISPLAY +CREATED +NAME$/);
		expect(lines.map((line) => line.split(/ {2,}/).at(-1))).toEqual(["checkout again", "search", "checkout"]);
		expect(lines[0]).toMatch(new RegExp(`^${third().id} +queued +- +- +1 +:99 +20\\d\\d-\\d\\d-\\d\\d \\d\\d:\\d\\d `));
	});

	test("takes the search language, and prints the API's answer with --json", async () => {
		const answer = await cli(["jobs", "list", "--query", "checkout -again", "--json"]);
		expect(answer.data<Page<Job>>()).toEqual({ data: [first()], nextCursor: null });
		expect(await cli(["jobs", "list", "--query", "suite:none"])).toMatchObject({ status: 0, text: "No jobs found.\n" });
		expect(await cli(["jobs", "list", "--query", "sweet:none"])).toMatchObject({
			status: 1,
			text: expect.stringMatching(/^q: At character 1 of q: .+\n$/),
		});
	});

	test("stops at --limit, says that there are more, and goes on from a cursor", async () => {
		const { text } = await cli(["jobs", "list", "--limit", "2"]);
		expect(text).toContain("There are more; use --limit, or narrow the search.");
		const { data, nextCursor } = (await cli(["jobs", "list", "--limit", "2", "--json"])).data<Page<Job>>();
		expect(data.map(({ id }) => id)).toEqual([third().id, second().id]);
		const rest = await cli(["jobs", "list", "--limit", "2", "--cursor", nextCursor ?? "", "--json"]);
		expect(rest.data<Page<Job>>()).toEqual({ data: [first()], nextCursor: null });
		expect(await cli(["jobs", "list", "--limit", "many"])).toMatchObject({
			status: 2,
			text: "--limit: Use a whole number from 1 to 100000.\n",
		});
	});
});

test("jobs get shows a job, and jobs wait returns when it has ended, with 1 for one that never recorded", async () => {
	const { text, status } = await cli(["jobs", "get", String(second().id)]);
	expect(status).toBe(0);
	expect(text).toContain(`Job ${second().id} "search" on :99\n  status     queued\n`);
	expect(text).toContain(`  labels     suite=search\n  page       ${api.url}/jobs/${second().id}\n`);
	const soon = await cli(["jobs", "wait", String(second().id), "--for", "recording", "--timeout", "1s"]);
	expect(soon).toMatchObject({
		status: 1,
		text: `Job ${second().id} is still queued after 1s; wait longer, or cancel it.\n`,
	});
	const waiting = cli(["jobs", "wait", String(second().id), "--json"]);
	await api.call("POST", `/v1/jobs/${second().id}/cancel`);
	const waited = await waiting;
	expect(waited.status).toBe(1);
	expect(waited.data<Job>()).toMatchObject({ id: second().id, status: "cancelled" });
});

test("jobs wait keeps waiting while the dashboard is away", async () => {
	const proxy = await startTcpProxy(api.url);
	onTestFinished(() => proxy.stop());
	const env = { TAPEDECK_URL: proxy.url, TAPEDECK_API_KEY: TEST_API_KEY };
	const command = startCommand(["jobs", "wait", String(third().id)], env);
	await until(() => proxy.connections > 0, "it waits");
	proxy.drop();
	await command.says("The dashboard does not respond; waiting up to a minute for it to come back.\n");
	await api.call("POST", `/v1/jobs/${third().id}/cancel`);
	proxy.resume();
	expect(await command.exited).toBe(1);
	expect(command.output()).toContain("  status     cancelled");
});

test("api prints the answer of any endpoint, and sends JSON", async () => {
	const path = `/v1/jobs/${first().id}`;
	expect((await cli(["api", "get", path])).data<Job>()).toEqual(first());
	const body = JSON.stringify({ outcome: "failed" });
	expect((await cli(["api", "PATCH", path, "--body", body])).data<Job>()).toMatchObject({ outcome: "failed" });
	expect(await cli(["api", "PATCH", path, "--body", "{"])).toMatchObject({
		status: 2,
		text: expect.stringContaining("--body: It is not JSON"),
	});
	expect(await cli(["api", "/v1/jobs"])).toMatchObject({ status: 2, text: expect.stringMatching(/^Name the method/) });
	expect((await cli(["api", "GET", "https://elsewhere.example/v1/jobs"])).status).toBe(2);
});

describe("a failure is a sentence that says what to do", () => {
	const line = async (words: string[], env: Record<string, string> = {}) => {
		const { status, text } = await cli(words, env);
		return [status, text.trim()];
	};

	test("no or a wrong address or key in the environment: status 2", async () => {
		expect(await line(["jobs", "list"], { TAPEDECK_URL: "" })).toEqual([
			2,
			"Set TAPEDECK_URL to the dashboard's address, such as https://tapedeck.example.com, or run tapedeck login.",
		]);
		expect(await line(["jobs", "list"], { TAPEDECK_URL: "tapedeck:3000" })).toEqual([
			2,
			'TAPEDECK_URL: "tapedeck:3000" is no address; set it to one such as https://tapedeck.example.com.',
		]);
		expect(await line(["jobs", "list"], { TAPEDECK_API_KEY: "" })).toEqual([
			2,
			`Set TAPEDECK_API_KEY to an API key, which you create in the dashboard under Settings, or run tapedeck login ${api.url}.`,
		]);
	});

	test("a key that is refused, and with --json as data", async () => {
		const refused = `The dashboard at ${api.url} refused the API key. Check TAPEDECK_API_KEY, create a new key under Settings, or run tapedeck login again.`;
		expect(await line(["jobs", "list"], { TAPEDECK_API_KEY: "tdk_wrong" })).toEqual([1, refused]);
		const answer = await cli(["jobs", "list", "--json"], { TAPEDECK_API_KEY: "tdk_wrong" });
		expect(answer.data()).toEqual({ error: { code: "unauthorized", message: refused } });
	});

	test("a job that does not exist, an id that is none, a command that is none", async () => {
		expect(await line(["jobs", "get", "4711"])).toEqual([
			1,
			"Job 4711 was not found; it may have been deleted, or belong to others.",
		]);
		expect(await line(["jobs", "get", "x"])).toEqual([2, '"x" is no id of a job; ids are numbers such as 12.']);
		expect(await line(["jobs", "get"])).toEqual([2, "Name the job by its id, a number such as 12."]);
		expect((await line(["jobs", "lst"]))[1]).toMatch(/^Unknown command "jobs lst"\.\n\nusage: tapedeck jobs <command>/);
	});

	test("a dashboard that does not respond: status 3", async () => {
		const [status, text] = await line(["jobs", "list"], { TAPEDECK_URL: "http://127.0.0.1:1" });
		expect(status).toBe(3);
		expect(text).toMatch(
			/^The dashboard at http:\/\/127.0.0.1:1 can't be reached: .+\. Check TAPEDECK_URL, and that it is running\.$/,
		);
	});

	test("an address that is another server's, or redirects", async () => {
		const server = createServer((req, res) => {
			if (req.url?.startsWith("/moved/")) res.writeHead(301, { location: "https://tapedeck.example/" }).end();
			else res.end("<!doctype html>");
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => void server.close());
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		expect(await line(["jobs", "list"], { TAPEDECK_URL: url })).toEqual([
			1,
			`The server at ${url} is not a Tapedeck dashboard; check TAPEDECK_URL.`,
		]);
		expect(await line(["jobs", "list"], { TAPEDECK_URL: `${url}/moved` })).toEqual([
			1,
			`${url}/moved redirects to https://tapedeck.example/; set TAPEDECK_URL to the final address.`,
		]);
	});
});
