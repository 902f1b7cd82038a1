/** Names that people enter follow one rule, wherever they are entered. */
import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { createJobBodySchema } from "./job.ts";
import { createMarkerBodySchema } from "./marker.ts";
import { MAX_MESSAGE_BYTES, sanitizeMessage, sanitizeName } from "./plain-text.ts";
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

/** Fields that take names, with their maximum length. */
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
	const note = {
		jobId: 1,
		jobKey: "12345678",
		seq: 1,
		at: AT,
		type: "note",
		event: "x",
		message: "ffmpeg:\n\u0000\ud800 \u001b[1m 👍",
	};
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

describe("messages", () => {
	const bytesOf = (text: string | null) => Buffer.byteLength(text ?? "");

	test.each([
		["lines, tabs and indentation stay", "  Error: x\n\tat y\n", "  Error: x\n\tat y"],
		["every kind of line end is a line feed", "a\r\nb\rc\u2028d\u2029e", "a\nb\nc\nd\ne"],
		["colours are removed", "\u001b[31mError\u001b[0m: \u001b[1;38;5;9mno\u001b[m \u009b2Kyes", "Error: no yes"],
		["links of terminals are their text", "\u001b]8;;https://x.test\u0007here\u001b]8;;\u001b\\!", "here!"],
		["other terminal sequences are removed", "\u001bc\u001b(B\u001bP1;2q data\u001b\\a\u001b[?25lb", "ab"],
		["a sequence that never ends costs its ESC alone", "a\u001b]0;titl\nb \u001b[", "a]0;titl\nb ["],
		["control characters are removed", "a\u0000b\u0008c\u007fd\u0085e", "abcde"],
		["half a surrogate pair becomes a replacement character", "a\ud83db\udca5c", "a\ufffdb\ufffdc"],
		["emoji and other scripts stay", "💥 Ошибка 失敗", "💥 Ошибка 失敗"],
		["empty lines before and space after it go", "\n \n  E  x\n\n  ", "  E  x"],
	])("%s", (_title, text, message) => {
		expect(sanitizeMessage(text)).toBe(message);
	});

	test("a text without visible characters is empty", () => {
		for (const text of ["", " \n\t", "\u001b[0m", "\u0000", "\u200b"]) expect(sanitizeMessage(text)).toBeNull();
	});

	test("a message of the largest size stays, and a longer one is cut between characters and says by how many", () => {
		const largest = "x".repeat(MAX_MESSAGE_BYTES);
		expect(sanitizeMessage(largest)).toBe(largest);
		for (const letter of ["x", "é", "失", "💥"]) {
			const count = 20_000;
			const message = sanitizeMessage(letter.repeat(count)) ?? "";
			expect(bytesOf(message)).toBeLessThanOrEqual(MAX_MESSAGE_BYTES);
			expect(bytesOf(message)).toBeGreaterThan(MAX_MESSAGE_BYTES - 70);
			const [kept = "", note = ""] = message.split("\n");
			expect(kept).toBe(letter.repeat([...kept].length));
			expect(note).toBe(`… (cut: ${(count - [...kept].length).toLocaleString("en-US")} more characters)`);
			expect(sanitizeMessage(message)).toBe(message);
		}
	});

	test("hostile text takes linear time", () => {
		for (const text of ["\u001b]", "\u001b[1", "\u001bP", " \n", "\u001b "]) {
			// In quadratic time, this takes minutes.
			expect(sanitizeMessage(`${text.repeat(300_000)} end`)).toBeTypeOf("string");
		}
	});
});
