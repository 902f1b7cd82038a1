import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeGrid, type GridFlavour, startFakeGrid } from "../../test/grids/fake-grid.ts";
import { hubStatus, type StatusNode } from "../../test/grids/grid-status.ts";
import { pause, until } from "../../test/wait.ts";
import { AllowedGrids } from "../grid/allowed-grids.ts";
import { IDLE_RULES, type IdleRules } from "../grid/idle-clock.ts";
import type { StopDecision } from "../spool/spool.ts";
import { seleniumIdleCondition } from "./selenium-idle.ts";

/** Shorter times, each many times the poll interval, so that they do not pass within a few polls of a busy machine. */
const SHORT: IdleRules = { ...IDLE_RULES, unreachableMs: 3_000, recogniseMs: 3_000, idleMs: 1_000, provenMs: 700 };
const SHORT_POLL_MS = 100;
const POLL_MS = 500;

/** Closed together after all tests, because concurrent tests share the hooks. */
const scenes: Scene[] = [];

/** A grid and a stop condition that watches it, for one test. */
class Scene {
	readonly grid: FakeGrid;
	readonly notes: string[] = [];
	readonly sessionMessages: string[] = [];
	stopped: { decision: StopDecision; at: number } | null = null;
	#over = new AbortController();
	#watching: Promise<void> = Promise.resolve();

	constructor(grid: FakeGrid) {
		this.grid = grid;
	}

	static async open(options: { flavour?: GridFlavour; subPath?: string } = {}): Promise<Scene> {
		const scene = new Scene(await startFakeGrid(options));
		scenes.push(scene);
		return scene;
	}

	watch(
		config: Partial<Parameters<typeof seleniumIdleCondition>[0]> = {},
		rules = SHORT,
		password: Promise<string | undefined> = Promise.resolve(config.gridPassword),
		{ allow, pollEveryMs = SHORT_POLL_MS }: { allow?: string; pollEveryMs?: number } = {},
	): void {
		const allowed = allow === undefined ? AllowedGrids.all : AllowedGrids.parse(allow);
		if (typeof allowed === "string") throw new Error(allowed);
		const options = { password: () => password, rules, allowed, browsers: null, pollEveryMs: () => pollEveryMs };
		const condition = seleniumIdleCondition({ gridUrl: this.grid.url, ...config }, options);
		this.#watching = condition.watch({
			startedAt: performance.now(),
			over: this.#over.signal,
			stop: (decision) => {
				this.stopped = { decision, at: performance.now() };
			},
			note: (event) => this.notes.push(event),
			session: ({ message }) => this.sessionMessages.push(message),
			follow: () => undefined,
		});
	}

	async ending(timeoutMs = 60_000): Promise<StopDecision> {
		const deadline = performance.now() + timeoutMs;
		while (this.stopped === null && performance.now() < deadline) await pause(20);
		if (this.stopped === null) throw new Error("It did not end.");
		return this.stopped.decision;
	}

	/** Waits for this many further polls. */
	async polls(count: number): Promise<void> {
		const wanted = this.grid.requests.length + count;
		await until(
			() => this.grid.requests.length >= wanted,
			() => `${count} polls, but it has stopped: ${JSON.stringify(this.stopped)}`,
		);
	}

	/**
	 * Waits until all requests are for this path. On a busy machine, polls overlap: those that began before the grid was
	 * recognized continue to search until their time of 2 s is up.
	 */
	async pollsOnly(path: string): Promise<void> {
		await until(
			() => this.grid.requests.length >= 6 && this.grid.requests.slice(-6).every((request) => request.path === path),
			() => `polls of ${path} only, not of ${this.grid.requests.slice(-6).map((request) => request.path)}`,
		);
	}

	/** @returns how many polls arrive while a timer of this process, which is as late as theirs, ticks every 500 ms. */
	async pollsDuring(ticks: number): Promise<number> {
		const { length } = this.grid.requests;
		for (let tick = 0; tick < ticks; tick += 1) await pause(POLL_MS);
		return this.grid.requests.length - length;
	}

	async close(): Promise<void> {
		this.#over.abort();
		await this.#watching;
		await this.grid.stop();
	}
}

let other: FakeGrid;
beforeAll(async () => {
	other = await startFakeGrid();
});
afterAll(async () => {
	await Promise.all(scenes.map((scene) => scene.close()));
	await other.stop();
});

test.concurrent("in real time: ends 5 s of zeros after the first one, within 6 s of polls, and reports the decisive polls", async () => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "sessions", count: 2 });
	scene.watch({}, IDLE_RULES, undefined, { pollEveryMs: POLL_MS });
	await scene.polls(3);
	scene.grid.respondWith({ kind: "sessions", count: 0 });
	const decision = await scene.ending();
	expect((scene.stopped?.at ?? 0) - (scene.grid.firstAnswerAt() ?? 0)).toBeGreaterThanOrEqual(5_000);
	expect(decision.reason).toBe("selenium_idle");
	const polls = decision.data?.polls as { at: string; seen: string; active: number }[];
	// 6 s of polls at the most, by the polls: a busy machine makes them late, and the end with them. One may be on its way.
	// They begin with the first zero that counts: a poll that took over 2 s was none, and they began anew.
	const since = Date.parse(polls[0]?.at ?? "") - performance.timeOrigin;
	expect(scene.grid.requests.filter(({ at }) => at > since).length).toBeLessThanOrEqual(6_000 / POLL_MS + 1);
	expect(polls.every(({ seen, active }) => seen === "count" && active === 0)).toBe(true);
	expect(scene.grid.requests.every(({ path }) => path === "/wd/hub/status")).toBe(true);
});

test.concurrent.each([
	["a session being created", { kind: "reserved" }],
	["an answer without nodes", { kind: "without_nodes" }],
	["JSON of something else", { kind: "json", body: { hello: 1 } }],
] as const)("%s never counts as idle", async (_words, answer) => {
	const scene = await Scene.open();
	scene.watch();
	await scene.polls(1);
	scene.grid.respondWith(answer);
	await pause(3 * SHORT.idleMs);
	expect(scene.stopped).toBeNull();
	scene.grid.respondWith({ kind: "sessions", count: 0 });
	expect((await scene.ending()).reason).toBe("selenium_idle");
});

test.concurrent.each([
	["a 500", { kind: "status", status: 500, body: "oops" }],
	["a broken connection", { kind: "reset" }],
	["a web page", { kind: "html" }],
	["half a JSON", { kind: "status", status: 200, body: '{"value":{"nodes":[' }],
	["a redirect to another origin", { kind: "status", status: 302, headers: { location: "http://127.0.0.1:1/" } }],
] as const)("%s ends the recording as grid_unreachable only when it persists", async (_words, answer) => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "sessions", count: 1 });
	scene.watch();
	await scene.polls(2);
	// Twice, with an answer in between: neither persists.
	for (let time = 0; time < 2; time += 1) {
		scene.grid.respondWith(answer);
		await scene.polls(3);
		scene.grid.respondWith({ kind: "sessions", count: 1 });
		await scene.polls(3);
	}
	expect(scene.stopped).toBeNull();
	scene.grid.respondWith(answer);
	const decision = await scene.ending();
	expect(decision.reason).toBe("grid_unreachable");
	expect(decision.message).toContain(scene.grid.url);
});

test.concurrent("a session that began and ended between two polls is noted, once", async () => {
	const scene = await Scene.open();
	const show = (...slots: StatusNode["slots"]) =>
		scene.grid.respondWith({ kind: "json", body: hubStatus([{ id: "n1", uri: "http://node-1:5555", slots }]) });
	show({ id: "a", capabilities: { "se:name": "login" } }, null);
	scene.watch();
	await scene.polls(2);
	show({ id: "a" }, { lastStarted: new Date().toISOString() });
	await scene.polls(3);
	expect(scene.sessionMessages).toEqual([
		'Session "login" began.',
		'Session "Short session (chrome)" began.',
		'Session "Short session (chrome)" ended.',
	]);
});

test.concurrent("a grid that accepts the request and never answers is unreachable", async () => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "sessions", count: 1 });
	// Longer than the 3 s of silence that are noted.
	scene.watch({}, { ...SHORT, unreachableMs: 4_500 });
	await scene.polls(2);
	scene.grid.respondWith({ kind: "silence" });
	expect((await scene.ending()).reason).toBe("grid_unreachable");
	expect(scene.notes).toContain("grid_silent");
});

test.concurrent("a redirect is followed within the origin only", async () => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "status", status: 307, headers: { location: `${other.url}/wd/hub/status` } });
	scene.watch();
	expect((await scene.ending()).reason).toBe("grid_not_recognised");
	expect(other.requests).toEqual([]);
});

test.concurrent("credentials are not sent to another origin by a redirect", async () => {
	const elsewhere = await Scene.open();
	const scene = await Scene.open();
	const location = `${elsewhere.grid.url.replace("127.0.0.1", "localhost")}/wd/hub/status`;
	scene.grid.respondWith({ kind: "status", status: 302, headers: { location } });
	scene.watch({ gridUsername: "me", gridPassword: "the secret of the grid" });
	expect((await scene.ending()).reason).toBe("grid_not_recognised");
	expect(scene.grid.requests[0]?.authorization).toMatch(/^Basic /);
	expect(elsewhere.grid.requests).toEqual([]);
});

test.concurrent("nothing is sent to addresses that are not allowed, also not by a redirect", async () => {
	const outside = await Scene.open();
	outside.watch({}, SHORT, undefined, { allow: "http://grid.example:4444" });
	const scene = await Scene.open({ subPath: "/team-a" });
	const location = `${new URL(scene.grid.url).origin}/team-b/wd/hub/status`;
	scene.grid.respondWith({ kind: "status", status: 307, headers: { location } });
	scene.watch({}, SHORT, undefined, { allow: scene.grid.url });
	expect((await scene.ending()).message).toContain("TAPEDECK_GRID_ALLOW");
	expect(scene.grid.requests.length).toBeGreaterThan(3);
	expect(scene.grid.requests.every(({ path }) => path.startsWith("/team-a/"))).toBe(true);
	await outside.ending();
	expect(outside.grid.requests).toEqual([]);
});

test.concurrent("an answer over 16 MiB is not a zero", async () => {
	const scene = await Scene.open();
	const body = `{"value":{"nodes":[],"more":"${"x".repeat(17 << 20)}"}}`;
	scene.grid.respondWith({ kind: "status", status: 200, body });
	scene.watch({}, SHORT, undefined, { pollEveryMs: POLL_MS });
	// Whether its length is said, or that it took too long: one poll of several is too little to know.
	expect((await scene.ending()).reason).toBe("grid_not_recognised");
});

test.concurrent("an answer that is incomplete after 2 s counts as none", async () => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "trickle" });
	scene.watch();
	const decision = await scene.ending();
	expect(decision.reason).toBe("grid_unreachable");
	expect(decision.message).toContain("no response within 2000 ms");
});

test.concurrent.each([
	"grid3_hub",
	"grid3_standalone",
	"selenoid",
] as const)("%s: the path that reports sessions is searched only once", async (flavour) => {
	const scene = await Scene.open({ flavour, subPath: "/under/here" });
	scene.grid.respondWith({ kind: "sessions", count: 1 });
	scene.watch({ gridUrl: `${scene.grid.url}/wd/hub/` });
	await until(() => scene.notes.length > 0, "the grid is recognised");
	const sibling = { grid3_hub: "/grid/api/hub", grid3_standalone: "/wd/hub/sessions", selenoid: "/status" }[flavour];
	await scene.pollsOnly(`/under/here${sibling}`);
	expect(scene.stopped).toBeNull();
	expect(scene.notes).toEqual(["grid_recognised"]);
	expect(scene.grid.requests[0]?.path).toBe("/under/here/wd/hub/status");
	scene.grid.respondWith({ kind: "sessions", count: 0 });
	expect((await scene.ending()).reason).toBe("selenium_idle");
});

test.concurrent("a Grid 4 that is slow at first is polled at the mandated path from then on", async () => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "without_nodes" });
	scene.watch();
	await scene.polls(2);
	scene.grid.respondWith({ kind: "sessions", count: 1 });
	await until(() => scene.notes.length > 0, "the grid is recognised");
	await scene.pollsOnly("/wd/hub/status");
	expect(scene.notes).toEqual(["grid_recognised"]);
});

test.concurrent("a server that reports no sessions is not recognised", async () => {
	const scene = await Scene.open();
	scene.grid.respondWith({ kind: "html" });
	scene.watch();
	const decision = await scene.ending();
	expect(decision.reason).toBe("grid_not_recognised");
	expect(decision.message).toContain("gridUrl");
});

test.concurrent("Basic authentication: the password is sent; a wrong one is reported at once and ends the recording", async () => {
	const scene = await Scene.open();
	scene.grid.credentials = { username: "röd", password: "grön:1" };
	scene.grid.respondWith({ kind: "sessions", count: 1 });
	scene.watch({ gridUsername: "röd", gridPassword: "grön:1" });
	await until(() => scene.notes.length > 0, "the grid is recognised");
	await scene.polls(2);
	expect(scene.stopped).toBeNull();
	expect(scene.notes).toEqual(["grid_recognised"]);
	scene.grid.credentials = { username: "röd", password: "another" };
	const decision = await scene.ending();
	expect(decision.reason).toBe("grid_unauthorized");
	expect(decision.message).toContain("gridPassword");
	expect(JSON.stringify([decision, scene.notes])).not.toContain("grön");
	expect(scene.notes).toEqual(["grid_recognised", "grid_unauthorized"]);
});

test.concurrent("a slow grid is polled just as often, and its zeros still prove idleness", async () => {
	const scene = await Scene.open();
	scene.grid.delayMs = 1_200;
	scene.grid.respondWith({ kind: "sessions", count: 1 });
	scene.watch({}, SHORT, undefined, { pollEveryMs: POLL_MS });
	await scene.polls(1);
	// Sequential polls would be 4 in 6 s.
	expect(await scene.pollsDuring(12)).toBeGreaterThanOrEqual(10);
	scene.grid.respondWith({ kind: "sessions", count: 0 });
	expect((await scene.ending()).reason).toBe("selenium_idle");
	// Polls are not more frequent either, apart from a few late ones.
	const [first, last] = [scene.grid.requests[0]?.at ?? 0, scene.grid.requests.at(-1)?.at ?? 0];
	expect(scene.grid.requests.length - 1).toBeLessThanOrEqual((last - first) / POLL_MS + 3);
});

test.concurrent("a grid is not polled before its password is known", async () => {
	const scene = await Scene.open();
	scene.watch({ gridUsername: "u" }, SHORT, new Promise(() => undefined));
	await pause(1_200);
	expect(scene.grid.requests).toEqual([]);
});
