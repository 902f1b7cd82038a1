import type { Job, JobEvent } from "@tapedeck/contract/job.ts";
import { expect, test } from "vitest";
import { endingOf } from "../job-ending.ts";
import { endedText, failureObservation } from "./ending-text.ts";

const START = Date.parse("2026-11-21T10:00:00.000Z");
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();

const job = (fields: Partial<Job>): Job =>
	({
		id: 1,
		type: "recording",
		status: "completed",
		stopCondition: "interrupt",
		stopConditionConfig: {},
		startedAt: at(0),
		stoppedAt: at(12.4),
		recording: null,
		...fields,
	}) as Job;

const event = (type: string, data: JobEvent["data"]): JobEvent => ({ id: 1, type, at: at(12), message: "", data });
const grid = { stopCondition: "selenium_idle", stopConditionConfig: { gridUrl: "http://grid:4444" } } as const;
const words = (one: Job, ...events: JobEvent[]) => endedText(one, endingOf(one, events));

test("a cancel names who asked and how long was recorded; of an interrupt job it is the usual stop", () => {
	const asked = event("cancel_requested", { by: "Ann" });
	expect(words(job({ stopReason: "cancelled" }), asked)).toBe("Stopped by Ann after 12.4 s.");
	expect(words(job({ stopReason: "cancelled", ...grid }), asked)).toContain("Everything recorded until then is saved.");
	expect(words(job({ stopReason: "cancelled", status: "cancelled", startedAt: null }), asked)).toMatch(
		/^Cancelled by Ann before the first frame/,
	);
});

test("a duration says how long it was", () => {
	const recording = { state: "ready", durationSeconds: 30 } as Job["recording"];
	expect(words(job({ stopReason: "duration_elapsed", recording }))).toBe("Reached its duration of 30.0 s.");
});

test("a recording that stalled says for how long, whatever ended it", () => {
	const stopped = event("stopped", { stalls: 1, stalledSeconds: 14.02 });
	expect(words(job({ stopReason: "duration_elapsed" }), stopped)).toBe(
		"Reached its duration of 12.4 s. Capture stalled for 14.0 s; the video holds the last frame before it.",
	);
	const twice = event("stopped", { stalls: 2, stalledSeconds: 75 });
	expect(words(job({ stopReason: "cancelled" }), twice)).toContain("Capture stalled 2 times, 1 min 15 s in total;");
});

test("an idle grid is explained by the polls that confirmed it", () => {
	const poll = (seconds: number) => ({ at: at(seconds), tookMs: 3, seen: "count", active: 0 });
	const stopped = event("stopped", { polls: [poll(41), poll(45.6), poll(46.2)], zeros: 11 });
	expect(words(job({ stopReason: "selenium_idle", ...grid }), stopped)).toBe(
		"Stopped: no Selenium sessions for 5.2 s (11 checks of http://grid:4444).",
	);
});

test("without its history, or with one that cannot be read, the reason stands alone", () => {
	const idle = job({ stopReason: "selenium_idle", ...grid });
	const alone = "Stopped: no Selenium sessions for 5 s.";
	expect(words(idle)).toBe(alone);
	expect(words(idle, event("stopped", { polls: "many" }))).toBe(alone);
	expect(words(idle, event("stopped", { polls: [null, {}, { at: "soon", seen: "count" }] }))).toBe(alone);
	expect(words(job({ stopReason: "cancelled", stoppedAt: null }))).toBe("Stopped.");
});

test("a grid that was unreachable, or refused, is explained by what its polls saw", () => {
	const silent = event("stopped", { polls: [{ at: at(70), seen: "unreachable", why: "ECONNREFUSED" }] });
	expect(words(job({ stopReason: "grid_unreachable", ...grid }), silent)).toMatch(
		/http:\/\/grid:4444 was unreachable for 60 seconds: ECONNREFUSED\./,
	);
	const refused = job({ status: "failed", stopReason: "grid_unauthorized", ...grid });
	const polls = [1, 2, 3].map((second) => ({ at: at(second), seen: "unauthorized", status: 401 }));
	expect(failureObservation(refused, endingOf(refused, [event("stopped", { polls })]))).toBe(
		"The grid answered 401 to 3 checks in a row.",
	);
	expect(failureObservation(refused, endingOf(refused, []))).toBeNull();
});
