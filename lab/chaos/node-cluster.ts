/** The dashboards of a chaos run with all that is around them, and calls of their API. */
import type { Job } from "@tapedeck/contract/job.ts";
import type { OwnPostgres } from "#test/databases/own-postgres.ts";
import type { SettableClock } from "#test/displays/clock.ts";
import { DASHBOARDS_API_KEY, type DashboardProcess } from "#test/servers/dashboards.ts";
import type { FakeS3 } from "#test/servers/fake-s3.ts";
import type { startPgBouncer } from "#test/servers/pgbouncer.ts";
import type { TcpProxy } from "#test/servers/tcp-proxy.ts";

export interface Cluster {
	postgres: OwnPostgres;
	pgBouncer: Awaited<ReturnType<typeof startPgBouncer>>;
	/** Null when videos are stored on the dashboards' disks. */
	s3: FakeS3 | null;
	/** Between the dashboards and PgBouncer, and PostgreSQL. */
	databaseNetworks: TcpProxy[];
	/** Networks between each dashboard and its callers. */
	nodeNetworks: TcpProxy[];
	nodes: DashboardProcess[];
	/** Each dashboard's, in the same order. */
	clocks: SettableClock[];
	/** The dashboards that are broken now. */
	broken: Set<DashboardProcess>;
	url: string;
	port: number;
}

export const AUTHORIZED = { authorization: `Bearer ${DASHBOARDS_API_KEY}` };
const CALL_MS = 10_000;

export async function call<T>(url: string, method: string, path: string, body?: object): Promise<T> {
	const answer = await fetch(url + path, {
		method,
		headers: { ...AUTHORIZED, ...(body === undefined ? {} : { "content-type": "application/json" }) },
		signal: AbortSignal.timeout(CALL_MS),
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	});
	if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
	return (await answer.json()) as T;
}

export async function allJobs(url: string): Promise<Job[]> {
	const jobs: Job[] = [];
	for (let cursor: string | null = ""; cursor !== null; ) {
		const query: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`;
		const page: { data: Job[]; nextCursor: string | null } = await call(url, "GET", `/v1/jobs?limit=100${query}`);
		jobs.push(...page.data);
		cursor = page.nextCursor;
	}
	return jobs;
}
