/**
 * `GET /v1/events`: server-sent events of the caller's organization. A fact is read once for all streams of
 * its organization, and sent to those who may read it by a call of their own. A stream that cannot keep up loses events and is told to fetch everything again.
 */
import type { ServerResponse } from "node:http";
import { LIVE_EVENT_TYPES, type LiveEvent } from "../contract/live-event.ts";
import type { Actor, Fact } from "../core/context.ts";
import { isTapedeckError } from "../core/errors.ts";
import { readJob } from "../jobs/read-job.ts";
import { readRecording } from "../recordings/read-recording.ts";
import { readRunner } from "../runners/list-runners.ts";
import { refusalOf } from "./admit.ts";
import { type AppContext, contextFor } from "./app-context.ts";
import type { StreamCall } from "./stream-route.ts";

const HEARTBEAT_MS = 15_000;
/** More than this unsent on one stream, and it is behind. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

/**
 * The calls that answer what an event carries. Whoever may make one of them is sent the event: the permission is the
 * one that the route declares. A caller whose scopes or role change is disconnected (watchCredential) and comes back
 * with those of then.
 */
const READ_BY: Readonly<Record<LiveEvent["type"], readonly string[]>> = {
	job: ["GET /v1/jobs/:jobId"],
	recording: ["GET /v1/recordings/:recordingId"],
	recording_deleted: ["GET /v1/recordings/:recordingId"],
	markers: ["GET /v1/jobs/:jobId/markers", "GET /v1/recordings/:recordingId/markers"],
	runner: ["GET /v1/runners/:runnerId"],
	runner_removed: ["GET /v1/runners/:runnerId"],
	storage: ["GET /v1/storage"],
	members: ["GET /v1/members"],
	resync: ["GET /v1/events"],
};

/** What pages are told of. */
type ToldFact = Exclude<Fact, { type: "picture_wanted" }>;
type Stream = { res: ServerResponse; types: ReadonlySet<LiveEvent["type"]>; behind: boolean };

export class LiveEvents {
	readonly #app: AppContext;
	readonly #streams = new Map<number, Set<Stream>>();
	/** Facts that wait to be read, by what they are about: ten changes of a job in one tick are one event. */
	readonly #pending = new Map<string, ToldFact>();
	#flushing = false;

	constructor(app: AppContext) {
		this.#app = app;
		app.facts.subscribe((fact) => {
			if (fact.type === "picture_wanted" || !this.#streams.has(fact.organizationId)) return;
			this.#pending.set(keyOf(fact), fact);
			if (!this.#flushing) void this.#flush();
		});
	}

	/** Serves one stream until the caller goes or the server stops. */
	async serve({ ctx, res, signal }: Pick<StreamCall, "ctx" | "res" | "signal">): Promise<void> {
		const stream: Stream = { res, types: this.#typesFor(ctx.actor), behind: false };
		res.writeHead(200, {
			"content-type": "text/event-stream; charset=utf-8",
			"cache-control": "no-cache, no-transform",
			"x-accel-buffering": "no",
		});
		res.write("retry: 1000\n\n");
		const { organizationId } = ctx.actor;
		const streams = this.#streams.get(organizationId) ?? new Set();
		this.#streams.set(organizationId, streams.add(stream));
		const heartbeat = setInterval(() => this.#beat(stream), HEARTBEAT_MS);
		const over = Promise.withResolvers<void>();
		if (signal.aborted) over.resolve();
		signal.addEventListener("abort", () => over.resolve(), { once: true });
		await over.promise;
		clearInterval(heartbeat);
		streams.delete(stream);
		if (streams.size === 0) this.#streams.delete(organizationId);
		res.end();
	}

	#typesFor(actor: Actor): Set<LiveEvent["type"]> {
		const mayCall = (name: string): boolean => {
			const route = this.#app.routes.find(({ method, path }) => `${method} ${path}` === name);
			if (route === undefined) throw new Error(`events are read by ${name}, which is no route`);
			return refusalOf(route.definition, actor) === null;
		};
		return new Set(LIVE_EVENT_TYPES.filter((type) => READ_BY[type].some(mayCall)));
	}

	#beat(stream: Stream): void {
		if (stream.behind && stream.res.writableLength === 0) {
			stream.behind = false;
			stream.res.write("event: resync\ndata: {}\n\n");
		} else if (!stream.behind) stream.res.write(": alive\n\n");
	}

	async #flush(): Promise<void> {
		this.#flushing = true;
		try {
			while (this.#pending.size > 0) {
				const facts = [...this.#pending.values()];
				this.#pending.clear();
				for (const fact of facts) await this.#send(fact);
			}
		} finally {
			this.#flushing = false;
		}
	}

	async #send(fact: ToldFact): Promise<void> {
		const streams = this.#streams.get(fact.organizationId);
		if (streams === undefined) return;
		try {
			const event = await this.#read(fact);
			const text = `event: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
			for (const stream of streams) {
				if (!stream.types.has(event.type)) continue;
				if (stream.res.writableLength > MAX_BUFFERED_BYTES) stream.behind = true;
				if (!stream.behind) stream.res.write(text);
			}
		} catch (error) {
			// What is gone by now has had its own fact.
			if (isTapedeckError(error) && error.code === "not_found") return;
			this.#app.log.error({ err: error, fact: fact.type }, "an event could not be read");
			for (const stream of streams) stream.res.write("event: resync\ndata: {}\n\n");
		}
	}

	async #read(fact: ToldFact): Promise<LiveEvent> {
		const ctx = contextFor(this.#app, { kind: "system", organizationId: fact.organizationId });
		switch (fact.type) {
			case "job":
				return { type: "job", data: await readJob(ctx, fact.jobId) };
			case "markers":
				return { type: "markers", data: { jobId: fact.jobId, recordingId: fact.recordingId } };
			case "runner":
				return fact.removed === true
					? { type: "runner_removed", data: { id: fact.runnerId } }
					: { type: "runner", data: await readRunner(ctx, fact.runnerId) };
			case "storage":
				return { type: "storage", data: fact.storage };
			case "members":
				return { type: "members", data: {} };
			case "recording":
				return fact.deleted
					? { type: "recording_deleted", data: { id: fact.recordingId, jobId: fact.jobId } }
					: { type: "recording", data: await readRecording(ctx, fact.recordingId) };
		}
	}
}

function keyOf(fact: ToldFact): string {
	switch (fact.type) {
		case "job":
			return `job ${fact.jobId}`;
		case "markers":
			return `markers ${fact.jobId} ${fact.recordingId}`;
		case "runner":
			return `runner ${fact.runnerId} ${fact.removed === true}`;
		case "recording":
			return `recording ${fact.recordingId} ${fact.deleted}`;
		case "storage":
		case "members":
			return `${fact.type} ${fact.organizationId}`;
	}
}
