/**
 * A Selenium Grid 4 as hub with two nodes on two displays, each with its runner: every session of Selenium's Python
 * client becomes a video of its own, of its whole length and of nothing else.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Session } from "@tapedeck/contract/session.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startXvfb, type VirtualDisplay } from "#test/displays/xvfb.ts";
import { chromeOptions, type Grid, grid4Part, startGrid, stopAll } from "#test/grids/selenium-grid.ts";
import type { Child } from "#test/processes/child.ts";
import { freePort } from "#test/processes/free-port.ts";
import { startRunner } from "#test/runners/runner-process.ts";
import { type Dashboard, root, startTestDashboard } from "#test/stack.ts";
import { decodeRecording } from "#test/videos/decode-recording.ts";
import { until } from "#test/wait.ts";
import { clientPython } from "../bin/setup/external-programs.mjs";

interface Color {
	red: number;
	green: number;
	blue: number;
}
/** The Python client's report about its session. */
interface Played {
	name: string;
	color: Color;
	sessionId: string;
	shownAt: number;
	quitSentAt: number;
	quitDoneAt: number;
}

/** Far from each other, from the white of an empty page and from the black of an empty display. */
const COLORS: readonly Color[] = [
	{ red: 200, green: 30, blue: 60 },
	{ red: 30, green: 160, blue: 60 },
	{ red: 40, green: 60, blue: 200 },
	{ red: 200, green: 160, blue: 20 },
];
const TOLERANCE = 14;
/** Frames looked at. */
const PER_SECOND = 5;
const isLike = (one: Color, other: Color): boolean =>
	(["red", "green", "blue"] as const).every((part) => Math.abs(one[part] - other[part]) <= TOLERANCE);

/** The size of the browser's window. */
const SIZE = { width: 1280, height: 720 };

let dashboard: Dashboard;
let displays: VirtualDisplay[];
const parts: Grid[] = [];
const runners: Child[] = [];
let hub: { url: string };

beforeAll(async () => {
	[dashboard, displays] = await Promise.all([startTestDashboard(), Promise.all([startXvfb(SIZE), startXvfb(SIZE)])]);
	const [hubPort = 0, publish, subscribe, ...nodePorts] = await Promise.all([1, 2, 3, 4, 5].map(freePort));
	hub = { url: `http://127.0.0.1:${hubPort}` };
	const bus = ["--publish-events", `tcp://127.0.0.1:${publish}`, "--subscribe-events", `tcp://127.0.0.1:${subscribe}`];
	const { dataDir } = dashboard;
	const isUp = () => true;
	parts.push(await startGrid(grid4Part("hub", hubPort, ...bus), hub, { displayId: ":0", dataDir }, { ready: isUp }));
	const nodes = displays.map(async ({ id: displayId }, index) => {
		const port = nodePorts[index] ?? 0;
		const slot = ["--max-sessions", "1", "--selenium-manager", "false"];
		const ready = { path: "/status", ready: isUp };
		const url = `http://127.0.0.1:${port}`;
		parts.push(await startGrid(grid4Part("node", port, ...bus, ...slot), { url }, { displayId, dataDir }, ready));
		const env = {
			...{ TAPEDECK_TOKEN: dashboard.runnerToken, TAPEDECK_RUNNER_NAME: `beside node ${index + 1}` },
			...{ TAPEDECK_AUTO_RECORD: "session", SE_GRID_URL: hub.url, TAPEDECK_GRID_NODE: url },
		};
		const folder = join(dataDir, `runner-${index}`);
		const runner = startRunner({ url: dashboard.url, display: displayId, dataDir: folder, env });
		runners.push(runner);
		await runner.says("waiting for sessions");
	});
	await Promise.all(nodes);
	await until(async () => {
		const answer = (await (await fetch(`${hub.url}/status`)).json()) as {
			value: { nodes?: { availability: string }[] };
		};
		return answer.value.nodes?.filter(({ availability }) => availability === "UP").length === 2;
	}, "two nodes");
});
afterAll(async () => {
	for (const runner of runners) await runner.stop();
	await stopAll(parts);
	for (const display of displays ?? []) await display.stop();
	await dashboard?.stop();
});

/** A session that fills its display with a colour. */
async function play(name: string, color: Color, capabilities: Record<string, unknown>): Promise<Played> {
	const style = `background:rgb(${color.red},${color.green},${color.blue})`;
	const page = `data:text/html,${encodeURIComponent(`<body style="${style}">${name}`)}`;
	const script = join(root, "test/grids/browser-session.py");
	const asked = [hub.url, page, "3", JSON.stringify(capabilities), chromeOptions.binary, ...chromeOptions.args];
	const { stdout } = await promisify(execFile)(clientPython, [script, ...asked], { timeout: 120_000 });
	return { name, color, ...JSON.parse(stdout) };
}

async function sessionOf({ sessionId }: Played): Promise<Session> {
	const answer = await fetch(`${dashboard.url}/v1/sessions/${sessionId}`, {
		headers: { authorization: `Bearer ${dashboard.apiKey}` },
	});
	return (await answer.json()) as Session;
}

test("sessions at the same time and back to back: each video holds its own from beginning to end, and no other", async () => {
	const labels = { "tapedeck:build": "123", "tapedeck:labels": { team: "web" } };
	/** Two sessions, the second as soon as the first has quit. */
	const inTurn = async (first: number) => [
		await play(`test ${first}`, COLORS[first] as Color, { "se:name": `test ${first}`, ...labels }),
		await play(`test ${first + 1}`, COLORS[first + 1] as Color, { "tapedeck:name": `test ${first + 1}`, ...labels }),
	];
	const played = (await Promise.all([inTurn(0), inTurn(2)])).flat();
	const unwanted = await play("unwanted", COLORS[0] as Color, { "tapedeck:record": false });

	for (const session of played) {
		const { jobId } = await sessionOf(session);
		const job = await dashboard.api.waitFor(jobId ?? 0, "playable");
		expect(job).toMatchObject({
			...{ name: session.name, status: "completed", stopReason: "session_ended" },
			labels: { build: "123", team: "web" },
		});
		const startedAt = Date.parse(job.startedAt ?? "");
		const found = await sessionOf(session);
		expect(found).toMatchObject({ state: "recorded", name: session.name, recordingId: job.recording?.id });
		expect(Math.abs(startedAt + (found.offsetSeconds ?? 0) * 1_000 - Date.parse(found.startedAt))).toBeLessThan(50);
		// The recording ends soon after the session, whose slot was already free.
		expect(Date.parse(job.stoppedAt ?? "")).toBeGreaterThanOrEqual(session.quitSentAt);
		expect(Date.parse(job.stoppedAt ?? "")).toBeLessThan(session.quitDoneAt + 3_000);
		expect(startedAt).toBeLessThan(session.shownAt);
		await expectOwn(session, job.recording?.id ?? 0, startedAt);
	}
	expect((await sessionOf(unwanted)).jobId ?? null).toBeNull();
	const { data } = await (
		await fetch(`${dashboard.url}/v1/jobs`, { headers: { authorization: `Bearer ${dashboard.apiKey}` } })
	).json();
	expect(data.map(({ name }: { name: string }) => name).sort()).toEqual(["test 0", "test 1", "test 2", "test 3"]);
});

/** Expects the video to show the session's own page from its first to its last moment, and never another session's. */
async function expectOwn(
	{ color, shownAt, quitSentAt }: Played,
	recordingId: number,
	startedAt: number,
): Promise<void> {
	const video = await decodeRecording(dashboard, recordingId);
	try {
		expect(video.complaints).toBe("");
		const secondsAt = (at: number) => (at - startedAt) / 1_000;
		expect(video.seconds).toBeGreaterThanOrEqual(secondsAt(quitSentAt) - 0.5);
		const others = COLORS.filter((other) => other !== color);
		const wrong = (await video.colors(PER_SECOND)).flatMap((seen, index) => {
			const at = index / PER_SECOND;
			// The browser paints a moment after it reports the page, and goes a moment before it reports that.
			const isOn = at > secondsAt(shownAt) + 0.7 && at < secondsAt(quitSentAt) - 0.3;
			const isWrong = isOn ? !isLike(seen, color) : others.some((other) => isLike(seen, other));
			return isWrong ? [{ at, seen }] : [];
		});
		expect(wrong).toEqual([]);
	} finally {
		await video.remove();
	}
}
