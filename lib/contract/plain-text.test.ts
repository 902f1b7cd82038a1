/** Names that people enter follow one rule, wherever they are entered. */
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { createJobBodySchema } from "./job.ts";
import { createMarkerBodySchema } from "./marker.ts";
import { sanitizeName } from "./plain-text.ts";
import { labelSchema } from "./primitives.ts";
import { uploadRecordingQuerySchema } from "./recording.ts";
import { runnerNameSchema } from "./runner.ts";
import { autoJobBodySchema, jobReportSchema } from "./runner-protocol.ts";
import { seleniumIdleConfigSchema } from "./stop-condition.ts";

const JOB = { runnerId: 1, displayId: ":99", stopCondition: "interrupt" };
const AT = "2026-11-21T00:00:00.000Z";
const AUTO = {
	sessionId: "12345678",
	sentAt: AT,
	at: AT,
	key: "12345678",
	displayId: ":99",
	stopCondition: "interrupt",
};

/** Where names are entered, and their maximum length. */
const NAMES: Record<string, [accepts: (name: string) => { success: boolean; error?: z.ZodError }, max: number]> = {
	"a job": [(name) => createJobBodySchema.safeParse({ ...JOB, name }), 200],
	"a runner's own job": [(name) => autoJobBodySchema.safeParse({ ...AUTO, name }), 200],
	"an upload": [(name) => uploadRecordingQuerySchema.safeParse({ name }), 200],
	"a runner": [(name) => runnerNameSchema.safeParse(name), 100],
	"a key, an organization, a person": [(name) => labelSchema.safeParse(name), 100],
	"a marker": [(label) => createMarkerBodySchema.safeParse({ label }), 200],
};

const BAD: Record<string, string> = {
	NUL: "a\u0000b",
	"a line break": "a\nb",
	"a line separator": "a\u2028b",
	"an escape": "a\u001b[2Jb",
	"a C1 control": "a\u009bb",
	"a lone high surrogate": "a\ud800b",
	"a lone low surrogate": "a\udc00b",
	"only zero-width spaces": "\u200b\u200b",
	"only fillers": "\u3164\u115f\u2800",
	"only direction marks": "\u202e\u2066\u200f",
	"only tags and selectors": "\u{e0041}\ufe0f",
	"only a soft hyphen": "\u00ad",
	nothing: "   ",
};
const GOOD = ["Checkout, nightly", "日本語のテスト", "עברית", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 build", "a\u202eb", "é", "…"];

describe.each(Object.entries(NAMES))("the name of %s", (_, [parse, max]) => {
	test("has no control characters or lone surrogates, and at least one visible character", () => {
		const accepted = Object.keys(BAD).filter((kind) => parse(BAD[kind] as string).success);
		expect(accepted).toEqual([]);
		expect(GOOD.filter((name) => !parse(name).success)).toEqual([]);
	});

	test("is refused with one fault for one cause, which says what to send", () => {
		for (const bad of [...Object.values(BAD), "x".repeat(max + 1)]) {
			const issues = parse(bad).error?.issues ?? [];
			expect(issues.map(({ message }) => message)).toEqual([expect.stringMatching(/^Use /)]);
		}
		expect(parse("x".repeat(max)).success).toBe(true);
	});
});

test("any file name becomes a valid recording name, or none", () => {
	expect(sanitizeName("  Demo\u0000\n2\ud800.mp4 ", 200)).toBe("Demo  2 .mp4");
	expect(sanitizeName(`${"x".repeat(199)}👍`, 200)).toBe("x".repeat(199));
	expect(sanitizeName("\u200b", 200)).toBe("");
	for (const name of [...Object.values(BAD), ...GOOD, "x".repeat(500)]) {
		const sanitized = sanitizeName(name, 200);
		expect(sanitized === "" || uploadRecordingQuerySchema.safeParse({ name: sanitized }).success).toBe(true);
	}
});

test("text from a runner is kept as far as a database can store it, and never refused", () => {
	const note = { jobId: 1, seq: 1, at: AT, type: "note", event: "x", message: "ffmpeg:\n\u0000\ud800 \u001b[1m 👍" };
	expect(jobReportSchema.parse(note)).toMatchObject({ message: "ffmpeg:\n\ufffd\ufffd \u001b[1m 👍" });
});

test("a grid's URL and its credentials have no control characters", () => {
	const grid = (config: object) =>
		seleniumIdleConfigSchema.safeParse({ gridUrl: "http://grid:4444", ...config }).success;
	expect(grid({ gridUsername: "user name", gridPassword: "pass wörd" })).toBe(true);
	for (const bad of ["\u0000", "\n", "\t", "\r\n", "\u007f", "\u0085", "\ud800"]) {
		expect(grid({ gridUrl: `http://gr${bad}id:4444` })).toBe(false);
		expect(grid({ gridUrl: `http://grid:4444/${bad}x` })).toBe(false);
		expect(grid({ gridUsername: `u${bad}` })).toBe(false);
		expect(grid({ gridUsername: "u", gridPassword: `p${bad}` })).toBe(false);
	}
	expect(grid({ gridUrl: "http://grid:4444/a b" })).toBe(false);
});
