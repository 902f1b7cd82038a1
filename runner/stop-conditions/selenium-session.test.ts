import type { StopConditionConfig } from "@tapedeck/contract/stop-condition.ts";
import { expect, onTestFinished, test, vi } from "vitest";
import { type FakeGrid, startFakeGrid } from "../../test/grids/fake-grid.ts";
import { hubStatus, type StatusSession } from "../../test/grids/grid-status.ts";
import { pause, until } from "../../test/wait.ts";
import { AllowedGrids } from "../grid/allowed-grids.ts";
import { LOST_MS } from "../grid/lost-nodes.ts";
import { SESSION_RULES } from "../grid/session-clock.ts";
import type { StopDecision } from "../spool/spool.ts";
import { seleniumSessionCondition } from "./selenium-session.ts";
import type { SessionReport } from "./stop-condition.ts";

type Entry = { event: string; session?: SessionReport["session"] };

/** Two nodes of one slot each. */
function show(grid: FakeGrid, first: StatusSession | null, second: StatusSession | null = null): void {
	const nodes = [
		{ id: "n1", uri: "http://node-1:5555", slots: [first] },
		{ id: "n2", uri: "http://node-2:5555", slots: [second] },
	];
	grid.respondWith({ kind: "json", body: hubStatus(nodes) });
}

async function watch(config: Omit<StopConditionConfig<"selenium_session">, "gridUrl">, recogniseMs = 60_000) {
	const grid = await startFakeGrid();
	show(grid, null);
	const over = new AbortController();
	const seen = {
		...{ grid, history: [] as Entry[], followed: [] as string[], since: 0 },
		...{ stopped: null as { decision: StopDecision; at: number } | null },
	};
	const options = {
		password: async () => undefined,
		allowed: AllowedGrids.all,
		browsers: null,
		rules: { ...SESSION_RULES, recogniseMs },
	};
	const watching = seleniumSessionCondition({ gridUrl: grid.url, ...config }, options).watch({
		startedAt: performance.now(),
		over: over.signal,
		stop: (decision) => {
			seen.stopped = { decision, at: performance.now() };
		},
		note: (event) => seen.history.push({ event }),
		session: ({ type, session }) => seen.history.push({ event: type, session }),
		follow: (id) => seen.followed.push(id),
	});
	onTestFinished(async () => {
		over.abort();
		await watching;
		await grid.stop();
	});
	await until(() => grid.answers() > 0, "a poll without a session is answered");
	return seen;
}

const ending = (seen: Awaited<ReturnType<typeof watch>>) =>
	until(
		() => seen.stopped ?? undefined,
		() => `no end: ${JSON.stringify(seen.history)}`,
	);

test("the next session on the node is recorded, and the recording ends with the second poll after its end", async () => {
	const seen = await watch({ gridNode: "node-1" });
	show(seen.grid, { id: "own", capabilities: { browserName: "chrome", "se:name": "login works" } }, { id: "other" });
	await until(
		() => seen.followed[0],
		() => "no session",
	);
	expect(seen.stopped).toBeNull();
	const before = seen.grid.requests.length;
	show(seen.grid, null, { id: "other" });
	const { decision, at } = await ending(seen);
	expect(decision).toMatchObject({ reason: "session_ended", data: { sessionId: "own" } });
	expect(at - (seen.grid.firstAnswerAt() ?? 0)).toBeGreaterThanOrEqual(400);
	// Counts polls, because a busy machine delays them and thus the end. One poll may be in flight.
	expect(seen.grid.requests.length - before).toBeLessThanOrEqual(3 + 1);
	expect(seen.followed).toEqual(["own"]);
	expect(seen.history.map(({ event }) => event)).toEqual(["grid_recognised", "session_started", "session_ended"]);
	expect(seen.history[1]?.session).toMatchObject({
		sessionId: "own",
		name: "login works",
		capabilities: { browserName: "chrome" },
	});
});

test("an unknown node is noted at once, and ends the recording when it does not come", async () => {
	const seen = await watch({ gridNode: "node-9" }, 1_500);
	await until(
		() => seen.history[0],
		() => "no note",
	);
	expect(seen.history).toMatchObject([{ event: "grid_node_unknown" }]);
	const { decision } = await ending(seen);
	expect(decision.reason).toBe("grid_not_recognised");
	expect(decision.message).toContain('the grid has no node "node-9"; it has http://node-1:5555');
	expect(seen.history).toHaveLength(1);
});

test("a host that two nodes share ends the recording soon, with their URIs, and is not recorded", async () => {
	const seen = await watch({ gridNode: "host" });
	const nodes = [5555, 5556].map((port) => ({
		...{ id: `n${port}`, uri: `http://host:${port}` },
		slots: [{ id: `session-${port}` }],
	}));
	seen.grid.respondWith({ kind: "json", body: hubStatus(nodes) });
	const { decision } = await ending(seen);
	expect(decision.reason).toBe("grid_not_recognised");
	expect(decision.message).toContain('2 nodes share the name "host": http://host:5555, http://host:5556; set gridNode');
	expect(seen.followed).toEqual([]);
	expect(seen.history.map(({ event }) => event)).toEqual(["grid_node_unknown", "grid_node_ambiguous"]);
});

test("a session that has ended before ends the recording at once, without a session", async () => {
	const seen = await watch({ sessionId: "long gone" });
	const { decision } = await ending(seen);
	expect(decision).toMatchObject({ reason: "session_ended", message: "The session had ended before." });
});

test("a session whose node vanishes is waited for", async () => {
	const seen = await watch({ sessionId: "own", gridNode: "node-1", firstSessionTimeoutSeconds: 10 });
	show(seen.grid, { id: "own" });
	await until(
		() => seen.history.find(({ event }) => event === "session_started"),
		() => "no session",
	);
	seen.grid.respondWith({ kind: "json", body: hubStatus([]) });
	await pause(2_000);
	expect(seen.stopped).toBeNull();
	show(seen.grid, null);
	expect((await ending(seen)).decision.reason).toBe("session_ended");
});

test("a session whose node dies ends after 300 s, and the history says when the node was lost and given up", async () => {
	const down = (): void => {
		const node = { id: "n1", uri: "http://node-1:5555", availability: "DOWN", slots: [{ id: "own" }] } as const;
		seen.grid.respondWith({ kind: "json", body: hubStatus([node]) });
	};
	vi.useFakeTimers({ toFake: ["performance"], shouldAdvanceTime: true });
	onTestFinished(() => void vi.useRealTimers());
	const seen = await watch({ gridNode: "node-1" });
	show(seen.grid, { id: "own" });
	await until(
		() => seen.followed[0],
		() => "no session",
	);
	down();
	const told = (event: string) => seen.history.some((entry) => entry.event === event);
	await until(() => told("grid_node_lost"), "the node is lost");
	expect(seen.stopped).toBeNull();
	vi.advanceTimersByTime(LOST_MS);
	const { decision } = await ending(seen);
	expect(decision).toMatchObject({ reason: "session_ended", data: { sessionId: "own" } });
	expect(seen.history.map(({ event }) => event)).toEqual([
		...["grid_recognised", "session_started", "grid_node_lost", "grid_node_given_up", "session_ended"],
	]);
});
