/** A database with two organizations, a runner and jobs, a folder of videos, and the routes on a socket. */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { clipQuerySchema } from "@tapedeck/contract/clip.ts";
import { PROBLEMS, type ProblemCode } from "@tapedeck/contract/problem.ts";
import { proofQuerySchema } from "@tapedeck/contract/proof.ts";
import { JOB_KEY_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { sql } from "kysely";
import type { Actor, Change, Context, Database, EventBus } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { createSecretBox } from "#lib/core/secret-box.ts";
import { closeDatabase, openDatabase } from "#lib/db/open.ts";
import { readBody } from "#lib/http/read-request.ts";
import { servePoster, storePoster } from "#lib/recordings/pictures/poster.ts";
import { serveFrame } from "#lib/recordings/pictures/storyboard.ts";
import { serveLive, serveVideo } from "#lib/recordings/playback/serve-video.ts";
import { serveZip } from "#lib/recordings/playback/serve-zip.ts";
import { openStoredVideos, type RecordingContext, type StorageChoice } from "#lib/recordings/recording-context.ts";
import { UploadLeases } from "#lib/recordings/upload/upload-leases.ts";
import { UploadReceiver } from "#lib/recordings/upload/upload-receiver.ts";
import { uploadRecording } from "#lib/recordings/upload/upload-recording.ts";
import { serveClip } from "#lib/test-results/serve-clip.ts";
import { serveProof } from "#lib/test-results/serve-proof.ts";
import { RESULT_FOLLOWERS } from "#lib/test-results/store/implied-results.ts";
import { copyMigrated } from "./databases/migrated-sqlite.ts";
import { makePatient } from "./videos/patient-frames.ts";

export interface Answer {
	status: number;
	headers: IncomingHttpHeaders;
	body: Buffer;
}

export type Call = {
	method?: string;
	headers?: Record<string, string | number>;
	body?: Buffer | string;
	/** The caller, a key of `actors`; the runner if omitted. */
	as?: string;
};

export const SESSION = "session-of-runner-1";
export const keyOfJob = (jobId: number): string => `key-of-job-${jobId}`;

export type TestRecordings = Awaited<ReturnType<typeof openTestRecordings>>;

/**
 * @param options `parent` folder of the videos, disk space that videos must leave free, where videos are stored, and
 *   another one whose database it shares, as a second dashboard on another machine would.
 */
export async function openTestRecordings(
	options: {
		parent?: string;
		reserveBytes?: number;
		storage?: StorageChoice;
		beside?: { db: Database; held: Held; closeOwn?: never };
	} = {},
) {
	const videosDir = await mkdtemp(join(options.parent ?? tmpdir(), "tapedeck-recordings-"));
	const { db, held, closeOwn } = options.beside ?? { ...(await openMigrated()), held: new Map() };
	const changes: Change[] = [];
	const logged: string[] = [];
	const log = logTo(logged);
	let clockOffset = 0;
	let uptimeOffset = 0;
	const clock = { now: () => Date.now() + clockOffset, uptimeMs: () => uptime() * 1_000 + uptimeOffset };
	const storage = options.storage ?? { bucket: null, storesInBucket: false };
	const leases = new TestLeases(db, held);
	const shared: Omit<RecordingContext, "actor"> = {
		db,
		reads: db,
		dialect: "sqlite",
		...openStoredVideos(
			{ db, clock, log, leases },
			{ dir: videosDir, reserveBytes: options.reserveBytes ?? 0, ...storage },
		),
		leases,
		quotas: { queuedJobs: 0, uploadBytes: 0, organizationBytes: 0 },
		credentials: { forget: () => undefined },
		baseUrl: "http://tapedeck.test",
		clock,
		events: recordingBus(changes),
		followers: RESULT_FOLLOWERS,
		log,
		secrets: createSecretBox(randomBytes(32)),
	};
	makePatient(shared.frameGrabber);
	const contexts = Object.fromEntries(Object.entries(actors()).map(([name, actor]) => [name, { ...shared, actor }]));
	const as = (name: string): RecordingContext => contexts[name] as RecordingContext;
	const stopping = new AbortController();
	const receiver = { current: new UploadReceiver(shared) };
	const server = createServer((req, res) => {
		const ctx = as((req.headers["x-as"] as string | undefined) ?? "runner");
		handle(ctx, receiver.current, req, res, stopping.signal).catch((error) => answerError(res, error));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		db,
		held,
		videosDir,
		changes,
		logged,
		port,
		server,
		as,
		addJob: (status = "recording") => addJob(shared, status),
		recordings: () => db.selectFrom("recording").selectAll().orderBy("id").execute(),
		files: async () => (await readdir(videosDir)).sort(),
		advance: (ms: number) => {
			clockOffset += ms;
			uptimeOffset += ms;
		},
		/** Sets the clock. */
		jump: (ms: number) => {
			clockOffset += ms;
		},
		/** Simulates a restart: state of uploads in progress is lost. */
		restart: () => {
			void receiver.current.close();
			receiver.current = new UploadReceiver(shared);
		},
		call: (path: string, call: Call = {}) => send(port, path, call),
		async close() {
			stopping.abort();
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await receiver.current.close();
			await shared.excerpts.close();
			await shared.trackReader.close();
			await closeOwn?.();
			await rm(videosDir, { recursive: true, force: true });
		},
	};
}

/** The holder of each upload among the dashboards that share a database. */
type Held = Map<string, { by: UploadLeases; epoch: number }>;

/** Leases of dashboards with SQLite, which has none: the dashboard that receives a request takes its upload over. */
class TestLeases extends UploadLeases {
	readonly #held: Held;

	constructor(db: Database, held: Held) {
		super(db, null);
		this.#held = held;
	}

	override isHeld(uploadId: string): boolean {
		return this.#held.get(uploadId)?.by === this;
	}

	override async take(uploadId: string): Promise<void> {
		const epoch = (this.#held.get(uploadId)?.epoch ?? 0) + 1;
		if (!this.isHeld(uploadId)) this.#held.set(uploadId, { by: this, epoch });
	}

	override epochOf(uploadId: string): number | null {
		return this.isHeld(uploadId) ? (this.#held.get(uploadId)?.epoch ?? null) : null;
	}
}

async function openMigrated() {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-database-"));
	const file = join(folder, "tapedeck.db");
	await copyMigrated(file);
	const opened = openDatabase(file);
	const now = new Date().toISOString();
	for (const id of [1, 2]) {
		await sql`insert into organization (id, name, slug, "createdAt") values (${id}, ${`o${id}`}, ${`o${id}`}, ${now})`.execute(
			opened.db,
		);
		await opened.db
			.insertInto("runner")
			.values({
				organizationId: id,
				name: `runner ${id}`,
				signInName: `runner ${id}`,
				version: "1",
				instanceId: null,
				sessionId: `session-of-runner-${id}`,
				displays: "[]",
				lastSeenAt: null,
				createdAt: 1,
			})
			.execute();
	}
	const closeOwn = async () => {
		await closeDatabase(opened);
		await rm(folder, { recursive: true, force: true });
	};
	return { db: opened.db, closeOwn };
}

function actors(): Record<string, Actor> {
	const scopes = ["recordings:read", "recordings:write"] as const;
	return {
		runner: { kind: "runner", organizationId: 1, runnerTokenId: 1, name: "fleet" },
		foreignRunner: { kind: "runner", organizationId: 2, runnerTokenId: 2, name: "other fleet" },
		key: { kind: "apiKey", organizationId: 1, apiKeyId: 1, name: "ci", scopes, creatorRole: null },
		otherKey: { kind: "apiKey", organizationId: 1, apiKeyId: 2, name: "ci 2", scopes, creatorRole: null },
		foreignKey: { kind: "apiKey", organizationId: 2, apiKeyId: 3, name: "theirs", scopes, creatorRole: null },
		owner: { kind: "user", organizationId: 1, userId: 1, name: "Ada", role: "owner" },
		viewer: { kind: "user", organizationId: 1, userId: 2, name: "Vi", role: "viewer" },
	};
}

async function addJob(ctx: Pick<Context, "db">, status: string): Promise<number> {
	const { id } = await ctx.db
		.insertInto("job")
		.values({
			organizationId: 1,
			runnerId: 1,
			type: "recording",
			displayId: ":99",
			name: "Checkout test",
			stopCondition: "interrupt",
			stopConditionConfig: "{}",
			gridPasswordSealed: null,
			status: status as "recording",
			stopReason: status === "uploading" ? "cancelled" : null,
			heldStopReason: null,
			errorMessage: null,
			createdAt: 1,
			startedAt: 1,
			stoppedAt: null,
			endedAt: null,
			cancelRequestedAt: null,
			createdByKind: null,
			createdById: null,
			createdByName: null,
			key: randomUUID(),
			runnerKey: randomUUID(),
		})
		.returning("id")
		.executeTakeFirstOrThrow();
	await ctx.db
		.updateTable("job")
		.set({ key: keyOfJob(id) })
		.where("id", "=", id)
		.execute();
	return id;
}

/** The job of a runner's call; null if it names none. */
function jobOfCall({ url = "", headers }: IncomingMessage): number | null {
	const [, inPath] = /^\/v1\/(?:uploads\/job-|runner\/jobs\/)(\d+)/.exec(url) ?? [];
	const [, inMetadata] = /(?:^|,)jobId ([\w+/=]+)/.exec(String(headers["upload-metadata"] ?? "")) ?? [];
	if (inPath === undefined && inMetadata === undefined) return null;
	return Number(inPath ?? Buffer.from(inMetadata ?? "", "base64").toString());
}

function recordingBus(published: Change[]): EventBus {
	const listeners = new Set<(change: Change) => void>();
	return {
		get delivered() {
			return published.length;
		},
		publish(change) {
			published.push(change);
			for (const listener of listeners) listener(change);
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}

function logTo(lines: string[]): Context["log"] {
	const note = (data: object, message: string) => {
		const { err } = data as { err?: Error };
		lines.push(`${message} ${err?.stack ?? JSON.stringify(data)}`);
	};
	return { debug: note, info: note, warn: note, error: note };
}

async function handle(
	ctx: RecordingContext,
	receiver: UploadReceiver,
	req: IncomingMessage,
	res: ServerResponse,
	signal: AbortSignal,
): Promise<void> {
	const url = new URL(req.url ?? "/", "http://localhost");
	const [, version, resource, id, part] = url.pathname.split("/");
	if (version !== "v1") throw new Error(`nothing at ${url.pathname}`);
	const jobId = jobOfCall(req);
	// Runners do this with all of their calls for a job.
	if (jobId !== null) req.headers[JOB_KEY_HEADER] ??= keyOfJob(jobId);
	if (resource === "uploads") return receiver.receive(ctx, req, res);
	if (resource === "runner") {
		const sessionId = (req.headers["tapedeck-session"] as string | undefined) ?? null;
		const at = url.searchParams.has("at") ? Number(url.searchParams.get("at")) : undefined;
		const body = {
			type: req.headers["content-type"] ?? null,
			read: (maxBytes: number) => readBody(req, { maxBytes }),
		};
		await storePoster(ctx, { jobId: jobId ?? 0, sessionId, jobKey: keyOfJob(jobId ?? 0), at, body });
		res.writeHead(204).end();
		return;
	}
	if (id === "download") {
		const elsewhere = { find: async () => null };
		return serveZip(ctx, { ids: url.searchParams.getAll("id").map(Number), elsewhere, req, res });
	}
	const recordingId = Number(id);
	if (part === "video") {
		return serveVideo(ctx, { recordingId, download: url.searchParams.has("download"), req, res });
	}
	if (part === "poster")
		return servePoster(ctx, { recordingId, full: url.searchParams.get("size") === "full", req, res, signal });
	if (part === "frame") {
		const at = url.searchParams.get("at");
		return serveFrame(ctx, {
			recordingId,
			...(at === null ? { of: "failure" } : { at: Number(at) }),
			...(url.searchParams.has("width") ? { width: Number(url.searchParams.get("width")) } : {}),
			req,
			res,
			signal,
		});
	}
	if (part === "clip") {
		const query = clipQuerySchema.parse(Object.fromEntries(url.searchParams));
		return serveClip(ctx, { recordingId, ...query, req, res, signal: closed(res) });
	}
	if (part === "proof") {
		const query = proofQuerySchema.parse(Object.fromEntries(url.searchParams));
		return serveProof(ctx, { recordingId, ...query, req, res, signal: closed(res) });
	}
	if (part === "live") {
		const from = url.searchParams.get("from") === "start" ? "start" : "now";
		return serveLive(ctx, { recordingId, from, req, res, signal });
	}
	const recording = await uploadRecording(ctx, { name: url.searchParams.get("name") ?? "", kind: "video" }, req);
	res.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify(recording));
}

function closed(res: ServerResponse): AbortSignal {
	const gone = new AbortController();
	res.once("close", () => gone.abort(new Error("The client has gone.")));
	return gone.signal;
}

function answerError(res: ServerResponse, error: unknown): void {
	if (res.headersSent || res.destroyed) {
		res.destroy();
		return;
	}
	const code: ProblemCode = isTapedeckError(error) ? error.code : "internal_error";
	const detail = error instanceof Error ? error.message : String(error);
	res.writeHead(PROBLEMS[code].status, { connection: "close" }).end(JSON.stringify({ code, detail }));
	res.req.resume();
}

function send(port: number, path: string, { method = "GET", headers = {}, body, as }: Call): Promise<Answer> {
	return new Promise((resolve, reject) => {
		const sent = { ...(as === undefined ? {} : { "x-as": as }), ...headers };
		const req = request({ port, host: "127.0.0.1", path, method, headers: sent, agent: false }, (res) => {
			const chunks: Buffer[] = [];
			res.on("data", (chunk) => chunks.push(chunk));
			res.on("error", reject);
			res.on("end", () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: Buffer.concat(chunks) }));
		});
		req.on("error", reject);
		req.end(body);
	});
}
