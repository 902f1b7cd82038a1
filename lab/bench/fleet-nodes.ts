/**
 * Compares the cost of a recording on two dashboards that share one PostgreSQL with one dashboard on the same. The load
 * is that of `fleet.ts`, behind two kinds of balancer. One sends each request to the next dashboard, so that the
 * dashboard with a recording's file gets half of its chunks from the other one. The other sends all requests of a
 * runner to one dashboard, as the shipped configuration does. Videos are on disks; with a bucket, a recording in
 * progress is a file as well.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startOwnPostgres } from "#test/databases/own-postgres.ts";
import {
	callsPassedOn,
	DASHBOARDS_API_KEY,
	DASHBOARDS_RUNNER_TOKEN,
	type DashboardProcess,
	startDashboards,
} from "#test/servers/dashboards.ts";
import { startRoundRobin } from "#test/servers/round-robin.ts";
import { type Figure, listed, ms, p50p99, type Results } from "./figures.ts";
import type { LoadMeasure } from "./fleet-load.ts";
import { type LoadProcess, type LoopDelay, loopDelay, METRICS_TOKEN, makePieces, startLoad } from "./fleet-process.ts";
import { cpuSecondsOfProgram, exactCpuSeconds } from "./processes.ts";
import { QUICK, samples } from "./samples.ts";

const FLEET = samples(100);
const RECORDING = samples(60);
const FULL = samples(400);
/** Single rounds differ by a tenth. */
const ROUNDS = QUICK ? 1 : 4;
const WINDOW_MS = QUICK ? 2_000 : 20_000;
/** The same values as in `fleet.ts`. */
const SETTLE_MS = QUICK ? 300 : 20_000;
const RAMP_MS = QUICK ? 0 : 5_000;
const VIDEO_SECONDS = QUICK ? 10 : 90;
/** Fast, but as durable as in production. */
const POSTGRES = ["fsync=on"];
const PROMISED = { cost: 1.5, confirmed: 0.97 };

export const figures = {
	cost: {
		what: `two dashboards: CPU time of a recording, with PostgreSQL's, ${FLEET} runners of which ${RECORDING} record`,
		promise: `≤ ${PROMISED.cost}`,
	},
	hashed: {
		what: "the same with all uploads of a runner sent to one dashboard, as by deploy/nginx-several.conf",
		promise: `≤ ${PROMISED.cost}`,
	},
	full: {
		what: `two dashboards, ${FULL} recordings at once: bytes confirmed of those recorded`,
		promise: `≥ ${PROMISED.confirmed * 100} %`,
	},
	limit: {
		what: "the same: the limit first, if nothing else runs on these machines",
		promise: "a dashboard, so that one more helps",
	},
} satisfies Record<string, Figure>;

/** The cost of the load in a window; processor time as a share of one core. */
interface Cost extends LoadMeasure {
	dashboards: number[];
	postgres: number;
	balancer: number;
	delays: LoopDelay[];
	/** The share of the chunks that were passed on. */
	passedOn: number;
}

export async function run(): Promise<Results<typeof figures>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		const pieces = join(folder, "pieces.mp4");
		await makePieces(pieces, VIDEO_SECONDS);
		const rounds: Round[] = [];
		for (let round = 0; round < ROUNDS; round += 1) {
			const one = await measure(1, pieces, { runners: FLEET, recordings: RECORDING });
			const two = await measure(2, pieces, { runners: FLEET, recordings: RECORDING });
			const hashed = await measure(2, pieces, { runners: FLEET, recordings: RECORDING, hashUploads: true });
			rounds.push({ one, two, hashed });
		}
		return resultsOf(rounds, await measure(2, pieces, { runners: FULL, recordings: FULL }));
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The same load in turns, so that a machine that slows down slows all. */
type Round = { one: Cost; two: Cost; hashed: Cost };

type Scenario = { runners: number; recordings: number; hashUploads?: boolean };

async function measure(count: number, pieces: string, { runners, recordings, hashUploads }: Scenario): Promise<Cost> {
	const postgres = await startOwnPostgres(POSTGRES);
	const ends = [postgres.stop];
	try {
		const dashboards = await startDashboards(count, postgres.url, { TAPEDECK_METRICS_TOKEN: METRICS_TOKEN });
		ends.unshift(dashboards.stop);
		const balancer = await startRoundRobin(
			dashboards.nodes.map(({ port }) => port),
			{ hashUploads },
		);
		ends.unshift(balancer.stop);
		const credentials = { runnerToken: DASHBOARDS_RUNNER_TOKEN, apiKey: DASHBOARDS_API_KEY };
		const load = startLoad({ port: balancer.port, ...credentials, pieces });
		ends.unshift(load.stop);
		await load.ask("runners", { count: runners });
		for (let started = 0; started < recordings; ) {
			started = Math.min(recordings, started + FLEET);
			await load.ask("record", { count: started });
			if (started < recordings) await sleep(RAMP_MS);
		}
		await sleep(SETTLE_MS);
		const cost = await watch(dashboards.nodes, load);
		console.log(`  ${recordings} recordings, ${describe(cost)}`);
		return cost;
	} finally {
		for (const end of ends) await end();
	}
}

async function watch(nodes: readonly DashboardProcess[], load: LoadProcess): Promise<Cost> {
	const seconds = () => ({
		dashboards: nodes.map((node) => exactCpuSeconds(node.pid())),
		postgres: cpuSecondsOfProgram("postgres"),
		balancer: cpuSecondsOfProgram("nginx"),
	});
	await Promise.all(nodes.map(loopDelay));
	const passedBefore = await callsPassedOn(nodes, METRICS_TOKEN);
	const startedAt = performance.now();
	const before = seconds();
	const measured = await load.ask("measure", { ms: WINDOW_MS });
	const after = seconds();
	const window = (performance.now() - startedAt) / 1_000;
	if (measured.failures.length > 0) throw new Error(`calls failed: ${measured.failures.join("; ")}`);
	const passed = (await callsPassedOn(nodes, METRICS_TOKEN)) - passedBefore;
	return {
		...measured,
		dashboards: after.dashboards.map((each, index) => (each - (before.dashboards[index] as number)) / window),
		postgres: (after.postgres - before.postgres) / window,
		balancer: (after.balancer - before.balancer) / window,
		delays: await Promise.all(nodes.map(loopDelay)),
		passedOn: passed / measured.patchMs.length,
	};
}

const sum = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0);
const total = ({ dashboards, postgres }: Cost): number => sum(dashboards) + postgres;
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;

const describe = (cost: Cost): string =>
	[
		`dashboards ${listed(cost.dashboards.map(percent))} of a core`,
		`PostgreSQL ${percent(cost.postgres)}, nginx ${percent(cost.balancer)}`,
		`PATCH ${p50p99(cost.patchMs)}, ${percent(cost.passedOn)} passed on`,
		`event-loop delay p99 ${listed(cost.delays.map(({ p99 }) => ms(p99 * 1_000)))}`,
		`the load's own delay ${ms(cost.ownDelayMs)}`,
	].join("; ");

function resultsOf(rounds: readonly Round[], full: Cost): Results<typeof figures> {
	const each = (value: number) => `${((value / RECORDING) * 1_000).toFixed(1)} ms a second`;
	const mean = (values: readonly number[]) => sum(values) / rounds.length;
	const one = mean(rounds.map(({ one }) => total(one)));
	const beside = (kind: "two" | "hashed") => {
		const costs = rounds.map((round) => round[kind]);
		const cost = mean(costs.map(total));
		const postgres = mean(costs.map(({ postgres }) => postgres));
		return {
			values: [cost, one],
			measured: `${each(cost)}, of it PostgreSQL ${percent(postgres / cost)}`,
			against: `${(cost / one).toFixed(2)} × ${each(one)} with one dashboard on the same PostgreSQL`,
			holds: cost / one <= PROMISED.cost,
		};
	};
	const confirmed = full.pieces / full.madePieces;
	const busiest = Math.max(...full.dashboards);
	const limit = Math.floor(FULL / busiest);
	const delay = ms(Math.max(...full.delays.map(({ p99 }) => p99)) * 1_000);
	return {
		cost: beside("two"),
		hashed: beside("hashed"),
		full: {
			values: [confirmed],
			measured: `${percent(confirmed)}; of a core: dashboards ${listed(full.dashboards.map(percent))}, PostgreSQL ${percent(full.postgres)}; event-loop delay p99 ${delay}`,
			holds: confirmed >= PROMISED.confirmed,
		},
		limit: {
			values: [busiest, full.postgres],
			measured: `a dashboard's core, at about ${limit} recordings, by these shares; PostgreSQL takes ${percent(full.postgres / busiest)} of a core then`,
			holds: full.postgres < busiest,
		},
	};
}
