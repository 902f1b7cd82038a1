/**
 * Collects evidence after a failed chaos run over dashboards: the rows of unfinished work, and the state of each
 * process.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { until } from "#test/wait.ts";
import type { Cluster } from "./node-cluster.ts";

const REPORT_FILE = "report.json";
const REPORT_MS = 10_000;
const LAST_CHARACTERS = 6_000;

/**
 * Options that make a dashboard write a report at a signal, even if its event loop is stuck. @param folder for the
 * report
 */
export const reportOptions = (folder: string): string =>
	`--report-on-signal --report-signal=SIGUSR2 --report-exclude-env --report-directory=${folder} --report-filename=${REPORT_FILE}`;

const QUERIES: Record<string, string> = {
	"jobs that have not ended": `select j.id, j.status, j."stopReason", j."runnerId", r.state, r.bytes, r."objectKey",
		to_timestamp(r."updatedAt" / 1000.0) as "writtenAt", l."nodeId", l.epoch, l."storedAt", u.record
		from job j left join recording r on r."jobId" = j.id left join "uploadLease" l on l."uploadId" = 'job-' || j.id
		left join upload u on u.id = 'job-' || j.id where j.status not in ('completed', 'failed', 'cancelled')`,
	"their history": `select "jobId", type, message, to_timestamp(at / 1000.0) as at from "jobEvent" where "jobId" in
		(select id from job where status not in ('completed', 'failed', 'cancelled')) order by id`,
	dashboards: `select id, "internalUrl", to_timestamp(until / 1000.0) as until, now() from "dashboardNode"`,
	claims: `select name, holder, to_timestamp(until / 1000.0) as until from claim`,
	connections: `select pid, application_name, state, wait_event, xact_start, state_change, left(query, 300) as query,
		pg_blocking_pids(pid) as blockers from pg_stat_activity where datname is not null and pid <> pg_backend_pid()
		order by state_change`,
};

/** @returns lines, with the time that each was written. */
export async function diagnose({ postgres, nodes }: Cluster): Promise<string[]> {
	const lines: string[] = [];
	const client = new pg.Client({ connectionString: postgres.url });
	await client.connect();
	try {
		for (const [what, query] of Object.entries(QUERIES)) {
			const { rows } = await client.query(query);
			lines.push(`${what}:`, ...rows.map((row) => `  ${JSON.stringify(row)}`));
		}
	} finally {
		await client.end();
	}
	for (const { url, pid, dataDir, output } of nodes) {
		lines.push(`${url}, process ${pid()}, last wrote:`, output().slice(-LAST_CHARACTERS));
		const report = await reportOf(pid(), dataDir).catch((error: Error) => `no report: ${error.message}`);
		lines.push(`${url} does:`, report);
	}
	return lines;
}

interface Report {
	javascriptStack: { message: string; stack: string[] };
	libuv: {
		type: string;
		is_active: boolean;
		localEndpoint?: object | null;
		remoteEndpoint?: { port: number } | null;
	}[];
}

async function reportOf(pid: number, folder: string): Promise<string> {
	const file = join(folder, REPORT_FILE);
	await rm(file, { force: true });
	process.kill(pid, "SIGUSR2");
	const read = async () => JSON.parse(await readFile(file, "utf8")) as Report;
	const { javascriptStack, libuv } = await until(() => read().catch(() => null), "the report is written", REPORT_MS);
	const sockets = libuv.filter(({ type, is_active }) => type === "tcp" && is_active);
	const ports = sockets.map(({ remoteEndpoint }) => remoteEndpoint?.port ?? 0);
	return JSON.stringify({ stack: javascriptStack, handles: libuv.length, socketsTo: ports });
}
