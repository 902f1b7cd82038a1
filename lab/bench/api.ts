/** Create and list calls against the same work on bare node:http; a list out of 1,000,000 against one out of 1,000. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inDatabase } from "#test/databases/database.ts";
import { addEndedJobs } from "./ended-jobs.ts";
import type { Results } from "./figures.ts";
import { type Load, requestsPerSecond, type ServerProcess, startProcess } from "./http-load.ts";
import { QUICK, rateAgainst } from "./samples.ts";

const TOKEN = "tdk_bench_0123456789abcdef";
const ROUNDS = QUICK ? 1 : 5;
const ROUND_SECONDS = QUICK ? 0.5 : 2;
const FEW = 1_000;
const MANY = QUICK ? 20_000 : 1_000_000;
const PROMISED_RATIO = 0.5;
const PROMISED_GROWTH = 1.2;
const SAME_WORK = "× the same work on bare `node:http`";
const SERVERS = join(import.meta.dirname, "servers.ts");
const count = (value: number) => Math.round(value).toLocaleString("en");

export const figures = {
	create: { what: "create a job", promise: `≥ ${PROMISED_RATIO}` },
	list: { what: "list 50 jobs", promise: `≥ ${PROMISED_RATIO}` },
	many: { what: `list 50 of ${count(MANY)} jobs`, promise: `≤ ${PROMISED_GROWTH}` },
};

export async function run(): Promise<Results<typeof figures>> {
	const few = await openDatabase(FEW);
	const many = await openDatabase(MANY);
	try {
		const getList = { method: "GET", path: "/v1/jobs" } as const;
		const list = await compare(getList, few.real, few.bare);
		const size = await compare(getList, many.real, few.real);
		const body = JSON.stringify({
			runnerId: 1,
			displayId: ":99",
			name: "bench",
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 5 },
		});
		const create = await compare({ method: "POST", path: "/v1/jobs", body }, few.real, few.bare);
		const growth = 1 / size.ratio;
		return {
			create: sameWork(create),
			list: sameWork(list),
			many: {
				values: [...size.values, growth],
				measured: `${count(size.rate)} requests/s`,
				against: `${growth.toFixed(2)} × the time for 50 of ${count(FEW)}`,
				holds: growth <= PROMISED_GROWTH,
			},
		};
	} finally {
		await few.close();
		await many.close();
	}
}

type Comparison = Awaited<ReturnType<typeof rateAgainst>>;

const sameWork = ({ rate, ratio, values }: Comparison) => ({
	values,
	measured: `${count(rate)} requests/s`,
	against: `${ratio.toFixed(2)} ${SAME_WORK}`,
	holds: ratio >= PROMISED_RATIO,
});

function compare(
	load: Pick<Load, "method" | "path" | "body">,
	server: ServerProcess,
	baseline: ServerProcess,
): Promise<Comparison> {
	const rateOf = ({ port }: ServerProcess) =>
		requestsPerSecond({ ...load, token: TOKEN, port, seconds: ROUND_SECONDS });
	return rateAgainst(
		() => rateOf(baseline),
		() => rateOf(server),
		ROUNDS,
	);
}

async function openDatabase(jobs: number) {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const env = {
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_BOOTSTRAP_API_KEY: TOKEN,
		BENCH_DATABASE: join(dataDir, "tapedeck.db"),
	};
	// Once for the tables, then filled from outside while nobody holds it.
	await (await startProcess([SERVERS, "dashboard"], env)).stop();
	inDatabase({ dataDir }, (database) => addEndedJobs(database, jobs, { recordings: true }));
	const real = await startProcess([SERVERS, "dashboard"], env);
	// A database of its own: two writers of one file would wait for each other.
	const bareDatabase = `${env.BENCH_DATABASE}.bare`;
	await copyFile(env.BENCH_DATABASE, bareDatabase);
	const bare = await startProcess([SERVERS, "bare-jobs"], { BENCH_DATABASE: bareDatabase });
	const close = async () => {
		await real.stop();
		await bare.stop();
		await rm(dataDir, { recursive: true, force: true });
	};
	return { real, bare, close };
}
