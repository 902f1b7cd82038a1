/** Create and list calls against the same work on bare node:http; a list out of 1,000,000 against one out of 1,000. */
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Figure, median } from "./figures.ts";
import { type Load, requestsPerSecond, type ServerProcess, startProcess } from "./http-load.ts";

const TOKEN = "tdk_bench_0123456789abcdef";
const ROUNDS = 5;
const ROUND_SECONDS = 2;
const here = (file: string) => join(import.meta.dirname, file);

export async function run(): Promise<Figure[]> {
	const small = await openDatabase(1_000);
	const large = await openDatabase(1_000_000);
	try {
		const list = await compare("list 50 of 1,000 jobs", { method: "GET", path: "/v1/jobs" }, small.real, small.bare);
		const size = await compare("list", { method: "GET", path: "/v1/jobs" }, large.real, small.real);
		const body = JSON.stringify({
			runnerId: 1,
			displayId: ":99",
			name: "bench",
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 5 },
		});
		const create = await compare("create a job", { method: "POST", path: "/v1/jobs", body }, small.real, small.bare);
		return [
			figure("create a job", create, "the same work on bare node:http", 0.5),
			figure("list 50 jobs", list, "the same work on bare node:http", 0.5),
			{
				what: "list 50 of 1,000,000 jobs",
				measured: `${Math.round(size.rate)} requests/s, ${(1 / size.ratio).toFixed(2)} of the time`,
				against: `a list of 50 of 1,000, ${Math.round(size.baseline)} requests/s`,
				promise: "≤ 1.2",
				holds: 1 / size.ratio <= 1.2,
			},
		];
	} finally {
		await small.close();
		await large.close();
	}
}

type Comparison = { rate: number; baseline: number; ratio: number };

function figure(what: string, { rate, baseline, ratio }: Comparison, against: string, promise: number): Figure {
	return {
		what,
		measured: `${Math.round(rate)} requests/s, ${ratio.toFixed(2)} of it`,
		against: `${against}, ${Math.round(baseline)} requests/s`,
		promise: `≥ ${promise}`,
		holds: ratio >= promise,
	};
}

/** In turns, so that a machine that slows down slows both; the median of the ratios pair by pair. */
async function compare(
	name: string,
	load: Pick<Load, "method" | "path" | "body">,
	server: ServerProcess,
	baseline: ServerProcess,
): Promise<Comparison> {
	const rates: number[] = [];
	const baselines: number[] = [];
	for (let round = 0; round <= ROUNDS; round += 1) {
		const rate = await requestsPerSecond({ ...load, token: TOKEN, port: server.port, seconds: ROUND_SECONDS });
		const base = await requestsPerSecond({ ...load, token: TOKEN, port: baseline.port, seconds: ROUND_SECONDS });
		// The first round warms both up.
		if (round > 0) rates.push(rate);
		if (round > 0) baselines.push(base);
		console.log(`${name}: ${Math.round(rate)} and ${Math.round(base)} requests/s`);
	}
	const ratios = rates.map((rate, index) => rate / (baselines[index] ?? 1));
	return { rate: median(rates), baseline: median(baselines), ratio: median(ratios) };
}

async function openDatabase(jobs: number) {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const env = {
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_BOOTSTRAP_API_KEY: TOKEN,
		BENCH_DATABASE: join(dataDir, "tapedeck.db"),
	};
	// Once for the tables, then filled from outside while nobody holds it.
	await (await startProcess([here("api-server.ts")], env)).stop();
	fill(env.BENCH_DATABASE, jobs);
	const real = await startProcess([here("api-server.ts")], env);
	// A database of its own: two writers of one file would wait for each other.
	const bareDatabase = `${env.BENCH_DATABASE}.bare`;
	await copyFile(env.BENCH_DATABASE, bareDatabase);
	const bare = await startProcess([here("bare-jobs-server.ts")], { BENCH_DATABASE: bareDatabase });
	const close = async () => {
		await real.stop();
		await bare.stop();
		await rm(dataDir, { recursive: true, force: true });
	};
	return { real, bare, close };
}

function fill(file: string, jobs: number): void {
	const database = new DatabaseSync(file, { timeout: 10_000 });
	database.exec(
		`insert into runner (id, "organizationId", name, "signInName", version, displays, "createdAt") values (1, 1, 'bench', 'bench', '1', '[]', 1)`,
	);
	database.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${jobs})
		insert into job (id, "organizationId", "runnerId", type, "displayId", name, "stopCondition", "stopConditionConfig", status,
			"stopReason", "createdAt", "startedAt", "stoppedAt", "endedAt", "createdByKind", "createdById", "createdByName")
		select i, 1, 1, 'recording', ':99', 'job ' || i, 'duration', '{"durationSeconds":30}', 'completed', 'duration_elapsed',
			i, i, i, i, 'apiKey', 1, 'bench' from n`);
	database.exec(`insert into recording ("organizationId", "jobId", name, state, "contentType", "uploadId", "durationSeconds", bytes, width,
			height, "createdAt", "updatedAt")
		select 1, id, name, 'ready', 'video/mp4', 'u' || id, 30, 1000, 1280, 720, id, id from job`);
	database.close();
}
