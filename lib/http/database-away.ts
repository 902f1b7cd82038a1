/** Responses while the database cannot be reached: pages with an explanation, and metrics from memory. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { oneAtATime } from "#lib/core/one-at-a-time.ts";
import { postgresFault, sqliteFault } from "#lib/db/database-errors.ts";

const ANSWER_MS = 3_000;
const asking = new Map<string, Promise<boolean>>();

/**
 * @param work whose result is dropped if it fails or takes longer.
 * @returns whether the database answered.
 * @throws errors that are not the database's.
 */
export async function isAnswered(work: Promise<unknown>, ms = ANSWER_MS): Promise<boolean> {
	const late = sleep(ms, false, { ref: false });
	return Promise.race([work.then(() => true), late]).catch((error: unknown) => {
		if ((sqliteFault(error) ?? postgresFault(error)) === null) throw error;
		return false;
	});
}

/** Always false with SQLite, which is a file: a read of it does not wait for other reads. */
export async function isDatabaseAway({
	dialect,
	urgent,
}: Pick<Context, "dialect"> & { urgent: Database }): Promise<boolean> {
	if (dialect === "sqlite") return false;
	return !(await oneAtATime(asking, "", () => isAnswered(sql`select 1`.execute(urgent))));
}

const RELOAD_SECONDS = "5";
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Database unavailable · Tapedeck</title>
<main style="max-width: 28rem; margin: 20vh auto 0; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif">
<h1 style="font-size: 1.25rem">The dashboard can't reach its database</h1>
<p>Runners continue recording, and send their videos once it is back. This page reloads by itself.</p>
</main>
</html>
`;

/** Answers a page's request while the database is away. */
export function sendDatabaseAway(res: ServerResponse, method: string | undefined): void {
	res.writeHead(503, {
		"content-type": "text/html; charset=utf-8",
		"content-length": Buffer.byteLength(PAGE),
		"cache-control": "no-store",
		"retry-after": RELOAD_SECONDS,
		refresh: RELOAD_SECONDS,
	});
	res.end(method === "HEAD" ? undefined : PAGE);
}
