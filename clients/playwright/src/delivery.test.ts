/** The markers of a run, as a dashboard receives them. */
import { expect, onTestFinished, test } from "vitest";
import { type Exchange, startReplayServer, VECTOR_KEY } from "../../../test/vectors/replay-server.ts";
import { Tapedeck } from "../../typescript/src/index.ts";
import { MarkerQueue } from "./delivery.ts";

const PATH = "/v1/jobs/7/markers";
const marker = (second: number) => ({
	...{ label: `test_${second}`, kind: "pass" as const },
	at: `2026-11-21T01:12:0${second}.500Z`,
});

const added = (seconds: number[], response: Exchange["response"]): Exchange => ({
	request: { method: "POST", path: `${PATH}/batch`, body: { markers: seconds.map(marker) } },
	response,
});
const listed = (...seconds: number[]): Exchange => ({
	request: { method: "GET", path: PATH },
	response: { status: 200, body: { data: seconds.map(marker), nextCursor: null } },
});
const refused = (status: number, ...paths: string[]): Exchange["response"] => ({
	status,
	headers: { "content-type": "application/problem+json" },
	body: {
		...{ code: status === 422 ? "validation_failed" : "unauthorized", detail: "Not now." },
		errors: paths.map((path) => ({ path, code: "too_big", message: "The recording has ended." })),
	},
});
const OK: Exchange["response"] = { status: 201, body: { data: [] } };
const CUT: Exchange["response"] = { cut: true };

/** Adds a marker, two more while the dashboard answers, and waits until they are sent. */
async function sent(...exchanges: Exchange[]) {
	const server = await startReplayServer(exchanges);
	onTestFinished(() => server.stop());
	let isFirst = true;
	const queue = new MarkerQueue(
		new Tapedeck({
			...{ url: server.url, apiKey: VECTOR_KEY, retries: 0 },
			fetch: (input, init) => {
				if (isFirst) for (const second of [1, 2]) queue.add(marker(second));
				isFirst = false;
				return fetch(input, init);
			},
		}),
		7,
		new AbortController().signal,
	);
	queue.add(marker(0));
	const { lost, failure } = await queue.finish();
	expect(server.complaints()).toEqual([]);
	return { lost, failure: failure instanceof Error ? failure.message : failure };
}

test("what comes while a call is answered is one call, and what comes at once, too", async () => {
	expect(await sent(added([0], OK), added([1, 2], OK))).toEqual({ lost: 0, failure: null });
});

test("markers whose answer was lost are not added twice", async () => {
	const exchanges = [added([0], CUT), listed(0), added([1, 2], CUT), listed(0, 1), added([2], OK)];
	expect((await sent(...exchanges.slice(0, 2), added([1, 2], OK))).lost).toBe(0);
	expect((await sent(added([0], OK), ...exchanges.slice(2))).lost).toBe(0);
});

test("a marker that is refused keeps no other away", async () => {
	const ended = refused(422, "markers.0.at");
	expect(await sent(added([0], OK), added([1, 2], ended), added([2], OK))).toEqual({ lost: 1, failure: null });
	const [unnamed, tooLarge] = [refused(422, ""), refused(413)];
	expect((await sent(added([0], OK), added([1, 2], unnamed), added([1], unnamed), added([2], OK))).lost).toBe(1);
	expect((await sent(added([0], OK), added([1, 2], tooLarge), added([1], OK), added([2], OK))).lost).toBe(0);
});

test("long messages are several calls, none larger than the dashboard takes", async () => {
	const sizes: number[] = [];
	const client = new Tapedeck({
		...{ url: "http://localhost:1", apiKey: VECTOR_KEY },
		fetch: async (_input, init) => {
			sizes.push(String(init?.body).length);
			return Response.json({ data: [] }, { status: 201 });
		},
	});
	const queue = new MarkerQueue(client, 7, new AbortController().signal);
	for (let index = 0; index < 300; index++) queue.add({ ...marker(1), message: "\n".repeat(8_000) });
	expect(await queue.finish()).toEqual({ lost: 0, failure: null });
	expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
	expect(sizes.length).toBeGreaterThan(4);
});

test("after an answer that is the same for all, nothing more is sent", async () => {
	expect(await sent(added([0], refused(401)))).toEqual({ lost: 3, failure: "Not now." });
});
