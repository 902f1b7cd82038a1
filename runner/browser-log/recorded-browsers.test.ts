import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { hubStatus } from "../../test/grids/grid-status.ts";
import { type BrowserSocket, type ScriptedBrowser, startScriptedBrowser } from "../../test/grids/scripted-browser.ts";
import { spooled } from "../../test/runners/runner-process.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { until } from "../../test/wait.ts";

let browser: ScriptedBrowser;
// Registered before the scene's hooks, so that the scene stops its runners first.
afterEach(() => browser.stop());
const scene = runnerScene({ moves: false });

/** A grid with one session, which offers BiDi. */
async function startBrowser(): Promise<void> {
	const offers = { browserName: "firefox", webSocketUrl: "ws://elsewhere:4444/session/s/se/bidi" };
	const slots = [{ id: "s", capabilities: offers }];
	browser = await startScriptedBrowser({ status: hubStatus([{ id: "n1", uri: "http://node-1:5555", slots }]) });
}
const say = (socket: BrowserSocket, text: string, timestamp: number) =>
	socket.send({ method: "log.entryAdded", params: { type: "console", level: "error", text, timestamp } });
/** A connection by its number, from 1, once it has sent a command. */
async function connection(number: number): Promise<BrowserSocket> {
	const socket = await until(() => browser.sockets[number - 1], "a connection");
	await until(() => socket.commands.length > 0, "a subscription");
	return socket;
}

test("a runner that is killed loses at most the last 2 s of a console, and goes on when it is there again, nothing twice", async () => {
	await startBrowser();
	const env = { TAPEDECK_BROWSER_LOG: "on", SE_GRID_URL: browser.url };
	await scene.start({ display: scene.display.id, env });
	const job = scene.interrupt();
	await scene.status(job, "recording");
	const first = await connection(1);
	first.send({ id: 1, type: "success", result: {} });
	const before = Date.now();
	say(first, "before the kill", before);
	const [folder = ""] = await spooled(scene.dataDir);
	const file = join(scene.dataDir, "jobs", folder, "track-console.ndjson");
	await until(
		async () => (await readFile(file, "utf8").catch(() => "")).includes("kill"),
		"it is in the spool",
		10_000,
	);
	await scene.kill();
	await scene.start({ display: scene.display.id, env });
	const second = await connection(2);
	// Behaves like a browser.
	say(second, "before the kill", before);
	second.send({ id: 1, type: "success", result: {} });
	say(second, "after it", Date.now());
	await until(() => job.tracks.get("console")?.includes("after it"), "it is uploaded");
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	await scene.spoolEmpty();
	const lines = (job.tracks.get("console") ?? "").trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line).text)).toEqual(["before the kill", "after it"]);
	await until(() => second.isClosed, "nobody listens any more");
});

test("without TAPEDECK_BROWSER_LOG, no browser is connected to", async () => {
	await startBrowser();
	await scene.start({ display: scene.display.id });
	const stopConditionConfig = { gridUrl: browser.url };
	const job = scene.dashboard.order(scene.display.id, { stopCondition: "selenium_idle", stopConditionConfig });
	await until(() => job.reports.some(({ type }) => type === "session_started"), "the session is seen");
	scene.dashboard.cancel(job);
	await scene.status(job, "completed");
	expect(browser.asked()).toBe(0);
	expect([...job.tracks.keys()]).not.toContain("console");
});
