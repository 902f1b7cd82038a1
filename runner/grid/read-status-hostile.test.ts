/** Arbitrary answers from a grid's address never crash the runner, and never count as idle unless that is certain. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AllowedGrids } from "./allowed-grids.ts";
import { GridPoller } from "./poll.ts";
import { type GridReading, readStatus } from "./read-status.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Keys that grids use, and keys with a special meaning in JavaScript. */
const key = fc.oneof(
	fc.constantFrom("value", "nodes", "slots", "session", "slotCounts", "free", "total", "used", "pending", "status"),
	fc.constantFrom("__proto__", "constructor", "toString", "valueOf", "toJSON", "length", "message", "id", ""),
);
const number = fc.oneof(
	fc.constantFrom(0, -0, 1, -1, 0.5, 2 ** 53, 2 ** 53 + 2, 1e308, Number.MIN_VALUE),
	fc.integer(),
	fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const leaf: fc.Arbitrary<Json> = fc.oneof(
	fc.constantFrom<Json>(null, true, false, "", "0", "reserved", "\u0000"),
	number,
	fc.string({ unit: "binary", maxLength: 20 }),
);
const { json } = fc.letrec<{ json: Json }>((tie) => ({
	json: fc.oneof(
		{ maxDepth: 6 },
		{ weight: 2, arbitrary: leaf },
		{ weight: 1, arbitrary: fc.array(tie("json"), { maxLength: 4 }) },
		{ weight: 3, arbitrary: fc.dictionary(key, tie("json"), { maxKeys: 5 }) },
	),
}));

/** Almost valid answers: the right structure with an arbitrary value in one place. */
const nearly: fc.Arbitrary<Json> = fc.oneof(
	fc
		.array(fc.oneof(json, fc.record({ slots: fc.array(fc.oneof(json, fc.record({ session: json }))) })))
		.map((nodes) => ({
			value: { nodes },
		})),
	fc.record({ slotCounts: fc.record({ free: fc.oneof(number, json), total: fc.oneof(number, json) }) }),
	fc.record({ value: fc.array(json, { maxLength: 2 }), status: json }),
	fc.record({ used: fc.oneof(number, json), total: json, pending: fc.oneof(number, json) }),
	fc.record({ value: fc.record({ used: json, total: json, pending: json }) }),
);

const isObject = (value: Json | undefined): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);
const isZero = (value: Json | undefined): boolean => value === 0;

/** An independent implementation of the rules: whether an answer certainly means that there are no sessions. */
function saysIdle(body: Json): boolean {
	if (!isObject(body)) return false;
	const { value, slotCounts } = body;
	const nodes = isObject(value)
		? Array.isArray(value.nodes) || !isObject(value.node)
			? value.nodes
			: [value.node]
		: null;
	if (Array.isArray(nodes)) {
		return nodes.every(
			(node) =>
				isObject(node) &&
				Array.isArray(node.slots) &&
				node.slots.every((slot) => isObject(slot) && Object.hasOwn(slot, "session") && slot.session === null),
		);
	}
	if (isObject(slotCounts)) return Number.isSafeInteger(slotCounts.total) && slotCounts.free === slotCounts.total;
	if (Array.isArray(value)) return value.length === 0 && (body.status === undefined || isZero(body.status));
	const status = isObject(value) && Object.hasOwn(value, "used") ? value : body;
	return isZero(status.used) && (status.pending === undefined || status.pending === null || isZero(status.pending));
}

function expectSense(reading: GridReading): void {
	if (reading.kind === "count") {
		expect(Number.isSafeInteger(reading.active) && reading.active >= 0).toBe(true);
	} else if (reading.kind === "no_sessions") {
		// The reason is shown in the job's history.
		expect(reading.why.length).toBeLessThan(400);
	}
}

test("any JSON is read without a crash, and counts as idle only when that is certain", () => {
	let counted = 0;
	fc.assert(
		fc.property(fc.oneof(json, nearly), (body) => {
			const text = JSON.stringify(body);
			const reading = readStatus(text);
			expectSense(reading);
			if (reading.kind !== "count") return;
			counted += 1;
			if (reading.active === 0) expect(saysIdle(JSON.parse(text)), text).toBe(true);
		}),
		{ numRuns: 10_000 },
	);
	expect(counted).toBeGreaterThan(100);
});

test("any text is read without a crash", () => {
	const whole = JSON.stringify({ value: { ready: true, nodes: [{ id: "n", slots: [{ session: null }] }] } });
	fc.assert(
		fc.property(fc.string({ unit: "binary" }), fc.nat(whole.length), (text, at) => {
			expectSense(readStatus(text));
			expectSense(readStatus(whole.slice(0, at)));
			expectSense(readStatus(whole.slice(0, at) + text + whole.slice(at)));
		}),
		{ numRuns: 2_000 },
	);
});

/** Answers of up to 4 MB. */
const DEEP = 1_000_000;
test.each([
	["lists in lists", "[".repeat(DEEP) + "]".repeat(DEEP)],
	["a list that never closes", "[".repeat(2 * DEEP)],
	["objects in objects", `${'{"a":'.repeat(DEEP / 2)}1${"}".repeat(DEEP / 2)}`],
	["a status that is lists in lists", `{"value":[],"status":${"[".repeat(DEEP)}${"]".repeat(DEEP)}}`],
	["a status that cannot be made a text", '{"value":[],"status":{"toString":1,"valueOf":2}}'],
	["a status of a million letters", `{"value":[],"status":"${"x".repeat(DEEP)}"}`],
	["numbers that doubles cannot tell apart", '{"slotCounts":{"free":9007199254740992,"total":9007199254740993}}'],
	["a number beyond all numbers", '{"total":1e400,"used":1e400}'],
	["sessions beyond all numbers", '{"total":9,"used":9007199254740991,"pending":9007199254740991}'],
])("%s: no crash, and no count", (_words, text) => {
	const reading = readStatus(text);
	expectSense(reading);
	expect(reading.kind).not.toBe("count");
});

let answer: { status: number; headers: Record<string, string>; body: Uint8Array };
const server = createServer((_request, response) => {
	response.writeHead(answer.status, answer.headers).end(answer.body);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
	server.closeAllConnections();
	return new Promise((resolve) => server.close(resolve));
});

test("a poll survives any status, any Location and any bytes", async () => {
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const header = fc.oneof(
		fc.constantFrom(
			"",
			"/",
			"//",
			"http://",
			"http://[",
			"\\\\host",
			"/wd/hub/status",
			"javascript:0",
			"http://127.0.0.1:1",
		),
		fc.string({ maxLength: 30 }),
	);
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(200, 204, 301, 302, 304, 307, 308, 401, 403, 404, 500, 503),
			header,
			fc.oneof(
				fc.uint8Array({ maxLength: 500 }),
				json.map((body) => Buffer.from(JSON.stringify(body))),
			),
			async (status, location, body) => {
				const bodiless = status === 204 || status === 304;
				answer = { status, headers: { location: encodeURI(location) }, body: bodiless ? Buffer.alloc(0) : body };
				const poller = new GridPoller({ url, username: "me", password: "pw" }, AllowedGrids.all);
				try {
					const { seen } = await poller.poll();
					if (seen.kind === "count" && seen.active === 0)
						expect(saysIdle(JSON.parse(Buffer.from(body).toString()))).toBe(true);
				} finally {
					poller.close();
				}
			},
		),
		{ numRuns: 300 },
	);
});
