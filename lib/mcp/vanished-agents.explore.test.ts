/** Agents that are gone in the middle of a recording: it ends at its cap, and nothing of it runs on. */
import { request } from "node:http";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Job } from "@tapedeck/contract/job.ts";
import { isEnded } from "@tapedeck/contract/job-status.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { type Child, isRunning } from "#test/processes/child.ts";
import { TAPEDECK } from "#test/processes/tapedeck-command.ts";
import { newFolder, nothingLeft, processesWith, removeFolder, startRunner } from "#test/runners/runner-process.ts";
import { until } from "#test/wait.ts";

/** The shortest cap. */
const CAP_SECONDS = 60;
/** A loaded machine ends a recording later, with no more frames. */
const ENDED_MS = 180_000;

let api: TestApi;
let display: VirtualDisplay;
let runner: Child;
let folder: string;
beforeAll(async () => {
	[api, display, folder] = await Promise.all([startTestApi(), startXvfb(), newFolder()]);
	await display.move();
	const env = {
		...{ TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_RUNNER_NAME: "box", TAPEDECK_DISPLAY_ALLOW: display.id },
		TAPEDECK_VIRTUAL_DISPLAYS: "1",
	};
	runner = startRunner({ url: api.url, dataDir: folder, display: display.id, env });
	await runner.says("Connected to");
});
afterAll(async () => {
	await runner?.stop();
	await display?.stop();
	await api?.stop();
	await removeFolder(folder);
});

const order = (name: string, display: string) => ({
	name: "record_start",
	arguments: { name, display, max_minutes: CAP_SECONDS / 60 },
});

const jobNamed = (name: string): Promise<Job> =>
	until(async () => {
		const { body } = await api.call("GET", "/v1/jobs?limit=100");
		return (body.data as Job[]).find((job) => job.name === name);
	}, `there is a job ${name}`);

/** Starts a recording through `tapedeck mcp`, which is killed then. */
async function killedProgram(name: string, env: Record<string, string>): Promise<void> {
	const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
	const whole = { PATH: process.env.PATH ?? "", HOME: folder, ...env };
	const transport = new StdioClientTransport({ command: TAPEDECK, args: ["mcp"], env: whole });
	await client.connect(transport);
	const { content, isError } = await client.callTool(order(name, display.id));
	expect(isError, JSON.stringify(content)).not.toBe(true);
	const { pid } = transport;
	process.kill(Number(pid), "SIGKILL");
	await until(() => !isRunning(Number(pid)), "the program is gone");
}

/** Starts a recording by HTTP, and closes the connection before the answer. */
async function droppedCall(name: string): Promise<void> {
	const headers = {
		...{ authorization: `Bearer ${TEST_API_KEY}`, "content-type": "application/json" },
		accept: "application/json, text/event-stream",
	};
	const sent = request(`${api.url}/mcp`, { method: "POST", headers });
	sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: order(name, "new") }));
	await jobNamed(name);
	// Not `once`, which would reject with the error of the broken connection.
	const closed = new Promise((resolve) => sent.once("close", resolve));
	sent.on("error", () => undefined);
	sent.destroy();
	await closed;
}

test("recordings of agents that were killed or whose connection broke end at their caps, and nothing runs on", async () => {
	await Promise.all([
		killedProgram("killed without a key", { TAPEDECK_DATA_DIR: folder }),
		killedProgram("killed with a key", { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY }),
		droppedCall("dropped"),
	]);
	for (const name of ["killed without a key", "killed with a key", "dropped"]) {
		const { id } = await jobNamed(name);
		const read = async () => (await api.call("GET", `/v1/jobs/${id}`)).body as Job;
		await until(async () => isEnded((await read()).status), `${name} has ended`, ENDED_MS);
		const job = await read();
		expect(job).toMatchObject({ status: "completed", maxDurationSeconds: CAP_SECONDS, recording: { state: "ready" } });
		expect(Math.abs(Number(job.recording?.durationSeconds) - CAP_SECONDS)).toBeLessThan(1);
		if (name === "dropped") await nothingLeft(`Xvfb ${job.displayId} `);
	}
	// Encoders have their spool's folder in their command lines; the runner itself has not.
	await nothingLeft(`${folder}/jobs`);
	expect(await processesWith(`${TAPEDECK} mcp`)).toEqual([]);
	expect(runner.process.exitCode).toBeNull();
});
