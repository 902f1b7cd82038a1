import { PLAIN_TEXT } from "@tapedeck/contract/plain-text.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import released from "../../docs/openapi.json" with { type: "json" };
import { breakingChanges } from "./breaking-changes.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
type Json = any;

/** A document with one operation that takes and returns these schemas. */
const documentOf = (body: Json, answer: Json): Json => ({
	paths: {
		"/v1/things": {
			post: {
				operationId: "createThing",
				security: [{ apiKey: [] }],
				parameters: [
					{ name: "limit", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 9 } },
				],
				requestBody: { required: true, content: { "application/json": { schema: body } } },
				responses: { 201: { content: { "application/json": { schema: answer } } } },
			},
		},
	},
	components: { schemas: {} },
});

const name = fc.stringMatching(/^[a-z]{1,6}$/);
const leaf: fc.Arbitrary<Json> = fc.oneof(
	fc.record({ type: fc.constant("string"), minLength: fc.nat(5), maxLength: fc.integer({ min: 6, max: 20 }) }),
	fc.record({ type: fc.constant("integer"), minimum: fc.nat(5), maximum: fc.integer({ min: 6, max: 20 }) }),
	fc.constant({ type: "boolean" }),
	fc.uniqueArray(name, { minLength: 2, maxLength: 5 }).map((values) => ({ type: "string", enum: values })),
);
const schema: fc.Arbitrary<Json> = fc.letrec((tie) => ({
	object: fc
		.dictionary(name, tie("any"), { minKeys: 1, maxKeys: 4, noNullPrototype: true })
		.chain((properties) =>
			fc
				.subarray(Object.keys(properties))
				.map((required) => ({ type: "object", properties, required, additionalProperties: false })),
		),
	any: fc.oneof({ maxDepth: 3 }, leaf, tie("object"), fc.record({ type: fc.constant("array"), items: tie("any") })),
})).object;

/** Every schema within a schema. */
function schemasIn(node: Json): Json[] {
	const below = [...Object.values<Json>(node.properties ?? {}), ...(node.items === undefined ? [] : [node.items])];
	return [node, ...below.flatMap(schemasIn)];
}

const NARROWINGS: readonly ((node: Json) => boolean)[] = [
	(node) => node.minLength !== undefined && node.minLength++ >= 0,
	(node) => node.maxLength !== undefined && node.maxLength-- >= 0,
	(node) => node.minimum !== undefined && node.minimum++ >= 0,
	(node) => node.maximum !== undefined && node.maximum-- >= 0,
	(node) => node.enum !== undefined && node.enum.pop() !== undefined,
	(node) => {
		if (node.properties === undefined) return false;
		const optional = Object.keys(node.properties).find((each) => !node.required.includes(each));
		if (optional === undefined) return false;
		node.required.push(optional);
		return true;
	},
	(node) => {
		if (node.properties === undefined) return false;
		const [first = ""] = Object.keys(node.properties);
		delete node.properties[first];
		node.required = node.required.filter((each: string) => each !== first);
		return true;
	},
	(node) => {
		if (node.type !== "boolean") return false;
		node.type = "string";
		return true;
	},
];

test("a document does not break itself, however it is nested", () => {
	fc.assert(
		fc.property(schema, schema, (body, answer) => {
			const document = documentOf(body, answer);
			expect(breakingChanges(document, structuredClone(document))).toEqual([]);
		}),
	);
	expect(breakingChanges(released as Json, structuredClone(released) as Json)).toEqual([]);
});

test("variants that a constant field tells apart are compared each with its own", () => {
	const variant = (state: string, fields: Json = {}) => ({
		...{ type: "object", required: ["state"] },
		properties: { state: { type: "string", const: state }, ...fields },
	});
	const [pending, approved] = [variant("pending"), variant("approved", { url: { type: "string" } })];
	const union = (...oneOf: Json[]) => documentOf({}, { oneOf });
	expect(breakingChanges(union(pending, approved), union(approved, pending))).toEqual([]);
	expect(breakingChanges(union(pending, approved), union(pending, variant("approved")))).toEqual([
		expect.stringMatching(/lost the field url$/),
	]);
	expect(breakingChanges(union(pending, approved), union(pending))).toEqual([
		expect.stringContaining("lost a variant"),
	]);
});

test("a narrower request, at any depth, is breaking", () => {
	fc.assert(
		fc.property(schema, fc.nat(), fc.nat(), (body, whichNode, whichChange) => {
			const narrowed = structuredClone(body);
			const nodes = schemasIn(narrowed);
			const node = nodes[whichNode % nodes.length];
			fc.pre(NARROWINGS[whichChange % NARROWINGS.length]?.(node) === true);
			expect(breakingChanges(documentOf(body, {}), documentOf(narrowed, {}))).not.toEqual([]);
		}),
	);
});

test("in a response a lost, optional or wider field is breaking, at any depth", () => {
	fc.assert(
		fc.property(schema, fc.nat(), fc.nat(2), (answer, whichNode, change) => {
			const changed = structuredClone(answer);
			const nodes = schemasIn(changed).filter((node) => node.properties !== undefined);
			const node = nodes[whichNode % nodes.length];
			const [field = ""] = Object.keys(node.properties);
			if (change === 0) {
				delete node.properties[field];
				node.required = node.required.filter((each: string) => each !== field);
			} else if (change === 1) {
				fc.pre(node.required.includes(field));
				node.required = node.required.filter((each: string) => each !== field);
			} else {
				node.properties[field] = { type: [node.properties[field].type, "null"] };
			}
			expect(breakingChanges(documentOf({}, answer), documentOf({}, changed))).not.toEqual([]);
		}),
	);
});

test("new operations, optional fields, values and looser bounds are compatible, at any depth", () => {
	fc.assert(
		fc.property(schema, schema, fc.nat(), (body, answer, which) => {
			const before = documentOf(body, answer);
			const after = documentOf(structuredClone(body), structuredClone(answer));
			after.paths["/v1/others"] = after.paths["/v1/things"];
			const operation = after.paths["/v1/things"].post;
			operation.parameters.push({ name: "new", in: "query", required: false, schema: { type: "string" } });
			for (const content of [operation.requestBody.content, operation.responses[201].content]) {
				const nodes = schemasIn(content["application/json"].schema);
				const node = nodes[which % nodes.length];
				if (node.properties !== undefined) node.properties.NEW = { type: "string" };
				if (node.enum !== undefined) node.enum.push("NEW");
			}
			for (const node of schemasIn(operation.requestBody.content["application/json"].schema)) {
				if (node.maximum !== undefined) node.maximum++;
				if (node.minLength !== undefined) node.minLength = 0;
			}
			expect(breakingChanges(before, after)).toEqual([]);
		}),
	);
});

test("a list that had one page may get more; another field that was null may not", () => {
	const answer = (name: string, type: unknown) => documentOf({}, { type: "object", properties: { [name]: { type } } });
	const pages = ["string", "null"];
	expect(breakingChanges(answer("nextCursor", "null"), answer("nextCursor", pages))).toEqual([]);
	expect(breakingChanges(answer("nextCursor", "null"), answer("nextCursor", "string"))).not.toEqual([]);
	expect(breakingChanges(answer("next", "null"), answer("next", pages))).not.toEqual([]);
});

test.each<[string, (document: Json) => void, RegExp]>([
	["a removed operation", (d) => delete d.paths["/v1/things"], /POST \/v1\/things was removed/],
	["another name", (d) => (d.paths["/v1/things"].post.operationId = "makeThing"), /is now called makeThing/],
	["fewer credentials", (d) => (d.paths["/v1/things"].post.security = [{ session: [] }]), /no longer accepts/],
	["a required parameter", (d) => (d.paths["/v1/things"].post.parameters[0].required = true), /limit is required now/],
	["a removed parameter", (d) => d.paths["/v1/things"].post.parameters.pop(), /limit was removed/],
	["another status", (d) => (d.paths["/v1/things"].post.responses = { 200: {} }), /no longer answers 201/],
])("%s is reported by name", (_, change, expected) => {
	const before = documentOf({ type: "object", properties: {} }, {});
	const after = structuredClone(before);
	change(after);
	expect(breakingChanges(before, after).join("\n")).toMatch(expected);
});

test("requests may begin to refuse control characters, but no other text, and responses keep what they had", () => {
	const text = { type: "string" };
	const plain = { ...text, pattern: PLAIN_TEXT.source };
	const of = (field: Json) => ({ type: "object", properties: { field }, required: ["field"] });
	const change = (before: Json, now: Json) => breakingChanges(documentOf(before, before), documentOf(now, now));
	expect(change(of(text), of(plain))).toEqual([]);
	expect(change(of(text), of({ ...text, pattern: "^a" }))).toEqual(["POST /v1/things body.field changed pattern"]);
	expect(change(of(plain), of(text))).toEqual(["POST /v1/things 201.field changed pattern"]);
});
