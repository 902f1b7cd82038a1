/**
 * The baseline of `bench/api.ts`: the same SQL on the same database and the same JSON, on bare node:http,
 * without routing, sign-in, schemas, problem documents or a query builder.
 */
import { createServer } from "node:http";
import { DatabaseSync } from "node:sqlite";
import type { JobViewRow } from "#lib/lifecycle/job-store.ts";
import { jobView } from "#lib/jobs/job-view.ts";

const database = new DatabaseSync(process.env.BENCH_DATABASE ?? "");
database.exec(
	"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000",
);
const view = `select job.*, recording.id as "recordingId", recording.state as "recordingState",
	recording."durationSeconds" as "recordingDurationSeconds", recording.bytes as "recordingBytes",
	recording.width as "recordingWidth", recording.height as "recordingHeight", recording.verdict as "recordingVerdict"
	from job left join recording on recording."jobId" = job.id`;
const list = database.prepare(`${view} where job."organizationId" = ? order by job.id desc limit 51`);
const read = database.prepare(`${view} where job.id = ?`);
const runner = database.prepare(`select id, name from runner where id = ? and "organizationId" = ?`);
const insertJob =
	database.prepare(`insert into job ("organizationId", "runnerId", type, "displayId", name, "stopCondition",
	"stopConditionConfig", status, "createdAt") values (1, ?, 'recording', ?, ?, ?, ?, 'queued', ?) returning id`);
const insertEvent = database.prepare(
	`insert into "jobEvent" ("jobId", type, at, message, data) values (?, 'created', ?, '', '{}')`,
);
const context = { baseUrl: "http://127.0.0.1" };
const asJob = (row: unknown) => jobView(context, row as JobViewRow);

const server = createServer((req, res) => {
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
		const row = insertJob.get(body.runnerId, body.displayId, body.name, body.stopCondition, config, Date.now());
		const id = (row as { id: number }).id;
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
});
server.listen(0, "127.0.0.1", () => {
	console.log(`listens on 127.0.0.1:${(server.address() as { port: number }).port}`);
});
process.on("SIGTERM", () => process.exit(0));
