/**
 * The servers that benches compare, each in a process of its own: `node bench/servers.ts <role>`, which prints its port.
 *
 *   dashboard  the real server without its pages; on SIGUSR2 it prints how long its event loop was held since the last
 *   bare-jobs  the same SQL on the same database and the same JSON, without routing, sign-in, schemas or a query builder
 *   bare-file  one file over Range, and nothing else
 *   bare-fleet the runners' protocol with the same durable writes (bare-fleet.ts)
 */
import { randomUUID } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { jobView } from "#lib/jobs/job-view.ts";
import type { JobViewRow } from "#lib/lifecycle/job-store.ts";

const roles: Record<string, () => Promise<void>> = {
	dashboard,
	"bare-jobs": () => listen(bareJobs()),
	"bare-file": () => listen(bareFile()),
	"bare-fleet": async () => {
		const { bareFleet } = await import("./bare-fleet.ts");
		await listen(await bareFleet(process.env.TAPEDECK_DATA_DIR ?? ""));
	},
};
const role = process.argv[2] ?? "";
const start = roles[role];
if (start === undefined) throw new Error(`Specify a role: ${Object.keys(roles).join(", ")}.`);
await start();

function report(port: number): void {
	console.log(`listens on 127.0.0.1:${port}`);
}

async function dashboard(): Promise<void> {
	// The baselines do without the whole server.
	const { readEnv } = await import("#lib/server/env.ts");
	const { APP_DIR, startServer } = await import("#lib/server/start-server.ts");
	const variables = {
		...process.env,
		PORT: "0",
		TAPEDECK_LOG_LEVEL: "warn",
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_PAGES: "0",
		TAPEDECK_LIMIT_QUEUED_JOBS: "0",
	};
	const sweepMs = process.env.BENCH_SWEEP_MS === undefined ? undefined : Number(process.env.BENCH_SWEEP_MS);
	const { port, stop } = await startServer(readEnv(variables), { appDir: APP_DIR, sweepMs });
	const delay = monitorEventLoopDelay({ resolution: 1 });
	process.on("SIGUSR2", () => {
		console.log(`event loop held ${delay.max / 1e6} ms`);
		delay.reset();
		// From the first signal on: a timer each millisecond takes more CPU time than 200 idle runners.
		delay.enable();
	});
	report(port);
	process.on("SIGTERM", () => stop().then(() => process.exit(0)));
}

async function listen(answer: RequestListener): Promise<void> {
	const server = createServer(answer);
	server.listen(0, "127.0.0.1", () => report((server.address() as AddressInfo).port));
	process.on("SIGTERM", () => process.exit(0));
}

function bareFile(): RequestListener {
	const file = process.env.BENCH_FILE ?? "";
	const { size } = statSync(file);
	return (req, res) => {
		const match = /bytes=(\d+)-(\d+)/.exec(req.headers.range ?? "");
		const start = Number(match?.[1] ?? 0);
		const end = Number(match?.[2] ?? size - 1);
		res.writeHead(match === null ? 200 : 206, { "content-length": end - start + 1, "content-type": "video/mp4" });
		createReadStream(file, { start, end }).pipe(res);
	};
}

function bareJobs(): RequestListener {
	const database = new DatabaseSync(process.env.BENCH_DATABASE ?? "");
	database.exec(
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000",
	);
	const view = `select job.*, recording.id as "recordingId", recording.state as "recordingState",
	recording."durationSeconds" as "recordingDurationSeconds", recording.bytes as "recordingBytes",
	recording.width as "recordingWidth", recording.height as "recordingHeight", recording.verdict as "recordingVerdict",
	recording."deletedAt" as "recordingRemovedAt"
	from job left join recording on recording."jobId" = job.id`;
	const list = database.prepare(`${view} where job."organizationId" = ? order by job.id desc limit 51`);
	const read = database.prepare(`${view} where job.id = ?`);
	const runner = database.prepare(`select id, name from runner where id = ? and "organizationId" = ?`);
	const insertJob =
		database.prepare(`insert into job ("organizationId", "runnerId", type, "displayId", name, "stopCondition",
	"stopConditionConfig", status, "createdAt", "createdByKind", "createdById", "createdByName", key)
	values (1, ?, 'recording', ?, ?, ?, ?, 'queued', ?, 'apiKey', 1, 'bench', ?) returning id`);
	const insertAuditEntry =
		database.prepare(`insert into "auditEntry" ("organizationId", at, "actorKind", "actorId", "actorName", address,
	action, "targetKind", "targetId", "targetName", detail)
	values (1, ?, 'apiKey', 1, 'bench', '127.0.0.1', 'job.created', 'job', ?, ?, ?)`);
	const insertEvent = database.prepare(
		`insert into "jobEvent" ("jobId", type, at, message, data) values (?, 'created', ?, '', '{}')`,
	);
	const context = { baseUrl: "http://127.0.0.1" };
	const asJob = (row: unknown) => jobView(context, row as JobViewRow);

	return (req, res) => {
		if (req.method === "GET") {
			const rows = list.all(1);
			send(200, { data: rows.slice(0, 50).map(asJob), nextCursor: null });
			return;
		}
		const chunks: Buffer[] = [];
		req.on("data", (chunk: Buffer) => chunks.push(chunk));
		req.on("end", () => {
			const body = JSON.parse(Buffer.concat(chunks).toString());
			database.exec("begin immediate");
			runner.get(body.runnerId, 1);
			const config = JSON.stringify(body.stopConditionConfig);
			const row = insertJob.get(
				body.runnerId,
				body.displayId,
				body.name,
				body.stopCondition,
				config,
				Date.now(),
				randomUUID(),
			);
			const id = (row as { id: number }).id;
			insertAuditEntry.run(Date.now(), id, body.name, JSON.stringify({ runnerId: body.runnerId }));
			insertEvent.run(id, Date.now());
			const job = asJob(read.get(id));
			database.exec("commit");
			send(201, job);
		});
		function send(status: number, body: unknown): void {
			const text = JSON.stringify(body);
			res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
			res.end(text);
		}
	};
}
