/**
 * `GET /v1/events`: server-sent events of the caller's organization. Each change is read once for all streams of its
 * organization, and sent to the callers who may read that data themselves. A stream that cannot keep up loses events
 * and gets `resync`: fetch everything again.
 */
import type { ServerResponse } from "node:http";
import { LIVE_EVENT_TYPES, type LiveEvent } from "@tapedeck/contract/live-event.ts";
import { refusalOf } from "#lib/access/authorize.ts";
import type { Actor, Change, Context } from "#lib/core/context.ts";
import { isTapedeckError } from "#lib/core/errors.ts";
import { readJob } from "#lib/jobs/read-job.ts";
import { readRecording } from "#lib/recordings/list-recordings.ts";
import type { RunnerDownloads } from "#lib/runners/install/runner-downloads.ts";
import { readRunner } from "#lib/runners/list-runners.ts";
import type { DeclaredRoute } from "./route-definition.ts";

const HEARTBEAT_MS = 15_000;
/** A stream with more unsent bytes than this has fallen behind. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const RESYNC_WITHIN_MS = 1_000;
const RETRY_MS = 1_000;

/**
 * The calls that return what an event carries. A stream gets the events whose calls the caller has the permission to
 * make. A caller whose scopes or role change is disconnected (watchCredential) and reconnects with the new ones.
 */
const READ_BY: Readonly<Record<LiveEvent["type"], readonly string[]>> = {
	job: ["GET /v1/jobs/:jobId"],
	recording: ["GET /v1/recordings/:recordingId"],
	recording_deleted: ["GET /v1/recordings/:recordingId"],
	markers: ["GET /v1/jobs/:jobId/markers", "GET /v1/recordings/:recordingId/markers"],
	tests: ["GET /v1/tests"],
	runner: ["GET /v1/runners/:runnerId"],
	runner_removed: ["GET /v1/runners/:runnerId"],
	storage: ["GET /v1/storage"],
	members: ["GET /v1/members"],
	resync: ["GET /v1/events"],
};

const NOT_STREAMED = ["picture_wanted", "picture_taken", "dashboards", "webhooks", "resync"] as const;
/** The changes that are sent to clients. */
type StreamedChange = Exclude<Change, { type: (typeof NOT_STREAMED)[number] }>;
/** The part of the context that all callers in this process share. */
type SharedContext = Omit<Context, "actor" | "address">;
type Stream = { res: ServerResponse; types: ReadonlySet<LiveEvent["type"]>; behind: boolean; end: () => void };

/** The parts of a call that a stream of events needs. */
interface EventCall {
	ctx: Pick<Context, "actor">;
	app: { routes: readonly DeclaredRoute[] };
	res: ServerResponse;
	/** Aborted when the caller has disconnected, or the server stops. */
	signal: AbortSignal;
}

export class LiveEvents {
	readonly #shared: SharedContext;
	readonly #downloads: RunnerDownloads;
	readonly #streams = new Map<number, Set<Stream>>();
	/** Changes not yet read, by their subject: ten changes of a job in one tick become one event. */
	readonly #pending = new Map<string, StreamedChange>();
	#flushing = false;

	constructor(shared: SharedContext, downloads: RunnerDownloads) {
		this.#shared = shared;
		this.#downloads = downloads;
		shared.events.subscribe((change) => {
			if (change.type === "resync") this.#resync();
			if (!isStreamed(change)) return;
			if (!this.#streams.has(change.organizationId)) return;
			this.#pending.set(keyOf(change), change);
			if (!this.#flushing) void this.#flush();
		});
	}

	/** Serves one stream until the caller disconnects or the server stops. */
	async serve({ ctx, app, res, signal }: EventCall): Promise<void> {
		const ended = Promise.withResolvers<void>();
		const end = () => ended.resolve();
		const stream: Stream = { res, types: typesFor(ctx.actor, app.routes), behind: false, end };
		res.writeHead(200, {
			"content-type": "text/event-stream; charset=utf-8",
			"cache-control": "no-cache, no-transform",
			"x-accel-buffering": "no",
		});
		// Pages whose dashboard has stopped do not all come to the others in the same instant.
		res.write(`retry: ${Math.round(RETRY_MS * (0.5 + Math.random()))}\n\n`);
		const { organizationId } = ctx.actor;
		const streams = this.#streams.get(organizationId) ?? new Set();
		this.#streams.set(organizationId, streams.add(stream));
		const heartbeat = setInterval(() => this.#beat(stream), HEARTBEAT_MS);
		if (signal.aborted) end();
		signal.addEventListener("abort", end, { once: true });
		await ended.promise;
		clearInterval(heartbeat);
		streams.delete(stream);
		if (streams.size === 0) this.#streams.delete(organizationId);
		res.end();
	}

	/** Ends every stream within this time, each at a moment of its own: their pages go on at other dashboards. */
	drain(withinMs: number): void {
		for (const streams of this.#streams.values()) {
			for (const { end } of streams) setTimeout(end, Math.random() * withinMs).unref();
		}
	}

	#beat(stream: Stream): void {
		if (stream.behind && stream.res.writableLength === 0) {
			stream.behind = false;
			writeResync(stream);
		} else if (!stream.behind) stream.res.write(": alive\n\n");
	}

	/** Makes all clients fetch everything again, spread over time. */
	#resync(): void {
		for (const stream of [...this.#streams.values()].flatMap((streams) => [...streams])) {
			setTimeout(writeResync, Math.random() * RESYNC_WITHIN_MS, stream).unref();
		}
	}

	async #flush(): Promise<void> {
		this.#flushing = true;
		try {
			while (this.#pending.size > 0) {
				const changes = [...this.#pending.values()];
				this.#pending.clear();
				for (const change of changes) await this.#send(change);
			}
		} finally {
			this.#flushing = false;
		}
	}

	async #send(change: StreamedChange): Promise<void> {
		const streams = this.#streams.get(change.organizationId);
		if (streams === undefined) return;
		try {
			const event = await this.#read(change);
			const text = `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
			for (const stream of streams) {
				if (!stream.types.has(event.type)) continue;
				if (stream.res.writableLength > MAX_BUFFERED_BYTES) stream.behind = true;
				if (!stream.behind) stream.res.write(text);
			}
		} catch (error) {
			// The item has been deleted in the meantime, which is a change of its own.
			if (isTapedeckError(error) && error.code === "not_found") return;
			this.#shared.log.error({ err: error, change: change.type }, "could not read an event");
			for (const stream of streams) writeResync(stream);
		}
	}

	async #read(change: StreamedChange): Promise<LiveEvent> {
		const ctx: Context = { ...this.#shared, actor: { kind: "system", organizationId: change.organizationId } };
		switch (change.type) {
			case "job":
				return { type: "job", data: await readJob(ctx, change.jobId) };
			case "markers":
				return { type: "markers", data: { jobId: change.jobId, recordingId: change.recordingId } };
			case "tests": {
				const { jobId, recordingId, testRunId } = change;
				return { type: "tests", data: { jobId, recordingId, testRunId } };
			}
			case "runner":
				return change.removed === true
					? { type: "runner_removed", data: { id: change.runnerId } }
					: { type: "runner", data: await readRunner(ctx, this.#downloads, change.runnerId) };
			case "storage":
				return { type: "storage", data: change.storage };
			case "members":
				return { type: "members", data: {} };
			case "recording":
				return change.deleted
					? { type: "recording_deleted", data: { id: change.recordingId, jobId: change.jobId } }
					: { type: "recording", data: await readRecording(ctx, change.recordingId) };
		}
	}
}

const isStreamed = (change: Change): change is StreamedChange =>
	!(NOT_STREAMED as readonly string[]).includes(change.type);

function writeResync({ res }: Stream): void {
	if (!res.writableEnded) res.write("event: resync\ndata: {}\n\n");
}

function typesFor(actor: Actor, routes: readonly DeclaredRoute[]): Set<LiveEvent["type"]> {
	const canCall = (name: string): boolean => {
		const route = routes.find(({ method, path }) => `${method} ${path}` === name);
		if (route === undefined) throw new Error(`events are read by ${name}, which is not a route`);
		const { permission } = route.definition;
		return permission === "public" || refusalOf(permission, actor) === null;
	};
	return new Set(LIVE_EVENT_TYPES.filter((type) => READ_BY[type].some(canCall)));
}

function keyOf(change: StreamedChange): string {
	switch (change.type) {
		case "job":
			return `job ${change.jobId}`;
		case "markers":
			return `markers ${change.jobId} ${change.recordingId}`;
		case "tests":
			return `tests ${change.jobId} ${change.recordingId} ${change.testRunId}`;
		case "runner":
			return `runner ${change.runnerId} ${change.removed === true}`;
		case "recording":
			return `recording ${change.recordingId} ${change.deleted}`;
		case "storage":
		case "members":
			return `${change.type} ${change.organizationId}`;
	}
}
