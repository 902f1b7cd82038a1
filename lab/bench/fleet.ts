/**
 * Measures the cost of a fleet of runners for one dashboard. Simulated runners speak the real protocol from a separate
 * process, against the dashboard and, in the same run, against the same protocol on bare `node:http` and `node:sqlite`
 * (bare-fleet).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, ms, p50p99, percentile, type Result, type Results } from "./figures.ts";
import {
	type Cost,
	type LoadProcess,
	type LoopDelay,
	METRICS_TOKEN,
	makePieces,
	shareOf,
	startLoad,
	watch,
} from "./fleet-process.ts";
import { QUICK, samples } from "./samples.ts";
import { type ServerProcess, startProcess } from "./server-process.ts";

const IDLE = samples(400);
const FLEET = samples(100);
const RECORDING = samples(60);
const FULL = samples(400);
const THOUSAND = samples(1_000);
/** Several rounds of polls, which last 5 s. */
const WINDOW_MS = QUICK ? 2_000 : 20_000;
/** The time until V8 has compiled the functions called often, as in a process that has run for a while. */
const SETTLE_MS = QUICK ? 300 : 20_000;
/** Idle runners call so seldom that it takes longer, and single windows of 20 s differ by a fifth. */
const IDLE_SETTLE_MS = QUICK ? 300 : 90_000;
const IDLE_WINDOW_MS = QUICK ? 2_000 : 120_000;
const RAMP_MS = QUICK ? 1_000 : 5_000;
/** A recording has to outlast everything that is measured while it runs. */
const VIDEO_SECONDS = QUICK ? 10 : 70;
const PROMISED = {
	...{ idle: 1.5, patch: 2, p99: 3, loopMs: 50, fullLoopMs: 200 },
	...{ confirmed: 0.97, firstMs: 1_000, allMs: 20_000 },
};
const count = (value: number) => value.toLocaleString("en");

export const figures = {
	idle: { what: `CPU time of an idle runner, of ${IDLE}`, promise: `≤ ${PROMISED.idle}` },
	thousand: { what: `CPU time of ${count(THOUSAND)} idle runners`, promise: `≤ ${PROMISED.idle}` },
	patch: {
		what: `CPU time of a PATCH of 25 kB, ${FLEET} runners of which ${RECORDING} record`,
		promise: `≤ ${PROMISED.patch}`,
	},
	answer: { what: "the same: a PATCH to its answer", promise: `p99 ≤ ${PROMISED.p99} times` },
	delay: { what: "the same: event-loop delay of the dashboard", promise: `p99 < ${PROMISED.loopMs} ms` },
	full: {
		what: `${FULL} recordings at once: bytes confirmed of those recorded`,
		promise: `≥ ${PROMISED.confirmed * 100} %`,
	},
	fullDelay: { what: "the same: event-loop delay of the dashboard", promise: `p99 < ${PROMISED.fullLoopMs} ms` },
	reconnect: {
		what: `${count(THOUSAND)} runners that sign in and poll in the same instant after a restart`,
		promise: `first < ${PROMISED.firstMs / 1_000} s, all < ${PROMISED.allMs / 1_000} s`,
	},
} satisfies Record<string, Figure>;

type Reconnected = { firstMs: number; allMs: number };
type Both<T> = { real: T; bare: T };
type Measured = { idle: Cost; some: Cost; full: Cost; thousand: Cost; reconnected: Reconnected };
type Fleet = { server: ServerProcess; load: LoadProcess; startAgain: () => Promise<ServerProcess> };
type WithFleet = <T>(role: string, scenario: string, work: (fleet: Fleet) => Promise<T>) => Promise<T>;

export async function run(): Promise<Results<typeof figures>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		const pieces = join(folder, "pieces.mp4");
		await makePieces(pieces, VIDEO_SECONDS);
		const withFleet = fleetsIn(folder, pieces);
		const idle = await atOnce(withFleet, "idle", (fleets) => watchIdle(fleets, IDLE));
		const { thousand, reconnected } = await atOnce(withFleet, "thousand", async (fleets) => ({
			thousand: await watchIdle(fleets, THOUSAND),
			reconnected: { real: await reconnect(fleets.real), bare: await reconnect(fleets.bare) },
		}));
		const some = await inTurn(withFleet, "some", watchSome);
		const full = await inTurn(withFleet, "full", watchFull);
		const of = (side: keyof Both<unknown>) => ({
			...{ idle: idle[side], thousand: thousand[side], reconnected: reconnected[side] },
			...{ some: some[side], full: full[side] },
		});
		return resultsOf(of("real"), of("bare"));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const SERVERS = join(import.meta.dirname, "servers.ts");
const API_KEY = "tdk_bench_0123456789abcdef";
const RUNNER_TOKEN = "tdr_bench_0123456789abcdef";

/** @returns a function that starts a server and its load, runs a scenario with them, and stops them. */
function fleetsIn(folder: string, pieces: string): WithFleet {
	return async (role, scenario, work) => {
		const start = () =>
			startProcess([SERVERS, role], {
				PORT: "0",
				TAPEDECK_DATA_DIR: join(folder, role, scenario),
				TAPEDECK_BOOTSTRAP_API_KEY: API_KEY,
				TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: RUNNER_TOKEN,
				TAPEDECK_METRICS_TOKEN: METRICS_TOKEN,
			});
		const server = await start();
		const load = startLoad({ port: server.port, runnerToken: RUNNER_TOKEN, apiKey: API_KEY, pieces });
		try {
			return await work({ server, load, startAgain: start });
		} finally {
			await load.stop();
			await server.stop();
		}
	};
}

/**
 * Runs with both servers at once, so that both see the machine at the same speed, which varies more than they differ.
 */
const atOnce = <T>(withFleet: WithFleet, scenario: string, work: (fleets: Both<Fleet>) => Promise<T>): Promise<T> =>
	withFleet("dashboard", scenario, (real) => withFleet("bare-fleet", scenario, (bare) => work({ real, bare })));

/** Runs with one server after the other, so that each has the whole machine. */
const inTurn = async <T>(withFleet: WithFleet, scenario: string, work: (fleet: Fleet) => Promise<T>) => ({
	real: await withFleet("dashboard", scenario, work),
	bare: await withFleet("bare-fleet", scenario, work),
});

async function watchIdle({ real, bare }: Both<Fleet>, count: number): Promise<Both<Cost>> {
	for (const { load } of [real, bare]) await load.ask("runners", { count });
	await sleep(IDLE_SETTLE_MS);
	const watched = [watch(real, IDLE_WINDOW_MS), watch(bare, IDLE_WINDOW_MS)] as const;
	const [ofReal, ofBare] = await Promise.all(watched);
	return { real: ofReal, bare: ofBare };
}

async function watchSome(fleet: Fleet): Promise<Cost> {
	await fleet.load.ask("runners", { count: FLEET });
	await fleet.load.ask("record", { count: RECORDING });
	await sleep(SETTLE_MS);
	return watch(fleet, WINDOW_MS);
}

async function watchFull(fleet: Fleet): Promise<Cost> {
	await fleet.load.ask("runners", { count: FULL });
	for (const part of [0.25, 0.5, 0.75, 1]) {
		await fleet.load.ask("record", { count: Math.round(FULL * part) });
		await sleep(RAMP_MS);
	}
	await sleep(SETTLE_MS);
	return watch(fleet, WINDOW_MS);
}

async function reconnect({ server, load, startAgain }: Fleet): Promise<Reconnected> {
	await load.ask("vanish", {});
	await server.stop();
	const second = await startAgain();
	try {
		const { servedMs } = await load.ask("reconnect", { port: second.port });
		return { firstMs: Math.min(...servedMs), allMs: Math.max(...servedMs) };
	} finally {
		await second.stop();
	}
}

function resultsOf(real: Measured, bare: Measured): Results<typeof figures> {
	const percent = (value: number) => `${(value * 100).toFixed(1)} %`;
	const cost = (of: number, against: number, ratio: number, text: (value: number) => string): Result => ({
		values: [of, against],
		measured: text(of),
		against: `${(of / against).toFixed(2)} of ${text(against)} on bare \`node:http\` and \`node:sqlite\``,
		holds: of / against <= ratio,
	});
	const perRunner = (value: number) => `${((value / IDLE) * 1e6).toFixed(0)} µs a second`;
	const perPatch = ({ cpu, patchMs }: Cost) => (cpu * 1_000) / patchMs.length;
	const [p99, bareP99] = [percentile(real.some.patchMs, 0.99), percentile(bare.some.patchMs, 0.99)];
	const confirmed = ({ pieces, madePieces }: Cost) => pieces / madePieces;
	return {
		idle: cost(shareOf(real.idle), shareOf(bare.idle), PROMISED.idle, perRunner),
		thousand: cost(
			shareOf(real.thousand),
			shareOf(bare.thousand),
			PROMISED.idle,
			(value) => `${percent(value)} of a core`,
		),
		patch: cost(perPatch(real.some), perPatch(bare.some), PROMISED.patch, (value) => `${value.toFixed(2)} ms`),
		answer: {
			values: [p99, bareP99],
			measured: p50p99(real.some.patchMs),
			against: `${p50p99(bare.some.patchMs)} on bare \`node:http\``,
			holds: p99 <= PROMISED.p99 * bareP99,
		},
		delay: delayOf(real.some, bare.some, PROMISED.loopMs),
		full: {
			values: [confirmed(real.full), confirmed(bare.full)],
			measured: `${percent(confirmed(real.full))} with ${percent(shareOf(real.full))} of a core; PATCH ${p50p99(real.full.patchMs)}`,
			against: `${percent(shareOf(bare.full))} of a core, ${p50p99(bare.full.patchMs)} on bare \`node:http\``,
			holds: confirmed(real.full) >= PROMISED.confirmed,
		},
		fullDelay: delayOf(real.full, bare.full, PROMISED.fullLoopMs),
		reconnect: {
			values: [real.reconnected.firstMs, real.reconnected.allMs],
			measured: `first ${ms(real.reconnected.firstMs)}, all ${ms(real.reconnected.allMs)}`,
			against: `first ${ms(bare.reconnected.firstMs)}, all ${ms(bare.reconnected.allMs)} on bare \`node:http\``,
			holds: real.reconnected.firstMs < PROMISED.firstMs && real.reconnected.allMs < PROMISED.allMs,
		},
	};
}

function delayOf({ delay }: Cost, { delay: bare }: Cost, promisedMs: number): Result {
	const text = ({ p99, max }: LoopDelay) => `p99 ${ms(p99 * 1_000)}, max ${ms(max * 1_000)}`;
	return {
		values: [delay.p99, delay.max],
		measured: text(delay),
		against: `${text(bare)} on bare \`node:http\``,
		holds: delay.p99 * 1_000 < promisedMs,
	};
}
