import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type FakeGrid, startFakeGrid } from "#e2e/fixtures/fake-grid.ts";
import { IDLE_RULES, type IdleRules } from "../grid/idle-clock.ts";
import { seleniumIdleCondition } from "./selenium-idle.ts";
import type { StopDecision } from "./stop-condition.ts";

let grid: FakeGrid;
let other: FakeGrid;
let over: AbortController;
let stopped: { decision: StopDecision; at: number } | null;
let notes: string[];

beforeAll(async () => {
	other = await startFakeGrid();
});
afterAll(() => other.stop());
beforeEach(async () => {
	grid = await startFakeGrid();
	over = new AbortController();
	stopped = null;
	notes = [];
});
afterEach(async () => {
	over.abort();
	await watching;
	await grid.stop();
});

/** The rule with its minute shortened; the 5 s stay. */
const SHORT: IdleRules = { ...IDLE_RULES, unreachableMs: 3_000, recogniseMs: 3_000 };
const SHORTEST: IdleRules = { ...SHORT, idleMs: 1_500, provenMs: 1_000 };
let watching: Promise<void> = Promise.resolve();

function watch(config: Partial<Parameters<typeof seleniumIdleCondition>[0]> = {}, rules = SHORTEST): void {
	const condition = seleniumIdleCondition(
		{ gridUrl: grid.url, ...config },
		{ password: async () => config.gridPassword, rules },
	);
	watching = condition.watch({
		startedAt: performance.now(),
		over: over.signal,
		stop: (decision) => {
			stopped = { decision, at: performance.now() };
		},
		note: (event) => notes.push(event),
	});
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function ending(timeoutMs = 12_000): Promise<StopDecision> {
	const deadline = performance.now() + timeoutMs;
	while (stopped === null && performance.now() < deadline) await pause(20);
	expect(stopped, "it ended").not.toBeNull();
	return (stopped as unknown as { decision: StopDecision }).decision;
}

test("in real time: ends 5 to 6 s after the first zero, and tells the polls that decided", {
	timeout: 20_000,
}, async () => {
	grid.say({ kind: "sessions", count: 2 });
	watch({}, IDLE_RULES);
	await pause(1_200);
	grid.say({ kind: "sessions", count: 0 });
	const decision = await ending();
	const lagMs = (stopped?.at ?? 0) - (grid.firstAnswerAt() ?? 0);
	expect(lagMs).toBeGreaterThanOrEqual(5_000);
	expect(lagMs).toBeLessThan(6_000);
	expect(decision.reason).toBe("selenium_idle");
	const polls = decision.data?.polls as { seen: string; active: number }[];
	expect(polls.every(({ seen, active }) => seen === "count" && active === 0)).toBe(true);
	expect(grid.requests.every(({ path }) => path === "/wd/hub/status")).toBe(true);
	const gaps = grid.requests.slice(1).map(({ at }, index) => at - (grid.requests[index]?.at ?? 0));
	expect(Math.max(...gaps)).toBeLessThan(800);
	expect(Math.min(...gaps)).toBeGreaterThan(300);
});

test.each([
	["a session being created", { kind: "reserved" }],
	["an answer without nodes", { kind: "without_nodes" }],
	["JSON of something else", { kind: "json", body: { hello: 1 } }],
] as const)("%s is not idleness, for however long", async (_words, answer) => {
	watch();
	await pause(600);
	grid.say(answer);
	await pause(4_500);
	expect(stopped).toBeNull();
	grid.say({ kind: "sessions", count: 0 });
	expect((await ending()).reason).toBe("selenium_idle");
});

test.each([
	["a 500", { kind: "status", status: 500, body: "oops" }],
	["a broken connection", { kind: "reset" }],
	["a web page", { kind: "html" }],
	["half a JSON", { kind: "status", status: 200, body: '{"value":{"nodes":[' }],
	["a redirect to another origin", { kind: "status", status: 302, headers: { location: "http://127.0.0.1:1/" } }],
] as const)("%s ends the recording as grid_unreachable only when it lasts", async (_words, answer) => {
	grid.say({ kind: "sessions", count: 1 });
	watch();
	await pause(600);
	grid.say(answer);
	await pause(1_700);
	grid.say({ kind: "sessions", count: 1 });
	await pause(1_700);
	expect(stopped).toBeNull();
	grid.say(answer);
	const decision = await ending();
	expect(decision.reason).toBe("grid_unreachable");
	expect(decision.message).toContain(grid.url);
});

test("a grid that takes the question and never answers is unreachable", async () => {
	grid.say({ kind: "sessions", count: 1 });
	watch();
	await pause(600);
	grid.say({ kind: "silence" });
	expect((await ending()).reason).toBe("grid_unreachable");
	expect(notes).toContain("grid_silent");
});

test("a redirect within the origin is followed, one to another origin is not", async () => {
	grid.say({ kind: "status", status: 307, headers: { location: `${other.url}/wd/hub/status` } });
	watch();
	expect((await ending()).reason).toBe("grid_not_recognised");
	expect(other.requests).toEqual([]);
});

test.each([
	"grid3_hub",
	"grid3_standalone",
	"selenoid",
] as const)("%s: the sibling that counts is found once", async (flavour) => {
	await grid.stop();
	grid = await startFakeGrid({ flavour, subPath: "/under/here" });
	grid.say({ kind: "sessions", count: 1 });
	watch({ gridUrl: `${grid.url}/wd/hub/` });
	await pause(2_600);
	expect(stopped).toBeNull();
	expect(notes).toEqual(["grid_recognised"]);
	const sibling = { grid3_hub: "/grid/api/hub", grid3_standalone: "/wd/hub/sessions", selenoid: "/status" }[flavour];
	const paths = grid.requests.map(({ path }) => path.replace("/under/here", ""));
	expect(paths[0]).toBe("/wd/hub/status");
	expect(paths.slice(-3)).toEqual([sibling, sibling, sibling]);
	grid.say({ kind: "sessions", count: 0 });
	expect((await ending()).reason).toBe("selenium_idle");
});

test("what tells no sessions is not recognised", async () => {
	grid.say({ kind: "html" });
	watch();
	const decision = await ending();
	expect(decision.reason).toBe("grid_not_recognised");
	expect(decision.message).toContain("gridUrl");
});

test("Basic authentication: the right password is sent, a wrong one is told at once and ends it", async () => {
	grid.credentials = { username: "röd", password: "grön:1" };
	grid.say({ kind: "sessions", count: 1 });
	watch({ gridUsername: "röd", gridPassword: "grön:1" });
	await pause(1_500);
	expect(stopped).toBeNull();
	expect(notes).toEqual(["grid_recognised"]);
	grid.credentials = { username: "röd", password: "another" };
	const decision = await ending();
	expect(decision.reason).toBe("grid_unauthorized");
	expect(decision.message).toContain("gridPassword");
	expect(JSON.stringify([decision, notes])).not.toContain("grön");
	expect(notes).toEqual(["grid_recognised", "grid_unauthorized"]);
});

test("a slow grid is asked no less often and its zeros still prove idleness", async () => {
	grid.delayMs = 1_200;
	watch();
	expect((await ending()).reason).toBe("selenium_idle");
	const gaps = grid.requests.slice(1).map(({ at }, index) => at - (grid.requests[index]?.at ?? 0));
	expect(Math.max(...gaps)).toBeLessThan(800);
});

test("without its password a grid is not asked at all", async () => {
	const condition = seleniumIdleCondition(
		{ gridUrl: grid.url, gridUsername: "u" },
		{ password: () => new Promise(() => undefined) },
	);
	watching = condition.watch({
		startedAt: performance.now(),
		over: over.signal,
		stop: () => undefined,
		note: () => undefined,
	});
	await pause(1_200);
	expect(grid.requests).toEqual([]);
});
