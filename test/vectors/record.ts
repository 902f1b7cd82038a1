/** Records the vectors: calls a new dashboard as the scenarios say. As a program: writes the files. */
import { readFile, writeFile } from "node:fs/promises";
import { signIn } from "../api-people.ts";
import { startTestApi, TEST_API_KEY, type TestApi } from "../api-server.ts";
import { makeVideo, removeTestFolder } from "../videos/make-video.ts";
import type { Exchange, Vector } from "./replay-server.ts";
import { SCENARIOS, type Scenario } from "./scenarios.ts";

const FOLDER = new URL(".", import.meta.url);

/** The headers of answers that mean something to clients. */
const HEADERS = ["content-type", "location", "retry-after", "www-authenticate"];

/** @returns the vectors by the name of their file. */
export async function recordVectors(): Promise<Record<string, Vector[]>> {
	const api = await startTestApi({ TAPEDECK_URL: "http://tapedeck.example.com" });
	try {
		await api.signIn();
		const raw = await readFile(await makeVideo("recorder.mp4"));
		await api.call("POST", "/v1/recordings?name=Uploaded", { raw, headers: { "content-type": "video/mp4" } });
		const owner = await signIn(api);
		const { body: reader } = await owner.call("POST", "/v1/api-keys", { body: { name: "CI", scopes: ["jobs:read"] } });
		const files: Record<string, Vector[]> = {};
		for (const [name, scenarios] of Object.entries(SCENARIOS)) {
			const vectors: Vector[] = [];
			for (const scenario of scenarios) vectors.push(await recordScenario(api, reader.secret, scenario));
			files[name] = vectors;
		}
		return files;
	} finally {
		await api.stop();
		await removeTestFolder();
	}
}

async function recordScenario(api: TestApi, readerKey: string, scenario: Scenario): Promise<Vector> {
	const { requests, key = "full", ...vector } = scenario;
	const token = { full: TEST_API_KEY, reader: readerKey, unknown: "tdk_unknown" }[key];
	const exchanges: Exchange[] = [];
	for (const each of requests) {
		if ("response" in each) exchanges.push(each);
		else exchanges.push(await recordCall(api, token, withCursor(each, exchanges)));
	}
	return { ...vector, exchanges, ...endOf(vector.operation, exchanges) };
}

/** `<next>` is where the page before ended. */
function withCursor(request: Exchange["request"], before: Exchange[]): Exchange["request"] {
	if (request.query?.cursor !== "<next>") return request;
	const last = before.at(-1)?.response;
	const { nextCursor } =
		last !== undefined && "body" in last ? (last.body as { nextCursor: string }) : { nextCursor: "" };
	return { ...request, query: { ...request.query, cursor: nextCursor } };
}

async function recordCall(api: TestApi, token: string, request: Exchange["request"]): Promise<Exchange> {
	const query = new URLSearchParams(request.query as Record<string, string>).toString();
	const { status, headers, body } = await api.call(request.method, request.path + (query === "" ? "" : `?${query}`), {
		token,
		...(request.body === undefined ? {} : { body: request.body }),
	});
	const kept = HEADERS.flatMap((name) => (headers.get(name) === null ? [] : [[name, headers.get(name)]]));
	return { request, response: { status, headers: Object.fromEntries(kept), ...(body === null ? {} : { body }) } };
}

/** The result of a client for these responses. */
function endOf(operation: string, exchanges: Exchange[]): Pick<Vector, "result" | "error"> {
	const answers = exchanges.flatMap(({ response }) => ("cut" in response ? [] : [response]));
	const last = answers.at(-1);
	const wasDeleted = operation === "deleteRecording" && exchanges.length > 1;
	if (last === undefined || last.status === 204 || wasDeleted) return { result: null };
	if (last.status >= 400) {
		const { code, detail, errors = [] } = last.body as Required<Vector>["error"];
		return { error: { status: last.status, code, ...(detail === undefined ? {} : { detail }), errors } };
	}
	// Lists are returned as their entries.
	if (!operation.startsWith("list") && !operation.endsWith("Markers")) return { result: last.body };
	return { result: answers.flatMap(({ body }) => (body as { data: unknown[] }).data) };
}

if (import.meta.main) {
	for (const [name, vectors] of Object.entries(await recordVectors())) {
		await writeFile(new URL(`${name}.json`, FOLDER), `${JSON.stringify(vectors, null, "\t")}\n`);
	}
}
