/**
 * The runners' protocol on bare `node:http` and `node:sqlite`: the same answers and the same durable writes, without
 * routing, credentials, schemas, an index of the video or a query builder. What `fleet.ts` compares with.
 */
import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, writeFile } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";

/** Writes at the dashboard's rate: a recording's row once a second, its file to the disk within five seconds. */
const ROW_EVERY_MS = 1_000;
const SYNC_EVERY_MS = 5_000;
const RESOLUTION_MS = 10;

type Upload = { file: FileHandle; bytes: number; writtenAt: number; syncedAt: number };

/** @param folder for its database and files; those of an earlier process there are kept. */
export async function bareFleet(folder: string): Promise<RequestListener> {
	await mkdir(folder, { recursive: true });
	const database = new DatabaseSync(join(folder, "bare.db"));
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000");
	database.exec(`
		create table if not exists runner (id integer primary key, name text unique, session text unique, lastSeenAt integer);
		create table if not exists job (id integer primary key, runnerId integer, name text, status text, createdAt integer);
		create index if not exists queue on job (runnerId, status);
		create table if not exists event (id integer primary key, jobId integer, type text, at integer);
		create table if not exists recording (uploadId text primary key, bytes integer, state text, updatedAt integer)`);
	const signIn = database.prepare(`insert into runner (name, session, lastSeenAt) values (?, ?, ?)
		on conflict (name) do update set session = excluded.session, lastSeenAt = excluded.lastSeenAt returning id`);
	const runnerOf = database.prepare("select id from runner where session = ?");
	const touch = database.prepare("update runner set lastSeenAt = ? where id = ?");
	const queued = database.prepare(
		"select id, 'key-' || id as key, name from job where runnerId = ? and status = 'queued'",
	);
	const move = database.prepare("update job set status = ? where id = ?");
	const addJob = database.prepare("insert into job (runnerId, name, status, createdAt) values (?, ?, 'queued', ?)");
	const runnerOfJob = database.prepare("select runnerId from job where id = ?");
	const stateOf = database.prepare("select state from recording where uploadId = ?");
	const addEvent = database.prepare("insert into event (jobId, type, at) values (?, ?, ?)");
	const addRecording =
		database.prepare(`insert into recording (uploadId, bytes, state, updatedAt) values (?, 0, 'live', ?)
		on conflict do nothing`);
	const grow = database.prepare("update recording set bytes = ?, state = ?, updatedAt = ? where uploadId = ?");
	const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
	delay.enable();
	const waiting = new Map<number, () => void>();
	/** Jobs to cancel, by runner. */
	const cancels = new Map<number, number[]>();
	/** Callbacks for jobs whose recording becomes playable. */
	const watching = new Map<string, () => void>();
	const uploads = new Map<string, Upload>();

	function atOnce(work: () => void): void {
		database.exec("begin immediate");
		work();
		database.exec("commit");
	}

	function take(runnerId: number): { id: number; name: string }[] {
		const jobs = queued.all(runnerId) as { id: number; name: string }[];
		if (jobs.length === 0) return [];
		atOnce(() => {
			for (const { id } of jobs) {
				move.run("starting", id);
				addEvent.run(id, "starting", Date.now());
			}
		});
		return jobs;
	}

	async function sync(res: ServerResponse, body: { sessionId: string; waitSeconds: number }): Promise<void> {
		const runner = runnerOf.get(body.sessionId) as { id: number } | undefined;
		if (runner === undefined) return send(res, 409, { code: "session_superseded" });
		touch.run(Date.now(), runner.id);
		let jobs = take(runner.id);
		if (jobs.length === 0 && !cancels.has(runner.id) && body.waitSeconds > 0) {
			await new Promise<void>((resolve) => {
				const timer = setTimeout(resolve, body.waitSeconds * 1_000);
				waiting.set(runner.id, () => {
					clearTimeout(timer);
					resolve();
				});
			});
			waiting.delete(runner.id);
			jobs = take(runner.id);
		}
		send(res, 200, { start: jobs, cancel: cancels.get(runner.id) ?? [] });
		cancels.delete(runner.id);
	}

	function cancel(res: ServerResponse, jobId: number): void {
		const { runnerId } = runnerOfJob.get(jobId) as { runnerId: number };
		atOnce(() => {
			addEvent.run(jobId, "cancel_requested", Date.now());
		});
		cancels.set(runnerId, [...(cancels.get(runnerId) ?? []), jobId]);
		waiting.get(runnerId)?.();
		send(res, 202, {});
	}

	/** Answers once the job's video is complete. */
	async function watchJob(res: ServerResponse, uploadId: string): Promise<void> {
		const row = stateOf.get(uploadId) as { state: string } | undefined;
		if (row?.state !== "ready") await new Promise<void>((resolve) => watching.set(uploadId, resolve));
		watching.delete(uploadId);
		send(res, 200, {});
	}

	async function patch(req: IncomingMessage, res: ServerResponse, uploadId: string): Promise<void> {
		const upload = uploads.get(uploadId);
		if (upload === undefined || Number(req.headers["upload-offset"]) !== upload.bytes) return send(res, 409, {});
		for await (const chunk of req as AsyncIterable<Buffer>) {
			await upload.file.write(chunk, 0, chunk.length, upload.bytes);
			upload.bytes += chunk.length;
		}
		const now = performance.now();
		const ends = req.headers["upload-length"] !== undefined;
		if (ends || now - upload.syncedAt > SYNC_EVERY_MS) {
			upload.syncedAt = now;
			const synced = upload.file.datasync();
			if (ends) await synced;
		}
		if (ends || now - upload.writtenAt > ROW_EVERY_MS) {
			upload.writtenAt = now;
			grow.run(upload.bytes, ends ? "ready" : "live", Date.now(), uploadId);
			if (ends) watching.get(uploadId)?.();
		}
		res.writeHead(204, { "tus-resumable": "1.0.0", "upload-offset": String(upload.bytes) });
		res.end();
	}

	async function create(req: IncomingMessage, res: ServerResponse): Promise<void> {
		const jobId = /jobId (\S+?)(,|$)/.exec(String(req.headers["upload-metadata"]))?.[1] ?? "";
		const uploadId = `job-${atob(jobId)}`;
		await writeFile(join(folder, `${uploadId}.json`), JSON.stringify(req.headers));
		addRecording.run(uploadId, Date.now());
		const now = performance.now();
		const file = await open(join(folder, uploadId), "w");
		uploads.set(uploadId, { file, bytes: 0, writtenAt: now, syncedAt: now });
		res.writeHead(201, { "tus-resumable": "1.0.0", location: `/v1/uploads/${uploadId}` });
		res.end();
	}

	function report(res: ServerResponse, body: { jobs: { jobId: number; type: string }[] }): void {
		atOnce(() => {
			for (const { jobId, type } of body.jobs) {
				move.run(type, jobId);
				addEvent.run(jobId, type, Date.now());
			}
		});
		send(res, 200, { jobs: [] });
	}

	return (req, res) => {
		const path = req.url ?? "";
		if (path === "/metrics") {
			send(res, 200, { p99: above(delay.percentile(99)), max: above(delay.max) });
			delay.reset();
		} else if (req.method === "PATCH") void patch(req, res, path.split("/").at(-1) ?? "");
		else if (path === "/v1/uploads") void create(req, res);
		else if (req.method === "GET") void watchJob(res, `job-${/\d+/.exec(path.slice("/v1/jobs/".length))?.[0]}`);
		else if (path.endsWith("/cancel")) cancel(res, Number(path.split("/").at(-2)));
		else {
			void bodyOf(req).then((body) => {
				if (path === "/v1/runner/sync") return sync(res, body);
				if (path === "/v1/runner/reports") return report(res, body);
				if (path === "/v1/runner/sign-out") return send(res, 200, {});
				if (path === "/v1/jobs") {
					const { lastInsertRowid } = addJob.run(body.runnerId, body.name, Date.now());
					send(res, 201, { id: Number(lastInsertRowid) });
					return waiting.get(body.runnerId)?.();
				}
				const sessionId = randomUUID();
				const { id } = signIn.get(body.name, sessionId, Date.now()) as { id: number };
				send(res, 200, { runnerId: id, sessionId });
			});
		}
	};
}

/** Seconds beyond the timer's own period. */
const above = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1_000);

// biome-ignore lint/suspicious/noExplicitAny: a baseline does not validate
async function bodyOf(req: IncomingMessage): Promise<any> {
	const chunks: Buffer[] = [];
	for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
	return JSON.parse(Buffer.concat(chunks).toString());
}

function send(res: ServerResponse, status: number, body: unknown): void {
	const text = JSON.stringify(body);
	res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
	res.end(text);
}
