/**
 * No regular expression of the product can hold up a process with text that enters. Either it takes linear time, or the text
 * that it sees is so short that its slowest case takes no time: the table of bounds says how short, and the slowest case is
 * measured at that length. recheck finds attacks by analysis and by fuzzing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { MAX_MESSAGE_BYTES } from "@tapedeck/contract/plain-text.ts";
import { MAX_STACK_BYTES } from "@tapedeck/contract/test-result.ts";
import { check } from "recheck";
import { expect, test } from "vitest";
import { causeOf } from "#lib/test-results/store/cause.ts";
import { root } from "../bin/setup/run.mjs";
import { isTest, projectFiles } from "./reach.ts";

const PRODUCT = /^(app|clients|components|contract|lib|machine|media|runner)\/.*\.tsx?$/;

/** Files whose expressions see only text of the operator, of the user's own command or of this project. */
const TRUSTED: Readonly<Record<string, string>> = {
	"clients/typescript/src/known-variables.ts": "names of variables of the environment",
	"contract/plain-text.ts": "its quadratic expression is part of the OpenAPI document, and never runs",
	"lib/server/check-config.ts": "variables of the environment",
	"lib/server/known-variables.ts": "variables of the environment",
	"lib/server/guides.ts": "headings of this project's guides",
	"lib/s3/storage-url.ts": "variables of the environment",
	"runner/commands/command-name.ts": "the command that the user runs",
};

interface Bound {
	/** The most characters that the expression sees. */
	max: number;
	/** The reason, with the constant or the schema that sets the limit. */
	because: string;
}
const LINE = { max: 600, because: "a line of a stack (MAX_LINE), of a message, or a test's title" };
const PARAGRAPH = { max: 2_000, because: "at most four lines of a message of 400 characters each (MAX_PARAGRAPH)" };

/** By expression, or by file for all of its expressions. */
const BOUNDS: Readonly<Record<string, Bound>> = {
	"contract/series.ts": { max: 255, because: "values of labels" },
	"lib/test-results/store/cause.ts": PARAGRAPH,
	"lib/test-results/store/cause/frame.ts": LINE,
	"lib/test-results/store/cause/reason.ts": LINE,
	"lib/test-results/store/cause/subject.ts": { max: 400, because: "a line of a reason (MAX_LINE)" },
	"lib/test-results/store/cause/template.ts": PARAGRAPH,
	"lib/test-results/store/cause/title.ts": LINE,
	"media/content-disposition.ts": { max: 150, because: "names of files (MAX_NAME_CHARACTERS)" },
	"/\\/+$/": { max: 2_000, because: "URLs of the environment and of addresses that people enter" },
	"/^-+|-+$/g": { max: 100, because: "names of organizations" },
	"/^[. ]+|[. ]+$/g": { max: 200, because: "names of recordings" },
	"/_+$/": { max: 100, because: "names of parameters in an address, by the expressions that find them" },
	"/T.*[\\dZ]$/": { max: 100, because: "text that matches MOMENT" },
	"/(?:%(?:25)*[\\da-f]?|\\\\+(?:u[\\da-f]{0,3})?|\\u001b(?:\\[[0-?]*)?)$/i": { max: 40, because: "MAX_OPEN_ENCODING" },
	"/(^|[-_.])trace([-_.].*)?\\.zip$/i": { max: 200, because: "names of attachments" },
	"/\\/([a-z0-9-]{1,64})\\/?(?:\\?.*)?$/s": {
		max: 16_384,
		because: "a request target: Node accepts 16 KiB of headers",
	},
	"/\\[\\[ATTACHMENT\\|([^[\\]\\n]{1,4096})\\]\\]/g": {
		max: 70_000,
		because: "a piece of text from the parser, which has at most 64 KiB, and the end of the one before",
	},
	"/ Wait longer.*$/": { max: 500, because: "text of our own" },
	"/\\b((?:https?|file|blob|data):\\S+?):(\\d+):\\d+\\)?$/m": { max: 10_000, because: "the start of a stack" },
};

/** No operation of a call holds the event loop for longer. In processor time, which does not depend on other load. */
const MAX_MS = 50;

test("no regular expression of the product takes long for text that reaches it", async () => {
	const found = new Map<string, { source: string; flags: string; at: string }>();
	for (const file of projectFiles().filter((file) => PRODUCT.test(file) && !isTest(file))) {
		const plugins = ["typescript" as const, ...(file.endsWith("x") ? ["jsx" as const] : [])];
		const { program } = parse(readFileSync(join(root, file), "utf8"), { sourceType: "module", plugins });
		for (const { pattern, flags, loc } of regularExpressions(program)) {
			found.set(`/${pattern}/${flags}`, { source: pattern, flags, at: `${file}:${loc.start.line}` });
		}
	}
	expect(found.size).toBeGreaterThan(300);
	const faults: string[] = [];
	for (const [literal, { source, flags, at }] of found) {
		const file = at.split(":")[0] ?? "";
		if (file in TRUSTED) continue;
		const result = await check(source, flags, { timeout: 5_000 });
		// A check that ends without a result has found no attack.
		if (result.status !== "vulnerable") continue;
		const { pumps, suffix } = result.attack;
		const bound = BOUNDS[literal] ?? BOUNDS[file];
		const attack = `${at} ${literal} by ${result.attack.pattern}`;
		if (bound === undefined) {
			faults.push(`${attack}: name the bound of its text`);
			continue;
		}
		const text = textOf(pumps, suffix, bound.max);
		const alone = bestOf(() => new RegExp(source, flags).test(text));
		if (alone > MAX_MS) faults.push(`${attack}: ${Math.round(alone)} ms for ${bound.max} characters`);
		if (!file.startsWith("lib/test-results/store/cause")) continue;
		const line = textOf(pumps, suffix, 400).replaceAll("\n", " ");
		const filled = (max: number) => `${line}\n`.repeat(Math.ceil(max / (line.length + 1))).slice(0, max);
		for (const [message, stack] of [
			[filled(MAX_MESSAGE_BYTES), null],
			[line, filled(MAX_STACK_BYTES)],
			[null, filled(MAX_STACK_BYTES)],
		] as const) {
			const whole = bestOf(() => causeOf({ message, stack, test: line, file: null }));
			if (whole > MAX_MS) faults.push(`${attack}: ${Math.round(whole)} ms for the cause of a failure`);
		}
	}
	expect(faults).toEqual([]);
}, 900_000);

/** The attack in so many characters. */
function textOf(pumps: readonly { prefix: string; pump: string }[], suffix: string, length: number): string {
	const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
	const each = pumps.reduce((sum, { pump }) => sum + pump.length, 0);
	const times = Math.max(1, Math.floor((length - fixed) / each));
	return `${pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join("")}${suffix}`;
}

/** @returns the processor time of the shortest of three runs, in milliseconds: garbage collections only add to it. */
function bestOf(work: () => unknown): number {
	const times = [1, 2, 3].map(() => {
		const before = process.threadCpuUsage();
		work();
		const { user, system } = process.threadCpuUsage(before);
		return (user + system) / 1_000;
	});
	return Math.min(...times);
}

type Literal = { pattern: string; flags: string; loc: { start: { line: number } } };

function regularExpressions(node: unknown): Literal[] {
	if (typeof node !== "object" || node === null) return [];
	if ((node as { type?: unknown }).type === "RegExpLiteral") return [node as Literal];
	return Object.values(node).flatMap(regularExpressions);
}
