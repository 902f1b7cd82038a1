/**
 * 100 webhooks of one organization, each of which wants the ends of jobs with its label, while 200 jobs a second end. One receiver
 * is dead and one takes 15 s. Then the log of a webhook with 100,000 deliveries, against a plain list.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { cursorAfter } from "#lib/core/cursor.ts";
import { type Measured, measureBeside, PROMISE, printMeasured, slowestOf } from "./beside-plain-list.ts";
import { ms, p99Under, type Result, type Results } from "./figures.ts";
import { openFilled, TOKEN } from "./filled-database.ts";
import { samples } from "./samples.ts";
import { heldBy, type ServerProcess, startProcess } from "./server-process.ts";

const SERVERS = join(import.meta.dirname, "servers.ts");
const JOBS = 1_000;
const WEBHOOKS = 100;
const [DEAD, SLOW] = [0, 1];
const SLOW_MS = 15_000;
const EVENTS_A_SECOND = 200;
const SECONDS = samples(60);
/** Events are written so often, as many as came in the meantime. */
const EVERY_MS = 50;
const DELIVERIES = 100_000;
const PROMISED = { arrivalMs: 2_000, heldMs: 20 };

const what = `${WEBHOOKS} webhooks, one dead and one that takes ${SLOW_MS / 1_000} s, ${EVENTS_A_SECOND} events a second`;
export const figures = {
	arrival: { what: `${what}: event to arrival at the others`, promise: `p99 < ${PROMISED.arrivalMs} ms` },
	held: { what: "the same: longest the event loop is held", promise: `≤ ${PROMISED.heldMs} ms` },
	log: {
		what: `slowest of the pages of a log of ${DELIVERIES.toLocaleString("en")} deliveries, SQLite`,
		promise: PROMISE,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const { variables, close } = await openFilled("SQLite", JOBS);
	const server = await startProcess([SERVERS, "dashboard"], { ...variables, TAPEDECK_WEBHOOK_ALLOW: "127.0.0.0/8" });
	const db = new DatabaseSync(join(variables.TAPEDECK_DATA_DIR ?? "", "tapedeck.db"), { timeout: 10_000 });
	// As the dashboard does. A commit that waits for the disk would keep SQLite's lock, and the dashboard's event loop, meanwhile.
	db.exec("pragma synchronous = off; pragma wal_autocheckpoint = 0");
	const receivers = await startReceivers();
	try {
		const heldMs = heldBy(server);
		const webhookIds = await createWebhooks(server, receivers.url);
		await heldMs();
		const sent = await sendEvents(db);
		await sleep(PROMISED.arrivalMs);
		const held = await heldMs();
		const arrivals = receivers.arrivals;
		const missing = sent - arrivals.length;
		console.log(`  ${arrivals.length} of ${sent} events arrived at ${WEBHOOKS - 2} receivers`);
		return {
			// An event that has not arrived is later than any time.
			arrival: p99Under(PROMISED.arrivalMs, [...arrivals, ...Array(missing).fill(PROMISED.arrivalMs)]),
			held: { values: [held], measured: ms(held), holds: held <= PROMISED.heldMs },
			log: await measureLog(server, db, webhookIds[SLOW] ?? 0),
		};
	} finally {
		db.close();
		receivers.close();
		await server.stop();
		await close();
	}
}

/** Receivers by the path of the URL. `arrivals` has how many milliseconds after its event each delivery came. */
async function startReceivers() {
	const arrivals: number[] = [];
	const server = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		if (request.url === `/${SLOW}`) return void setTimeout(() => response.writeHead(204).end(), SLOW_MS).unref();
		arrivals.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(chunks).toString()).timestamp));
		response.writeHead(204).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const url = (at: number) => (at === DEAD ? "http://127.0.0.1:9/" : `http://127.0.0.1:${port}/${at}`);
	return {
		...{ arrivals, url },
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

/** Job `n + 1` has the label that webhook `n` wants. @returns the ids of the webhooks. */
async function createWebhooks(server: ServerProcess, url: (at: number) => string): Promise<number[]> {
	const call = async (method: string, path: string, body: object) => {
		const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
		const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
			method,
			headers,
			body: JSON.stringify(body),
		});
		if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
		return (await answer.json()) as { id: number };
	};
	const ids: number[] = [];
	for (let at = 0; at < WEBHOOKS; at += 1) {
		await call("PATCH", `/v1/jobs/${at + 1}`, { labels: { receiver: `r${at}` } });
		ids.push(
			(await call("POST", "/v1/webhooks", { url: url(at), events: ["job.ended"], q: `label:receiver=r${at}` })).id,
		);
	}
	return ids;
}

/** Writes events of all jobs in turn. @returns how many of them the receivers that work should get. */
async function sendEvents(db: DatabaseSync): Promise<number> {
	const add = db.prepare(
		`insert into webhookEvent (organizationId, type, subject, at, dueAt) values (1, 'job.ended', ?, ?, ?)`,
	);
	const beganAt = performance.now();
	let [written, expected] = [0, 0];
	while (written < SECONDS * EVENTS_A_SECOND) {
		const due = ((performance.now() - beganAt) / 1_000) * EVENTS_A_SECOND;
		const at = Date.now();
		db.exec("begin immediate");
		for (; written < due; written += 1) {
			const receiver = written % WEBHOOKS;
			add.run(`${receiver + 1}`, at, at);
			if (receiver !== DEAD && receiver !== SLOW) expected += 1;
		}
		db.exec("commit");
		await sleep(EVERY_MS);
	}
	return expected;
}

async function measureLog(server: ServerProcess, db: DatabaseSync, webhookId: number): Promise<Result> {
	db.exec("pragma busy_timeout = 60000");
	db.exec(`insert into webhookDelivery (organizationId, webhookId, messageId, type, orderKey, body, state, attempts, createdAt)
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${DELIVERIES})
		select 1, ${webhookId}, 'msg_' || i, 'job.ended', 'job ' || i, '{}',
			case when i % 1000 = 0 then 'failed' else 'delivered' end, 1, ${Date.now()} from n`);
	const last = (db.prepare("select max(id) as id from webhookDelivery").get() as { id: number }).id;
	const log = `/v1/webhooks/${webhookId}/deliveries`;
	const middle = `cursor=${cursorAfter(last - DELIVERIES / 2)}`;
	const pages: [name: string, path: string][] = [
		["newest", log],
		["deep page", `${log}?${middle}`],
		["failed", `${log}?state=failed`],
		["failed, deep", `${log}?state=failed&${middle}`],
		["list of webhooks", "/v1/webhooks"],
	];
	const heldMs = heldBy(server);
	const measured: Measured[] = [];
	for (const [name, path] of pages) measured.push({ name, ...(await measureBeside(server, path, heldMs)) });
	printMeasured(`${DELIVERIES.toLocaleString("en")} deliveries`, measured);
	return slowestOf(measured);
}
