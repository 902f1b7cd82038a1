/** The results and markers of a run, as a dashboard receives them. */
import { expect, onTestFinished, test } from "vitest";
import { type Exchange, startReplayServer, VECTOR_KEY } from "../../../test/vectors/replay-server.ts";
import { Tapedeck } from "../../typescript/src/index.ts";
import { Delivery } from "./delivery.ts";
import { ofJob } from "./run-recording.ts";

const PATH = "/v1/jobs/7/markers";
const marker = (second: number) => ({
	...{ label: `test_${second}`, kind: "pass" as const },
	at: `2026-11-21T01:12:0${second}.500Z`,
});

const result = (number: number, outcome?: "passed") => ({
	...{ key: `test_${number}#0`, test: `shop › test_${number}` },
	...(outcome === undefined ? {} : { outcome }),
});
const reported = (results: object[], response: Exchange["response"]): Exchange => ({
	request: { method: "POST", path: "/v1/jobs/7/tests", body: results },
	response,
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

/** Sends something, the rest while the dashboard answers, and waits until all is sent. */
async function sent(exchanges: Exchange[], begin: (to: Delivery) => void, rest: (to: Delivery) => void) {
	const server = await startReplayServer(exchanges);
	onTestFinished(() => server.stop());
	let isFirst = true;
	const client = new Tapedeck({
		...{ url: server.url, apiKey: VECTOR_KEY, retries: 1 },
		fetch: (input, init) => {
			if (isFirst && !String(input).endsWith("/v1/health")) {
				isFirst = false;
				rest(delivery);
			}
			return fetch(input, init);
		},
	});
	const delivery = new Delivery(ofJob(client, 7), new AbortController().signal);
	begin(delivery);
	const { lost, failure } = await delivery.finish();
	expect(server.complaints()).toEqual([]);
	return { lost, failure: failure instanceof Error ? failure.message : failure };
}

const sentMarkers = (...exchanges: Exchange[]) =>
	sent(
		exchanges,
		(delivery) => delivery.mark(marker(0)),
		(delivery) => {
			for (const second of [1, 2]) delivery.mark(marker(second));
		},
	);

test("entries that arrive while a call is answered become one call, as do those that arrive at once", async () => {
	expect(await sentMarkers(added([0], OK), added([1, 2], OK))).toEqual({ lost: "", failure: null });
});

test("markers whose answer was lost are not added twice", async () => {
	const exchanges = [added([0], CUT), listed(0), added([1, 2], CUT), listed(0, 1), added([2], OK)];
	expect((await sentMarkers(...exchanges.slice(0, 2), added([1, 2], OK))).lost).toBe("");
	expect((await sentMarkers(added([0], OK), ...exchanges.slice(2))).lost).toBe("");
});

test("a marker that is refused keeps no other away", async () => {
	const ended = refused(422, "markers.0.at");
	expect(await sentMarkers(added([0], OK), added([1, 2], ended), added([2], OK))).toEqual({
		lost: "1 marker",
		failure: null,
	});
	const [unnamed, tooLarge] = [refused(422, ""), refused(413)];
	expect((await sentMarkers(added([0], OK), added([1, 2], unnamed), added([1], unnamed), added([2], OK))).lost).toBe(
		"1 marker",
	);
	expect((await sentMarkers(added([0], OK), added([1, 2], tooLarge), added([1], OK), added([2], OK))).lost).toBe("");
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
	const delivery = new Delivery(ofJob(client, 7), new AbortController().signal);
	for (let index = 0; index < 300; index++) delivery.mark({ ...marker(1), message: "\n".repeat(8_000) });
	expect(await delivery.finish()).toEqual({ lost: "", failure: null });
	expect(Math.max(...sizes)).toBeLessThan(1024 * 1024);
	expect(sizes.length).toBeGreaterThan(4);
});

test("after an answer that is the same for all, nothing more is sent", async () => {
	expect(await sentMarkers(added([0], refused(401)))).toEqual({ lost: "3 markers", failure: "Not now." });
});

test("a test that has ended while its beginning waits is one result, and markers go first", async () => {
	const exchanges = [
		reported([result(0)], OK),
		added([1], OK),
		// The other has ended while its beginning was sent.
		reported([result(0, "passed"), result(1, "passed")], OK),
	];
	const rest = (delivery: Delivery) => {
		delivery.report(result(1));
		delivery.report(result(0, "passed"));
		delivery.report(result(1, "passed"));
		delivery.mark(marker(1));
	};
	expect(await sent(exchanges, (delivery) => delivery.report(result(0)), rest)).toEqual({ lost: "", failure: null });
});

test("results are sent again when their answer was lost, and one that is refused keeps no other away", async () => {
	const both = [result(1), result(2)];
	const rest = (delivery: Delivery) => {
		for (const each of both) delivery.report(each);
	};
	const begin = (delivery: Delivery) => delivery.report(result(0));
	expect(
		(await sent([reported([result(0)], CUT), reported([result(0)], OK), reported(both, OK)], begin, rest)).lost,
	).toBe("");
	const ended = refused(422, "1.endedAt");
	const halves = [reported([result(1)], OK), reported([result(2)], refused(422, "0.endedAt"))];
	expect((await sent([reported([result(0)], OK), reported(both, ended), ...halves], begin, rest)).lost).toBe(
		"1 test result",
	);
});

test("a run of many short tests is few calls, and its end waits for none of them", async () => {
	const calls: number[] = [];
	const client = new Tapedeck({
		...{ url: "http://localhost:1", apiKey: VECTOR_KEY },
		fetch: async (_input, init) => {
			calls.push(JSON.parse(String(init?.body)).length);
			return Response.json({ data: [] }, { status: 201 });
		},
	});
	const delivery = new Delivery(ofJob(client, 7), new AbortController().signal);
	for (let number = 0; number < 20; number += 1) {
		delivery.report(result(number));
		await new Promise((resolve) => setImmediate(resolve));
		delivery.report(result(number, "passed"));
		await new Promise((resolve) => setImmediate(resolve));
	}
	expect(await delivery.finish()).toEqual({ lost: "", failure: null });
	expect(calls).toEqual([1, 20]);
});
