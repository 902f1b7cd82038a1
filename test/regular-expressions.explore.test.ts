/**
 * No regular expression of the product takes quadratic time or longer, so that no text that enters can hold up a process.
 * recheck finds attacks by analysis and by fuzzing.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import { check } from "recheck";
import { expect, test } from "vitest";
import { root } from "../bin/setup/run.mjs";
import { isTest, projectFiles } from "./reach.ts";

const PRODUCT = /^(app|clients|components|contract|lib|machine|media|runner)\/.*\.tsx?$/;

/** Files whose expressions only see short text, or text of the operator and the user. With the reason. */
const BOUNDED_FILES: Readonly<Record<string, string>> = {
	"contract/plain-text.ts": "its quadratic expression is part of the OpenAPI document, and never runs",
	"contract/series.ts": "values of labels, of at most 255 characters",
	"lib/server/check-config.ts": "variables of the environment",
	"lib/server/known-variables.ts": "variables of the environment",
	"lib/s3/storage-url.ts": "variables of the environment",
	"runner/commands/command-name.ts": "the command that the user runs",
};
/** The same of single expressions. */
const BOUNDED: Readonly<Record<string, string>> = {
	"/\\/+$/": "URLs of the environment, and of at most 2,000 characters",
	"/^-+|-+$/g": "names of organizations",
	"/^[. ]+|[. ]+$/g": "names of recordings, of at most 200 characters",
	"/T.*[\\dZ]$/": "text that matches MOMENT",
	"/^Bearer(?:\\s+(.*))?$/i": "a header, which has no line breaks",
	"/\\/([a-z0-9-]{1,64})\\/?(?:\\?.*)?$/": "a request target, which has no line breaks",
	"/ Wait longer.*$/": "text of our own",
	"/\\b((?:https?|file|blob|data):\\S+?):(\\d+):\\d+\\)?$/m": "10,000 characters of a stack",
};

test("no regular expression of the product can be made to take quadratic time", async () => {
	const found = new Map<string, { source: string; flags: string; at: string }>();
	for (const file of projectFiles().filter((file) => PRODUCT.test(file) && !isTest(file))) {
		const plugins = ["typescript" as const, ...(file.endsWith("x") ? ["jsx" as const] : [])];
		const { program } = parse(readFileSync(join(root, file), "utf8"), { sourceType: "module", plugins });
		for (const { pattern, flags, loc } of regularExpressions(program)) {
			found.set(`/${pattern}/${flags}`, { source: pattern, flags, at: `${file}:${loc.start.line}` });
		}
	}
	expect(found.size).toBeGreaterThan(300);
	const vulnerable: string[] = [];
	for (const [literal, { source, flags, at }] of found) {
		if (literal in BOUNDED || (at.split(":")[0] ?? "") in BOUNDED_FILES) continue;
		const result = await check(source, flags, { timeout: 5_000 });
		// A check that ends without a result has found no attack.
		if (result.status === "vulnerable") vulnerable.push(`${at} ${literal} by ${result.attack.pattern}`);
	}
	expect(vulnerable).toEqual([]);
}, 600_000);

type Literal = { pattern: string; flags: string; loc: { start: { line: number } } };

function regularExpressions(node: unknown): Literal[] {
	if (typeof node !== "object" || node === null) return [];
	if ((node as { type?: unknown }).type === "RegExpLiteral") return [node as Literal];
	return Object.values(node).flatMap(regularExpressions);
}
