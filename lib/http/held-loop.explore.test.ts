/**
 * No text that enters holds up the event loop: every operation of the contract gets hostile text wherever it takes text, as
 * much as fits, and no turn of the loop may use much more processor time than with harmless text of the same length.
 */
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { NDJSON } from "@tapedeck/contract/track.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

/** In processor time, which does not depend on other load of the machine. */
const LIMIT_MS = 50;
/** Garbage collections also hold the loop. */
const ATTEMPTS = 3;
const BODY_BYTES = 900_000;
/** Headers have 16 KiB together. */
const HEADER_CHARACTERS = 12_000;

const HARMLESS = "The button to pay was not found. ";
/** Parts of texts that regular expressions look for, repeated so that a match may start at each of them. */
const HOSTILE = [
	...[" ", "\t", "\n", " \n", "\r", "/", "//", "a/", "\\", ".", "..", "-", "_", "a", "A1", "0", "1.", "0_", "1,", "1e"],
	...["(", "((", "[", "{", "<", '"', "'", "`", "a:", "::", "http:", "http://a", "http://a:1 ", "@", "a@", "%", "%25"],
	...[
		"?a=",
		"&token",
		"at ",
		"at a (",
		"at a (b:1:",
		'File "a", line 1, in ',
		"Error: ",
		"Call log:\n",
		"expected ",
		"...",
	],
	...[
		"\u001b",
		"\u001b[",
		"\u001b[1;",
		"\u001b]",
		"\u001bP",
		"\u009b",
		"\u00e9",
		"e\u0301",
		"\u200d",
		"\u{1f600}",
		"|",
		"#",
	],
	...[
		"*",
		"**",
		"=",
		"= ",
		";",
		"2026-",
		"2026-11-28T",
		"12:",
		"1 s ",
		"<a",
		"<!--",
		"](",
		"{{",
		"\\u0061",
		"not ",
		"name:",
	],
] as const;

type Schema = {
	$ref?: string;
	type?: string | string[];
	enum?: unknown[];
	const?: unknown;
	format?: string;
	minimum?: number;
	maxLength?: number;
	maxItems?: number;
	items?: Schema;
	properties?: Record<string, Schema>;
	additionalProperties?: Schema | boolean;
	propertyNames?: Schema;
	anyOf?: Schema[];
	oneOf?: Schema[];
	allOf?: Schema[];
};
type Operation = {
	operationId: string;
	parameters?: { name: string; in: string; schema: Schema }[];
	requestBody?: { content: Record<string, { schema: Schema }> };
};

let api: TestApi;
let document: { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };
let ids: Record<string, string>;
beforeAll(async () => {
	api = await startTestApi();
	document = (await api.call("GET", "/v1/openapi.json", { token: null })).body;
	const { runnerId } = await api.signIn("box");
	const body = { runnerId, displayId: ":99", stopCondition: "interrupt" };
	const job = (await api.call("POST", "/v1/jobs", { body })).body;
	const video = await readFile(await makeVideo("recorder.mp4"));
	const upload = { raw: video, headers: { "content-type": "video/mp4" } };
	const recording = (await api.call("POST", "/v1/recordings?name=x", upload)).body;
	ids = { jobId: String(job.id), recordingId: String(recording.id), runnerId: String(runnerId), name: "log" };
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

/** The most processor time that a turn of this process's event loop, which is also the server's, uses during `work`. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let isOver = false;
	let before = process.threadCpuUsage();
	const measure = () => {
		const { user, system } = process.threadCpuUsage(before);
		longest = Math.max(longest, (user + system) / 1_000);
		before = process.threadCpuUsage();
		if (!isOver) setImmediate(measure);
	};
	setImmediate(measure);
	await work();
	isOver = true;
	await new Promise(setImmediate);
	return longest;
}

interface Sent {
	method: string;
	path: string;
	headers?: Record<string, string>;
	body?: Buffer;
}

function send({ method, path, headers = {}, body }: Sent): Promise<number> {
	const { promise, resolve, reject } = Promise.withResolvers<number>();
	const token = path.startsWith("/v1/runner/") ? TEST_RUNNER_TOKEN : TEST_API_KEY;
	const call = request(`${api.url}${path}`, {
		method,
		headers: { authorization: `Bearer ${token}`, ...headers, "content-length": String(body?.length ?? 0) },
	});
	call.on("response", (answer) => {
		// Streams do not end.
		const timer = setTimeout(() => call.destroy(), 300);
		answer.resume().on("close", () => {
			clearTimeout(timer);
			resolve(answer.statusCode ?? 0);
		});
	});
	call.on("error", reject);
	call.end(body);
	return promise;
}

/** Calls in which hostile text holds the event loop for longer than harmless text may. */
async function slowOnes(sentWith: (unit: string) => Sent | null): Promise<string[]> {
	const timeOf = async (unit: string) => {
		const sent = sentWith(unit);
		if (sent === null) return { ms: 0, status: 0 };
		let status = 0;
		const ms = await longestTurn(async () => {
			status = await send(sent).catch(() => 0);
		});
		return { ms, status };
	};
	await timeOf(HARMLESS);
	const harmless = (await timeOf(HARMLESS)).ms;
	const limit = Math.max(LIMIT_MS, 3 * harmless);
	const slow: string[] = [];
	for (const unit of HOSTILE) {
		let last = { ms: 0, status: 0 };
		for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
			last = await timeOf(unit);
			if (last.ms <= limit) break;
		}
		if (last.ms > limit) {
			slow.push(
				`${JSON.stringify(unit)}: ${Math.round(last.ms)} ms, harmless ${Math.round(harmless)} (${last.status})`,
			);
		}
	}
	return slow;
}

const filled = (path: string): string => path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? "1");
const repeated = (unit: string, length: number): string =>
	unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** A value that fits a schema as far as its types go, with the text in all of its strings. */
function fitting(given: Schema, text: (maxLength: number) => string, items = 1): unknown {
	const schema =
		given.$ref === undefined ? given : (document.components.schemas[given.$ref.split("/").at(-1) ?? ""] ?? {});
	const some = schema.anyOf ?? schema.oneOf ?? schema.allOf;
	if (some !== undefined) return fitting(some.find(({ type }) => type !== "null") ?? {}, text, items);
	if (schema.const !== undefined) return schema.const;
	if (schema.enum !== undefined) return schema.enum[0];
	switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
		case "object":
			return Object.fromEntries([
				...Object.entries(schema.properties ?? {}).map(([key, each]) => [key, fitting(each, text, items)]),
				...(typeof schema.additionalProperties === "object"
					? [["key", fitting(schema.additionalProperties, text, items)]]
					: []),
			]);
		case "array":
			return Array.from({ length: Math.min(items, schema.maxItems ?? items) }, () =>
				fitting(schema.items ?? {}, text, 1),
			);
		case "integer":
		case "number":
			return schema.minimum ?? 1;
		case "boolean":
			return true;
		default:
			if (schema.format === "date-time") return "2026-11-28T12:00:00.000Z";
			return text(schema.maxLength ?? Number.POSITIVE_INFINITY);
	}
}

/** A body with one long text in each of its strings, or with as many items with shorter texts as fit. */
function bodyOf(schema: Schema, unit: string, isOneLong: boolean): Buffer {
	const most = isOneLong ? BODY_BYTES : 2_000;
	const make = (length: number, items: number) =>
		JSON.stringify(fitting(schema, (max) => repeated(unit, Math.min(length, max)), items));
	let length = most;
	let items = isOneLong ? 1 : 500;
	let json = make(length, items);
	while (Buffer.byteLength(json) > BODY_BYTES) {
		if (items > 1) items = Math.floor(items / 2);
		else length = Math.floor(length / 2);
		json = make(length, items);
	}
	return Buffer.from(json);
}

const JSON_HEADERS = { "content-type": "application/json" };
const operations = () =>
	Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
	);
/** Calls that end the session or the recording that later calls need. */
const isLast = (operationId: string) => /delete|cancel|remove|revoke|leave/i.test(operationId);

test("no operation holds the loop for text in its body", async () => {
	const slow: Record<string, string[]> = {};
	for (const { path, method, operationId, requestBody } of operations()) {
		const schema = requestBody?.content["application/json"]?.schema;
		if (schema === undefined || isLast(operationId)) continue;
		for (const isOneLong of [true, false]) {
			const found = await slowOnes((unit) => ({
				...{ method, path: filled(path), headers: JSON_HEADERS },
				body: bodyOf(schema, unit, isOneLong),
			}));
			if (found.length > 0) slow[`${operationId}, ${isOneLong ? "one long text" : "many texts"}`] = found;
		}
	}
	expect(slow).toEqual({});
}, 3_600_000);

test("no operation holds the loop for text in its query or its headers", async () => {
	const slow: Record<string, string[]> = {};
	const headers = [
		"range",
		"if-none-match",
		"if-range",
		"accept",
		"cookie",
		"authorization",
		"x-forwarded-for",
		"content-type",
	];
	for (const { path, method, operationId, parameters = [] } of operations()) {
		if (isLast(operationId)) continue;
		const texts = parameters.filter(
			(each) => each.in === "query" && ["string", undefined].includes(each.schema.type as string),
		);
		for (const { name } of texts) {
			const found = await slowOnes((unit) => {
				const value = encodeURIComponent(repeated(unit, HEADER_CHARACTERS).toWellFormed()).slice(0, HEADER_CHARACTERS);
				return { method, path: `${filled(path)}?${name}=${value.replace(/%.?$/, "")}` };
			});
			if (found.length > 0) slow[`${operationId} ?${name}`] = found;
		}
		for (const header of method === "GET" ? headers : []) {
			const found = await slowOnes((unit) => {
				const value = repeated(unit, HEADER_CHARACTERS);
				if (/[^\t\u0020-\u007e\u0080-\u00ff]/.test(value)) return null;
				const prefix = header === "range" ? "bytes=" : header === "authorization" ? "Bearer " : "";
				return { method, path: filled(path), headers: { [header]: `${prefix}${value}-` } };
			});
			if (found.length > 0) slow[`${operationId} ${header}`] = found;
		}
	}
	expect(slow).toEqual({});
}, 3_600_000);

test("no line of a track holds the loop, when it is sent and when it is searched", async () => {
	const at = new Date().toISOString();
	const lines = (unit: string, length: number) => {
		const line = `${JSON.stringify({ at, level: "error", text: repeated(unit, length), data: { unit } })}\n`;
		return Buffer.from(line.repeat(Math.max(1, Math.floor(BODY_BYTES / Buffer.byteLength(line)))));
	};
	const slow: Record<string, string[]> = {};
	for (const length of [200, 16_000, 800_000]) {
		let number = 0;
		const found = await slowOnes((unit) => {
			number += 1;
			const path = `/v1/jobs/${ids.jobId}/tracks/log.${number % 8}`;
			return { method: "POST", path, headers: { "content-type": NDJSON }, body: lines(unit, length) };
		});
		if (found.length > 0) slow[`sent, ${length} characters`] = found;
	}
	const searched = await slowOnes((unit) => ({
		method: "GET",
		path: `/v1/jobs/${ids.jobId}/tracks/log.1?limit=1000&q=${encodeURIComponent(repeated(unit, 200).toWellFormed())}`,
	}));
	if (searched.length > 0) slow.searched = searched;
	expect(slow).toEqual({});
}, 3_600_000);
