/**
 * The load of `fleet.ts` in a process of its own: a fleet of simulated runners against one server, ordered about
 * by its parent's messages.
 */
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { SimulatedRecorder } from "#test/runners/simulated-recorder.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { startTracks } from "./track-load.ts";

const SIGN_INS_AT_ONCE = 20;

export type LoadTarget = { port: number; runnerToken: string; apiKey: string; pieces: string };

/** What the parent may ask for; each is answered with its result. */
export interface LoadOrders {
	/** Signs in until there are so many runners that poll. */
	runners: { order: { count: number }; result: null };
	/** Creates jobs until so many runners record. */
	record: { order: { count: number }; result: null };
	/** From now on, the recording of that job has tracks of these names, which get so many lines a second each. */
	tracks: { order: { jobId: number; names: readonly string[]; linesPerSecond: number }; result: null };
	/** They get no more lines. Resolves with how many they got, once all are sent. */
	endTracks: { order: object; result: { lines: number } };
	/** Cancels all recordings in the same instant. Resolves once all of them can be played. */
	cancelAll: { order: object; result: Ended };
	/** Watches what happens for a while. */
	measure: { order: { ms: number }; result: LoadMeasure };
	/** All runners vanish, as if the server had been restarted. */
	vanish: { order: object; result: null };
	/** All sign in and poll in the same instant. */
	reconnect: { order: { port: number }; result: { servedMs: number[] } };
	stop: { order: object; result: null };
}

export interface LoadMeasure {
	/** Of each PATCH, from its request to its answer. */
	patchMs: number[];
	/** Pieces that were confirmed. */
	pieces: number;
	/** Pieces that the recordings made. */
	madePieces: number;
	polls: number;
	failures: string[];
	/** Longest delay of this process's own event loop: above that, a delay may be the load's. */
	ownDelayMs: number;
}

/** Milliseconds of each recording that was cancelled. */
export interface Ended {
	/** From the request that completes its upload to the answer. */
	lastPatchMs: number[];
	/** From the cancel's request until it can be played. */
	playableMs: number[];
}

type Message = { name: keyof LoadOrders; order: never };
type Perform = { [N in keyof LoadOrders]: (order: LoadOrders[N]["order"]) => Promise<LoadOrders[N]["result"]> };

const target = JSON.parse(process.env.BENCH_LOAD ?? "{}") as LoadTarget;
const pieces = readPieces(target.pieces);
const runners: SimulatedRecorder[] = [];
/** Which one records each job. */
const recorders = new Map<number, SimulatedRecorder>();
let endTracks = async () => 0;
let seen: LoadMeasure = nothing();
let recording = 0;
let lastPatchMs: number[] = [];

function nothing(): LoadMeasure {
	return { patchMs: [], pieces: 0, madePieces: 0, polls: 0, failures: [], ownDelayMs: 0 };
}

const listener = {
	patched(ms: number, count: number) {
		seen.patchMs.push(ms);
		seen.pieces += count;
	},
	polled() {
		seen.polls += 1;
	},
	finished(ms: number) {
		lastPatchMs.push(ms);
	},
	failed(error: Error) {
		if (seen.failures.length < 10) seen.failures.push(error.message);
	},
};

const dashboard = {
	get url() {
		return `http://127.0.0.1:${target.port}`;
	},
	runnerToken: target.runnerToken,
};
const newRunner = (index: number) => new SimulatedRecorder(dashboard, `runner ${index}`, pieces, listener);

const perform: Perform = {
	async runners({ count }) {
		while (runners.length < count) {
			const added = Array.from({ length: Math.min(SIGN_INS_AT_ONCE, count - runners.length) }, (_, index) =>
				newRunner(runners.length + index),
			);
			runners.push(...added);
			await Promise.all(added.map((runner) => runner.start()));
		}
		return null;
	},
	async record({ count }) {
		const added = Array.from({ length: count - recording }, (_, index) => recording + index);
		recording = count;
		// A whole period apart: real recordings do not begin in the same instant.
		await Promise.all(
			added.map(async (index) => {
				await sleep((1_000 * (index - added.length)) / added.length + 1_000);
				const runner = runners[index % runners.length] as SimulatedRecorder;
				recorders.set(await createJob(runner.runnerId, `recording ${index}`), runner);
			}),
		);
		return null;
	},
	async tracks(order) {
		const runner = recorders.get(order.jobId);
		if (runner === undefined) throw new Error(`Job ${order.jobId} is not recorded here.`);
		endTracks = await startTracks(target, runner, order);
		return null;
	},
	async endTracks() {
		return { lines: await endTracks() };
	},
	async cancelAll() {
		lastPatchMs = [];
		const from = performance.now();
		const playableMs = await Promise.all(
			[...recorders.keys()].map(async (jobId) => {
				await call("POST", `/v1/jobs/${jobId}/cancel`);
				await call("GET", `/v1/jobs/${jobId}?waitFor=playable&timeoutSeconds=60`);
				return performance.now() - from;
			}),
		);
		// A recording is playable a moment before its runner has the answer.
		while (lastPatchMs.length < playableMs.length) await sleep(20);
		recorders.clear();
		recording = 0;
		return { lastPatchMs, playableMs };
	},
	async measure({ ms }) {
		seen = nothing();
		const from = performance.now();
		let last = from;
		let ownDelayMs = 0;
		const timer = setInterval(() => {
			ownDelayMs = Math.max(ownDelayMs, performance.now() - last - 20);
			last = performance.now();
		}, 20);
		await sleep(ms);
		clearInterval(timer);
		const taken = seen;
		seen = nothing();
		return { ...taken, ownDelayMs, madePieces: (recording * (performance.now() - from)) / 500 };
	},
	async vanish() {
		for (const runner of runners) runner.kill();
		return null;
	},
	async reconnect({ port }) {
		target.port = port;
		const count = runners.length;
		runners.splice(0);
		const from = performance.now();
		const servedMs = await Promise.all(
			Array.from({ length: count }, async (_, index) => {
				const runner = newRunner(index);
				runners.push(runner);
				await runner.signIn();
				await runner.poll(0);
				return performance.now() - from;
			}),
		);
		return { servedMs };
	},
	async stop() {
		for (const runner of runners) runner.kill();
		return null;
	},
};

/** @returns its id. */
async function createJob(runnerId: number, name: string): Promise<number> {
	const job = await call("POST", "/v1/jobs", { runnerId, displayId: ":99", name, stopCondition: "interrupt" });
	return (job as { id: number }).id;
}

/** Calls the dashboard as a script does. @throws unless it succeeds. */
function call(method: string, path: string, fields?: object): Promise<unknown> {
	const body = fields === undefined ? "" : JSON.stringify(fields);
	const headers = {
		authorization: `Bearer ${target.apiKey}`,
		...(fields === undefined ? {} : { "content-type": "application/json" }),
		"content-length": Buffer.byteLength(body),
	};
	return new Promise((resolve, reject) => {
		const sent = request({ host: "127.0.0.1", port: target.port, method, path, headers }, (answer) => {
			const status = answer.statusCode ?? 0;
			if (status >= 200 && status < 300) json(answer).then(resolve, reject);
			else {
				answer.resume();
				reject(new Error(`${method} ${path} answered ${status}`));
			}
		});
		sent.on("error", reject);
		sent.end(body);
	});
}

process.on("message", ({ name, order }: Message) => {
	perform[name](order).then(
		(result) => process.send?.({ result }),
		(error: Error) => process.send?.({ error: error.message }),
	);
});
process.on("disconnect", () => process.exit(0));
