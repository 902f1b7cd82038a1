/** Converts zod's issues into the faults of a problem document: one entry each, all at once. */
import type * as z from "zod";
import type { Fault } from "./problem.ts";

type Issue = z.core.$ZodIssue;

const dotted = (path: readonly PropertyKey[]): string => path.map(String).join(".");

function faultCode(issue: Issue, missing: boolean): string {
	if (missing) return "required";
	switch (issue.code) {
		case "invalid_type":
			return "invalid_type";
		case "too_small":
			return "too_small";
		case "too_big":
			return "too_big";
		case "invalid_format":
			return "invalid_format";
		case "invalid_value":
			return "invalid_value";
		default:
			return "invalid";
	}
}

/** The value at a path of the input, to distinguish missing fields from wrong ones. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
	let value = input;
	for (const key of path) {
		// `?status=x` is read as a list of one. A value is present, also if the path is of a part of it.
		if (value === null || typeof value !== "object") return value;
		value = (value as Record<PropertyKey, unknown>)[key];
	}
	return value;
}

/**
 * The faults of `input`, from the issues that zod found in it. Unknown fields are reported at their own paths.
 * @param limit the most faults to return; the rest costs no work.
 */
export function faultsOf(issues: readonly Issue[], input: unknown, limit: number = Number.POSITIVE_INFINITY): Fault[] {
	const faults: Fault[] = [];
	for (const issue of issues) {
		if (issue.code === "unrecognized_keys") {
			for (const key of issue.keys.slice(0, limit - faults.length)) faults.push(unknownField(issue, key));
		} else faults.push(faultOf(issue, input));
		if (faults.length >= limit) break;
	}
	return faults;
}

/** @returns the number of faults, including those beyond the limit of `faultsOf`. */
export const countFaults = (issues: readonly Issue[]): number =>
	issues.reduce((count, issue) => count + (issue.code === "unrecognized_keys" ? issue.keys.length : 1), 0);

const unknownField = (issue: Issue, key: string): Fault => ({
	path: dotted([...issue.path, key]),
	code: "unknown_field",
	message: `Unknown field. Remove ${key}.`,
});

function faultOf(issue: Issue, input: unknown): Fault {
	const path = dotted(issue.path);
	const missing = issue.path.length > 0 && valueAt(input, issue.path) === undefined;
	const plain = /^(Invalid (input|option|string)|Too (small|big)|Unrecognized)/.test(issue.message);
	const message = missing
		? `Required. ${plain ? `Send ${path}.` : issue.message}`
		: plain && issue.code === "invalid_type"
			? `Send ${describe(issue.expected)}${path === "" ? " as the body" : ""}.`
			: issue.message;
	return { path, code: faultCode(issue, missing), message };
}

function describe(expected: string): string {
	return (
		{
			object: "a JSON object",
			array: "a list",
			string: "a string",
			number: "a number",
			int: "a whole number",
			boolean: "true or false",
		}[expected] ?? expected
	);
}
