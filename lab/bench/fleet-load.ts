/**
 * The load of `fleet.ts` in a process of its own: a fleet of simulated runners against one server, ordered about
 * by its parent's messages.
 */
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { SimulatedRecorder } from "#test/runners/simulated-recorder.ts";
import { readPieces } from "#test/videos/read-pieces.ts";

const SIGN_INS_AT_ONCE = 20;

export type LoadTarget = { port: number; runnerToken: string; apiKey: string; pieces: string };

/** The requests that the parent process may send. Each is answered with its result. */
export interface LoadOrders {
	/** Signs in runners until this number polls. */
	runners: { order: { count: number }; result: null };
	/** Creates jobs until this number of runners records. */
	record: { order: { count: number }; result: null };
	/** Cancels all recordings in the same instant, and waits until their videos play. */
	end: { order: object; result: LoadEnds };
	/** Measures for a while. */
	measure: { order: { ms: number }; result: LoadMeasure };
	/** All runners vanish, as if the server had been restarted. */
	vanish: { order: object; result: null };
	/** All sign in and poll in the same instant. */
	reconnect: { order: { port: number }; result: { servedMs: number[] } };
	stop: { order: object; result: null };
}

export interface LoadMeasure {
	/** The time of each PATCH, from request to response. */
	patchMs: number[];
	/** Chunks that were confirmed. */
	pieces: number;
	/** Chunks that the recordings made. */
	madePieces: number;
	polls: number;
	failures: string[];
	/** The longest delay of this process's own event loop. Longer delays of calls may be caused by the load itself. */
	ownDelayMs: number;
}

export interface LoadEnds {
	/** The time of the last PATCH of each recording, from request to response. */
	lastPatchMs: number[];
	/** The time from the request of each cancel until the server says that the video plays. */
	playableMs: number[];
	failures: string[];
}

type Message = { name: keyof LoadOrders; order: never };
type Perform = { [N in keyof LoadOrders]: (order: LoadOrders[N]["order"]) => Promise<LoadOrders[N]["result"]> };

const target = JSON.parse(process.env.BENCH_LOAD ?? "{}") as LoadTarget;
const pieces = readPieces(target.pieces);
const runners: SimulatedRecorder[] = [];
let seen: LoadMeasure = nothing();
let recording = 0;
/** Jobs that were created since the last `end`. */
const jobIds: number[] = [];
let lastPatchMs: number[] = [];

function nothing(): LoadMeasure {
	return { patchMs: [], pieces: 0, madePieces: 0, polls: 0, failures: [], ownDelayMs: 0 };
}

const listener = {
	patched(ms: number, count: number) {
		seen.patchMs.push(ms);
		seen.pieces += count;
	},
	completed(ms: number) {
		lastPatchMs.push(ms);
	},
	polled() {
		seen.polls += 1;
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
				jobIds.push(await createJob(runner.runnerId, `recording ${index}`));
			}),
		);
		return null;
	},
	async end() {
		lastPatchMs = [];
		seen = nothing();
		const playableMs = await Promise.all(
			jobIds.splice(0).map(async (id) => {
				const from = performance.now();
				await call("POST", `/v1/jobs/${id}/cancel`, 202);
				await call("GET", `/v1/jobs/${id}?waitFor=playable&timeoutSeconds=60`, 200);
				return performance.now() - from;
			}),
		);
		// The response to a last PATCH may arrive after the video plays.
		while (lastPatchMs.length < playableMs.length && seen.failures.length === 0) await sleep(20);
		recording = 0;
		return { lastPatchMs, playableMs, failures: seen.failures };
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

/** Creates a job as a script does. @returns its id. */
async function createJob(runnerId: number, name: string): Promise<number> {
	const body = JSON.stringify({ runnerId, displayId: ":99", name, stopCondition: "interrupt" });
	return JSON.parse(await call("POST", "/v1/jobs", 201, body)).id;
}

/** @returns the body of the answer. @throws when it has another status. */
function call(method: string, path: string, status: number, body = ""): Promise<string> {
	const headers = {
		authorization: `Bearer ${target.apiKey}`,
		...(body === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
	};
	return new Promise((resolve, reject) => {
		const sent = request({ host: "127.0.0.1", port: target.port, method, path, headers }, (answer) => {
			const chunks: Buffer[] = [];
			answer.on("data", (chunk: Buffer) => chunks.push(chunk));
			answer.on("end", () => {
				if (answer.statusCode === status) resolve(Buffer.concat(chunks).toString());
				else reject(new Error(`${method} ${path} was answered ${answer.statusCode}`));
			});
			answer.on("error", reject);
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
