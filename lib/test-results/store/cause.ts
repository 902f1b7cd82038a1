/**
 * The cause of a failure, which it has in common with failures of the same bug: a hash of what identifies the bug. That is what
 * the failure is about (a locator, the element in the way, an awaited event, a snapshot), or else the kind of error, the
 * template of the message, and the first frame of the user's own code. An assertion of mere values goes by its test.
 *
 * Deterministic, and the same on every dashboard. `CAUSE_RULES` is stored with each result: see `recomputeCauses`.
 */
import { createHash } from "node:crypto";
import { sanitizeMessage } from "@tapedeck/contract/plain-text.ts";
import { baseTest, linesOf, type OfTest, ownFrame, parametersOf } from "./cause/frame.ts";
import { type Reason, reasonOf } from "./cause/reason.ts";
import { subjectOf } from "./cause/subject.ts";
import { templateOf } from "./cause/template.ts";

/** Raise it with every change of the rules that gives a failure another cause. */
export const CAUSE_RULES = 4;

/** A failure as it is reported. */
export interface Failure extends OfTest {
	message: string | null;
	stack: string | null;
}

/** @returns 16 hexadecimal digits. */
export const causeOf = (failure: Failure): string =>
	createHash("sha256").update(identityOf(failure)).digest("hex").slice(0, 16);

/** The identity of the bug as readable text. */
export function identityOf({ message, stack, test, file }: Failure): string {
	const text = sanitizeMessage(message ?? "") ?? "";
	const trace = stack ?? "";
	const reason = reasonOf(text, trace, test);
	const volatile = parametersOf(test);
	const { about, text: assertion } = subjectOf(reason, volatile);
	if (about !== null) return `about ${about}`;
	const said = assertion ?? templateOf(paragraph(reason.lines), volatile);
	const root = reason.root === null ? "" : ` < ${templateOf(reason.root, volatile)}`;
	const { frame, outer, body } = ownFrame(linesOf(trace === "" ? text : trace), { test, file });
	const isTelling = hasContent(said) || hasContent(root);
	// A helper that compares any values says less than its caller.
	if (frame !== null)
		return `${reason.kind}: ${said}${root} in ${frame}${isTelling || outer === null ? "" : ` of ${outer}`}`;
	if (!isTelling || isCase(said, reason, volatile))
		return `test ${baseTest(test)}: ${isTelling ? "" : `${reason.kind} ${said}`.trim()}`;
	return `${reason.kind}: ${said}${root}${assertion === null || body === null ? "" : ` near ${body}`}`;
}

/** Whether it is one of a table of cases, whose assertion names the case: the test that runs them all fails without a reason. */
const isCase = (said: string, reason: Reason, volatile: readonly string[]): boolean =>
	/\b(?:want|wanted|got)\b/.test(said) && reason.lines.some((line) => volatile.some((word) => line.includes(word)));

const MAX_PARAGRAPH = 4;

/** The first paragraph, and the next ones while it only introduces them. */
function paragraph(lines: readonly string[]): string {
	const taken: string[] = [];
	for (const line of lines) {
		const last = taken.at(-1);
		if (line === "") {
			if (last !== undefined && !last.endsWith(":") && hasContent(templateOf(taken.join(" ")))) break;
			continue;
		}
		taken.push(line);
		if (taken.length === MAX_PARAGRAPH) break;
	}
	return taken.join(" ");
}

/** Words of assertions and of time-outs, which any test may have. */
const GENERIC = new Set(
	`assert asserting assertion assertions failed failure failing fail fails error errors exception expected expect expecting receive received actual actually got want wanted found
	to be been being equal equals equality deep deeply strict strictly loosely same identical match matches value values should that this was were is are not no nor but with without of the a an and or in it its than for from by at
	true false null none nil undefined nan empty truthy falsy greater less least most exactly close
	object objects array arrays string number boolean list map set dict type types length size count times calls call called number function mock spy fn
	left right side sides diff difference differ differs different snapshot obtained
	test tests tested pytest json strings index hook timeout timed out exceeded exceeding exceed time limit after before waiting wait while on predicate within async hooks ensure done returning promise resolves execution
	thrown throw throws raise raises raised did nothing name toBe toEqual toStrictEqual toBeTruthy toBeFalsy toBeNull toBeUndefined toBeDefined toHaveLength toBeGreaterThan toBeLessThan toBeGreaterThanOrEqual toBeLessThanOrEqual toBeCloseTo toThrow toBeNaN toMatchObject toHaveBeenCalledTimes toHaveBeenCalled toHaveBeenCalledWith toHaveBeenLastCalledWith toHaveReturned resolves rejects areequal istrue isfalse that collection message
	missing exceptions rejection elements element occurrences unexpected`
		.split(/\s+/)
		.map((word) => word.toLowerCase()),
);

/** Whether anything is left that identifies a bug, apart from the words of an assertion. */
function hasContent(template: string): boolean {
	if (/"[^"…]*\p{L}{3}[^"]*"/u.test(template)) return true;
	for (const [name] of template.matchAll(/[\p{L}\d_$.\\]+/gu)) {
		// A class of errors says what kind of error it is, not which.
		if (/(?:Error|Exception)$/.test(name.slice(-9))) continue;
		for (const word of name.split(/[^\p{L}]+/u)) if (word.length > 1 && !GENERIC.has(word.toLowerCase())) return true;
	}
	return false;
}
