/** An agent's day: it has nothing but the address of the MCP server, and proves a change of a page with a real browser. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { chromium } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import type { Child } from "#test/processes/child.ts";
import { requireProgram } from "#test/processes/programs.ts";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { newFolder, removeFolder, startRunner } from "#test/runners/runner-process.ts";
import { decodePicture } from "#test/videos/decode-picture.ts";

const TIMES = 10;
const MAX_CALLS = 5;
const MAX_TOKENS = 3_000;
/** About the characters of a token, and the pixels of one in a picture. */
const TOKEN = { characters: 4, pixels: 750 };
const PAGE = "data:text/html,<button onclick=\"document.body.style.background='green'\">Pay</button>";

let api: TestApi;
let display: VirtualDisplay;
let runner: Child;
let folder: string;
beforeAll(async () => {
	[api, display, folder] = await Promise.all([startTestApi(), startXvfb({ width: 640, height: 360 }), newFolder()]);
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

/** One program that uses the tools. Counts what its calls cost. */
async function freshAgent() {
	const client = new Client({ name: "agent", version: "1" }, { versionNegotiation: { mode: "auto" } });
	const requestInit = { headers: { authorization: `Bearer ${TEST_API_KEY}` } };
	await client.connect(new StreamableHTTPClientTransport(new URL(`${api.url}/mcp`), { requestInit }));
	const cost = { calls: 0, tokens: 0 };
	const call = async (name: string, args: Record<string, unknown>): Promise<string> => {
		const { content, isError } = await client.callTool({ name, arguments: args });
		const [words, picture] = content as unknown as [{ text: string }, { data: string }?];
		expect(isError, words.text).not.toBe(true);
		cost.calls += 1;
		cost.tokens += words.text.length / TOKEN.characters;
		if (picture !== undefined) {
			const { width, height } = await decodePicture(Buffer.from(picture.data, "base64"));
			cost.tokens += (width * height) / TOKEN.pixels;
		}
		return words.text;
	};
	return { call, cost, close: () => client.close() };
}

async function clickPay(displayId: string): Promise<void> {
	const env = { ...process.env, DISPLAY: displayId } as Record<string, string>;
	const args = ["--no-sandbox", "--window-position=0,0", "--window-size=1280,720"];
	const browser = await chromium.launch({ headless: false, executablePath: requireProgram("chromium"), args, env });
	const page = await browser.newPage();
	await page.goto(PAGE);
	await page.getByText("Pay").click();
	await browser.close();
}

test(`an agent with nothing but the address proves a change ${TIMES} of ${TIMES} times, in few calls and tokens`, async () => {
	for (let time = 1; time <= TIMES; time += 1) {
		const { call, cost, close } = await freshAgent();
		const started = await call("record_start", { name: `Fix of the button ${time}`, display: "new" });
		const [, job, made = ""] = /^Job (\d+) records .*DISPLAY=(:\d+)/s.exec(started) ?? [];
		await clickPay(made);
		await call("record_mark", { job, label: "Pay is clicked", kind: "step" });
		const stopped = await call("record_stop", { job, outcome: "passed", proof: true });
		expect(stopped).toMatch(/^Proof of \d+(\.\d+)? s, mp4, \d+\.\d MB: /m);
		expect(cost.calls).toBeLessThanOrEqual(MAX_CALLS);
		expect(cost.tokens).toBeLessThan(MAX_TOKENS);
		await close();
		const [, recording = ""] = /^Recording (\d+) plays/.exec(stopped) ?? [];
		const proof = join(folder, `proof-${time}.mp4`);
		const env = { TAPEDECK_URL: api.url, TAPEDECK_API_KEY: TEST_API_KEY };
		expect(await tapedeck(["proof", recording, "--output", proof], env)).toMatchObject({ status: 0 });
		expect((await stat(proof)).size).toBeLessThanOrEqual(10_000_000);
		// The reviewer has no key.
		expect(await tapedeck(["verify", proof], { TAPEDECK_URL: api.url })).toMatchObject({ status: 0 });
	}
});
