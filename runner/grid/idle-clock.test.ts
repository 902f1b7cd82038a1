import { describe, expect, test } from "vitest";
import type { Poll } from "./grid-health.ts";
import { IdleClock, type IdleDecision } from "./idle-clock.ts";

type Seen = Poll["seen"];
const sessions = (active: number): Seen => ({ kind: "count", active, sessions: null });
const unknown: Seen = { kind: "unknown", why: "no nodes" };
const unreachable: Seen = { kind: "unreachable", why: "refused" };
const noJson: Seen = { kind: "no_json", why: "html" };
const unauthorized: Seen = { kind: "unauthorized", status: 401 };

interface Script {
	/** The grid's answer to a poll sent at `at` ms. */
	says(at: number): Seen;
	/** The delay of an answer, in ms. */
	latency?: (at: number) => number;
	untilMs: number;
	/** ms between the start of the recording and the first poll. */
	phaseMs?: number;
	/** `[from, to)` in ms in which nothing is polled. */
	stoodStill?: [number, number];
	firstSessionTimeoutMs?: number;
	sessionSeen?: boolean;
}

/** Runs a scripted grid against the rules: a poll every 500 ms, answers in order. */
function play(script: Script): { at: number; decision: IdleDecision } | null {
	const { latency = () => 5, phaseMs = 0 } = script;
	const clock = new IdleClock({
		at: 0,
		firstSessionTimeoutMs: script.firstSessionTimeoutMs ?? 0,
		sessionSeen: script.sessionSeen ?? false,
	});
	let answeredAt = 0;
	const [stopped, resumed] = script.stoodStill ?? [Infinity, Infinity];
	for (let askedAt = phaseMs; askedAt < script.untilMs; askedAt += 500) {
		if (askedAt >= stopped && askedAt < resumed) continue;
		answeredAt = Math.max(answeredAt, askedAt + latency(askedAt));
		const decision = clock.take({ askedAt, answeredAt, seen: script.says(askedAt) });
		if (decision) return { at: answeredAt, decision };
	}
	return null;
}

/** Busy except in the gaps, each `[from, to)` in ms. */
const busyBut =
	(...gaps: [number, number][]) =>
	(at: number): Seen =>
		sessions(gaps.some(([from, to]) => at >= from && at < to) ? 0 : 1);

/** Five gaps with sessions of `sessionMs` between them. */
const gapsOf = (gapMs: number, sessionMs: number): [number, number][] =>
	[0, 1, 2, 3, 4].map((index) => {
		const from = 5_000 + index * (gapMs + sessionMs);
		return [from, from + gapMs];
	});

describe("idleness", () => {
	test("ends 5.0 to 6.0 s after the first zero", () => {
		for (let phaseMs = 0; phaseMs < 500; phaseMs += 7) {
			for (const ms of [1, 5, 50, 200, 499]) {
				const script = { says: busyBut([10_000, 1e9]), untilMs: 60_000, phaseMs, latency: () => ms };
				const end = play(script);
				expect(end?.decision.reason).toBe("selenium_idle");
				const first = Math.ceil((10_000 - phaseMs) / 500) * 500 + phaseMs + ms;
				expect((end?.at ?? 0) - first).toBeGreaterThanOrEqual(5_000);
				expect((end?.at ?? 0) - first).toBeLessThanOrEqual(6_000);
			}
		}
	});

	test("gaps of up to 4 s between sessions never end the recording, however slow the grid", () => {
		for (const gap of [1_000, 2_500, 3_900, 4_000]) {
			for (let phaseMs = 0; phaseMs < 500; phaseMs += 9) {
				for (const ms of [2, 400, 900, 1_500, 1_990]) {
					const gaps = gapsOf(gap, 600);
					// The grid counts when the request arrives, when the answer leaves, or varies.
					for (const taken of [0, 1, 0.5]) {
						const says = (at: number) => busyBut(...gaps)(at + taken * ms);
						expect(play({ says, latency: () => ms, untilMs: 20_000, phaseMs }), `${gap} ${phaseMs} ${ms}`).toBeNull();
					}
					// Sessions are long enough that such an answer cannot miss them.
					const jumpy = (at: number) => busyBut(...gapsOf(gap, 2_500))(at + ((at * 7919) % ms));
					expect(play({ says: jumpy, latency: () => ms, untilMs: 20_000, phaseMs })).toBeNull();
				}
			}
		}
	});

	test("gaps of 7 s always end the recording, however slow the grid", () => {
		for (let phaseMs = 0; phaseMs < 500; phaseMs += 3) {
			for (const ms of [2, 400, 900, 1_500, 1_990]) {
				const end = play({ says: busyBut([5_000, 12_000]), latency: () => ms, untilMs: 60_000, phaseMs });
				expect(end?.decision.reason, `${phaseMs} ${ms}`).toBe("selenium_idle");
				expect(end?.at).toBeLessThan(15_000);
			}
		}
	});

	test("the decision names the first and the last zero, and counts only the zeros of that streak", () => {
		const end = play({ says: () => sessions(0), untilMs: 60_000 });
		expect(end?.decision).toMatchObject({ zeros: 11 });
		const again = play({ says: (at) => sessions(at === 2_000 ? 1 : 0), untilMs: 60_000 });
		expect(again?.decision).toMatchObject({ zeros: 11 });
		const polls = end?.decision.polls ?? [];
		expect(polls[0]?.askedAt).toBe(0);
		expect(polls.at(-1)?.askedAt).toBe(5_000);
		expect(polls.every(({ seen }) => seen.kind === "count" && seen.active === 0)).toBe(true);
	});

	test.each([
		["an answer without sessions", unknown],
		["no answer", unreachable],
		["an answer that is not JSON", noJson],
		["a refusal", unauthorized],
	])("%s does not count as a zero and restarts the 5 s", (_words, seen) => {
		const says = (at: number) => (at === 4_500 ? seen : sessions(0));
		expect(play({ says, untilMs: 60_000 })?.at).toBe(10_005);
		const now_and_then = (at: number) => (at % 4_000 === 0 ? seen : sessions(0));
		expect(play({ says: now_and_then, untilMs: 300_000 })).toBeNull();
	});

	test("idleness before and after a runner stood still is not 5 s of it: sessions may have come and gone", () => {
		const says = busyBut([10_000, 12_000], [21_000, 23_000]);
		expect(play({ says, stoodStill: [10_500, 22_000], untilMs: 60_000 })).toBeNull();
		// The idle time starts again at the first zero after the pause.
		expect(play({ says: busyBut([10_000, 1e9]), stoodStill: [10_500, 22_000], untilMs: 60_000 })?.at).toBe(27_005);
		// A busy machine that polls a little late does not begin anew.
		expect(play({ says: busyBut([10_000, 1e9]), stoodStill: [10_500, 12_000], untilMs: 60_000 })?.at).toBe(15_005);
	});

	test("answers without session data never end a recognised grid's recording", () => {
		const says = (at: number) => (at < 1_000 ? sessions(1) : unknown);
		expect(play({ says, untilMs: 3_600_000 })).toBeNull();
	});
});

describe("waiting for the first session", () => {
	test("without a session, idleness counts from the timeout on", () => {
		expect(play({ says: () => sessions(0), firstSessionTimeoutMs: 60_000, untilMs: 90_000 })?.at).toBe(65_005);
	});

	test("after a first session, idleness counts at once", () => {
		const says = (at: number) => sessions(at >= 2_000 && at < 4_000 ? 1 : 0);
		expect(play({ says, firstSessionTimeoutMs: 60_000, untilMs: 90_000 })?.at).toBe(9_005);
	});

	test("a session that triggered the recording counts as the first session", () => {
		const script = { says: () => sessions(0), firstSessionTimeoutMs: 60_000, sessionSeen: true, untilMs: 90_000 };
		expect(play(script)?.at).toBe(5_005);
	});
});

describe("a failing grid", () => {
	const busyThen = (seen: Seen) => (at: number) => (at < 10_000 ? sessions(1) : seen);

	test.each([
		["connection errors, timeouts and 5xx", unreachable],
		["answers that are not JSON", noJson],
	])("%s for 60 s are grid_unreachable", (_words, seen) => {
		const end = play({ says: busyThen(seen), untilMs: 200_000 });
		expect(end?.decision.reason).toBe("grid_unreachable");
		expect(end?.at).toBe(70_005);
	});

	test("one answer in between restarts the 60 s", () => {
		const says = (at: number) => (at < 10_000 || at === 60_000 ? sessions(1) : unreachable);
		expect(play({ says, untilMs: 200_000 })?.at).toBe(120_505);
		const unknownBetween = (at: number) => (at < 10_000 ? sessions(1) : at === 60_000 ? unknown : unreachable);
		expect(play({ says: unknownBetween, untilMs: 200_000 })?.at).toBe(120_505);
	});

	test("time in which a runner stood still is not time without an answer", () => {
		const end = play({ says: busyThen(unreachable), stoodStill: [10_500, 80_000], untilMs: 200_000 });
		expect(end?.decision.reason).toBe("grid_unreachable");
		expect(end?.at).toBe(140_005);
		expect(play({ says: () => unknown, stoodStill: [500, 80_000], untilMs: 130_000 })).toBeNull();
	});

	test("a grid that never answers is grid_unreachable after 60 s", () => {
		const end = play({ says: () => unreachable, untilMs: 200_000 });
		expect(end?.decision.reason).toBe("grid_unreachable");
		expect(end?.at).toBe(60_005);
	});

	test.each([
		["web page", noJson],
		["JSON service", unknown],
	])("a %s that is not a grid is grid_not_recognised after 60 s", (_words, seen) => {
		const end = play({ says: () => seen, untilMs: 200_000 });
		expect(end?.decision.reason).toBe("grid_not_recognised");
		expect(end?.at).toBeGreaterThanOrEqual(60_000);
		expect(end?.at).toBeLessThan(61_000);
	});

	test("three consecutive refusals are grid_unauthorized, two are not", () => {
		expect(play({ says: busyThen(unauthorized), untilMs: 60_000 })?.decision.reason).toBe("grid_unauthorized");
		expect(play({ says: busyThen(unauthorized), untilMs: 60_000 })?.at).toBe(11_005);
		const twice = (at: number) => (at % 1_500 === 0 ? sessions(1) : unauthorized);
		expect(play({ says: twice, untilMs: 300_000 })).toBeNull();
	});
});
