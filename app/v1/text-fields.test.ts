/** No field of any operation accepts text that a database cannot store. */

import { createJobUnionSchema, documentedJobBodySchema } from "@tapedeck/contract/job.ts";
import { plainText } from "@tapedeck/contract/primitives.ts";
import { displaySchema } from "@tapedeck/contract/runner.ts";
import { commandTestSchema, jobReportSchema, testMarkerSchema } from "@tapedeck/contract/runner-protocol.ts";
import { seenSessionSchema } from "@tapedeck/contract/session.ts";
import { readSteps } from "@tapedeck/contract/test-result.ts";
import { expect, test } from "vitest";
import * as z from "zod";
import type { DeclaredRoute } from "#lib/http/route-definition.ts";
import { loadRoutes } from "#lib/http/route-table.ts";
import { APP_DIR } from "#lib/server/start-server.ts";

/** PostgreSQL refuses NUL in text, and UTF-8 has no lone surrogates. */
const UNSTORABLE: Record<string, string> = { NUL: "\0", "a high surrogate": "\ud800", "a low surrogate": "\udc00" };
/** Between texts like these, which most patterns accept. */
const AROUND = [
	["", ""],
	["a", "b"],
	["12345678", "12345678"],
	["a=", "b"],
	["q=", "b"],
	["user:3", ""],
	["https://example.com/", ""],
	["https://example.com/{commit}", ""],
	["you", "@example.com"],
	["2026-11-20T00:00:00Z", ""],
];

interface Field {
	path: string;
	schema: z.core.$ZodType;
}
/** The parts of a schema that the walk needs. */
type Def = z.core.$ZodTypeDef & {
	shape?: Record<string, z.core.$ZodType>;
	element?: z.core.$ZodType;
	keyType?: z.core.$ZodType;
	valueType?: z.core.$ZodType;
	items?: z.core.$ZodType[];
	options?: z.core.$ZodType[];
	innerType?: z.core.$ZodType;
	in?: z.core.$ZodType;
	out?: z.core.$ZodType;
};

/** @returns the parts of a schema that take text, or anything. */
function fieldsOf(schema: z.core.$ZodType, path: string): Field[] {
	const def = schema._zod.def as Def;
	const under = (inner: z.core.$ZodType | undefined, name = "") =>
		inner === undefined ? [] : fieldsOf(inner, `${path}${name}`);
	switch (def.type) {
		case "object":
			return Object.entries(def.shape ?? {}).flatMap(([name, field]) => under(field, `.${name}`));
		case "array":
			return under(def.element, "[]");
		case "tuple":
			return (def.items ?? []).flatMap((item) => under(item, "[]"));
		case "record":
			return [...under(def.keyType, "{key}"), ...under(def.valueType, "{value}")];
		case "union":
			return (def.options ?? []).flatMap((option) => under(option));
		case "optional":
		case "nullable":
		case "default":
		case "prefault":
		case "catch":
		case "readonly":
			return under(def.innerType);
		case "pipe": {
			// Text may become another text, of which only the result counts.
			const source = sourceOf(schema);
			const isRead = isOpaque(source) || ["string", "record", "array"].includes(source._zod.def.type);
			return isRead ? [{ path, schema }] : under(source);
		}
		case "string":
		case "unknown":
		case "any":
		case "custom":
			return [{ path, schema }];
		case "number":
		case "int":
		case "boolean":
		case "enum":
		case "literal":
		case "null":
		case "undefined":
			return [];
		default:
			throw new Error(`${path} is a ${def.type}, which this walk does not know.`);
	}
}

/** @returns the schema that validates what enters a pipe: of z.preprocess, the one behind it. */
function sourceOf(schema: z.core.$ZodType): z.core.$ZodType {
	const { type, innerType, in: before, out: after } = schema._zod.def as Def;
	if (innerType !== undefined) return sourceOf(innerType);
	if (type !== "pipe" || before === undefined || after === undefined) return schema;
	return sourceOf(before._zod.def.type === "transform" ? after : before);
}

/** Whether a schema takes anything, or lists of anything, so that the walk does not see what it does with text. */
function isOpaque(schema: z.core.$ZodType): boolean {
	const source = sourceOf(schema);
	const { type, element } = source._zod.def as Def;
	return type === "array" && element !== undefined ? isOpaque(element) : ["unknown", "any", "custom"].includes(type);
}

/** @returns the kinds of text that the field accepts although they cannot be stored. */
function acceptedBy({ schema }: Field): string[] {
	return Object.entries(UNSTORABLE).flatMap(([kind, bad]) => {
		const isAccepted = AROUND.some(([before, after]) => {
			const text = `${before}${bad}${after}`;
			return [text, [text], { [text]: "a", a: text }].some((sent) => {
				const { success, data } = z.safeParse(schema, sent);
				return success && JSON.stringify(data ?? null).includes(JSON.stringify(bad).slice(1, -1));
			});
		});
		return isAccepted ? [kind] : [];
	});
}

const partsOf = ({ method, path, definition }: DeclaredRoute): Field[] =>
	(["params", "query", "body"] as const).flatMap((part) =>
		definition[part] === undefined ? [] : fieldsOf(definition[part], `${method} ${path} ${part}`),
	);

/** Fields that take anything, and the schemas that their contents are parsed with; the test of `steps` follows. */
const BEHIND: Record<string, z.core.$ZodType[]> = {
	"POST /v1/jobs body": [createJobUnionSchema, documentedJobBodySchema],
	"POST /v1/schedules body.job": [createJobUnionSchema, documentedJobBodySchema],
	"POST /v1/jobs/:jobId/tests body[].steps": [],
	"POST /v1/test-runs/:testRunId/tests body[].steps": [],
	// autoJobRule() parses it like the configuration of POST /v1/jobs, and nothing else of it is kept.
	"POST /v1/runner/jobs body.stopConditionConfig{key}": [],
	"POST /v1/runner/jobs body.stopConditionConfig{value}": [],
	"POST /v1/runner/reports body.displays": [displaySchema],
	// A note's data is stored as JSON, which escapes these characters.
	"POST /v1/runner/reports body.jobs[].data{key}": [],
	"POST /v1/runner/reports body.jobs[].data{value}": [],
	"POST /v1/runner/reports body.jobs[]": [jobReportSchema],
	"POST /v1/runner/reports body.jobs[].markers": [testMarkerSchema],
	"POST /v1/runner/reports body.jobs[].tests": [commandTestSchema],
	"POST /v1/runner/reports body.jobs[].tests.steps[]": [],
	"POST /v1/runner/reports body.sessions": [seenSessionSchema],
	"POST /v1/runner/sign-in body.displays": [displaySchema],
};

const fields = (await loadRoutes(APP_DIR)).flatMap(partsOf);
const behind = Object.entries(BEHIND).flatMap(([path, schemas]) => schemas.flatMap((each) => fieldsOf(each, path)));

test("no text field of any operation accepts NUL or a lone surrogate", () => {
	expect(fields.length).toBeGreaterThan(200);
	const readable = [...fields, ...behind].filter(({ path }) => BEHIND[path] === undefined);
	const accepting = readable.filter((field) => acceptedBy(field).length > 0).map(({ path }) => path);
	expect(accepting).toEqual([]);
});

test("fields that take anything are those whose contents have a schema of their own", () => {
	const opaque = [...fields, ...behind].filter(({ schema }) => isOpaque(schema));
	expect(new Set(opaque.map(({ path }) => path))).toEqual(
		new Set(Object.keys(BEHIND).filter((path) => !path.endsWith("{key}"))),
	);
});

test.each(Object.entries(UNSTORABLE))("steps of test results lose %s", (_kind, bad) => {
	const step = { title: `a${bad}b`, category: `a${bad}b`, message: `a${bad}b` };
	const read = JSON.stringify(readSteps([{ ...step, steps: [step] }]));
	expect(read).toContain('"title":"a');
	expect(read).not.toContain(JSON.stringify(bad).slice(1, -1));
});

test("the walk finds text that is not checked, wherever it is", () => {
	const text = z.string().max(100);
	const schema = z.object({
		...{ plain: text, list: z.array(text.optional()), union: z.union([z.int(), text.nullable()]) },
		...{
			keys: z.record(text, z.int()),
			values: z.record(z.enum(["a"]), text),
			trimmed: text.transform((t) => t.trim()),
		},
		...{ before: z.preprocess((value) => value, z.object({ text })), caught: text.catch(""), good: plainText("good") },
	});
	const found = fieldsOf(schema, "").filter((field) => acceptedBy(field).length > 0);
	const names = [".plain", ".list[]", ".union", ".keys{key}", ".values{value}", ".trimmed", ".before.text", ".caught"];
	expect(found.map(({ path }) => path)).toEqual(names);
});
