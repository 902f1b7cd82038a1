/**
 * Auto-record by session: one recording for each session of the grid (or of one node), named by the session.
 *
 * A grid reserves a slot before the browser starts. The recording starts then, so that it holds the session from its first
 * moment, and is kept from the dashboard until the session is there: a session that never begins, or that asked not to be
 * recorded, leaves nothing behind.
 */
import { randomUUID } from "node:crypto";
import type { AutoRecordTools } from "./auto-record.ts";
import { findDisplay } from "./auto-record.ts";
import type { GridConfig } from "./config/config.ts";
import { describeSession, sessionTitle } from "./grid/describe-session.ts";
import type { Poll } from "./grid/grid-health.ts";
import { GridPoller, watchGrid } from "./grid/poll.ts";
import { RESERVED } from "./grid/read-status.ts";
import { type SessionCame, SessionLog } from "./grid/session-log.ts";
import type { JobRun } from "./run-job.ts";
import type { JobOrder } from "./spool/spool.ts";

/** A grid with one node is asked more often than one that others ask too. */
const OWN_NODE_POLL_MS = 250;
const HUB_POLL_MS = 500;
/** Recordings that wait for their session; further ones start when their session is there. */
const MAX_WAITING = 10;

/** A recording for a slot that is reserved. */
interface Waiting {
	run: Promise<JobRun>;
	session: PromiseWithResolvers<SessionCame>;
}

/** Runs until `shutdown` aborts. */
export async function autoRecordSessions(
	tools: AutoRecordTools,
	grid: GridConfig,
	shutdown: AbortSignal,
): Promise<void> {
	const displayId = await findDisplay(tools, shutdown);
	if (displayId === null) return;
	tools.log.info(`Auto-record is waiting for sessions of the grid; each becomes a recording of ${displayId}.`);
	const poller = new GridPoller(grid, tools.allowedGrids);
	const sessions = new SessionRecorder(tools, grid, displayId);
	const isOwn = () => grid.node === undefined || poller.recognised?.grid === "Grid 4 node";
	await watchGrid(
		poller,
		(poll) => sessions.take(poll),
		shutdown,
		() => (isOwn() ? OWN_NODE_POLL_MS : HUB_POLL_MS),
	);
	poller.close();
	sessions.dropWaiting();
}

class SessionRecorder {
	readonly #tools: AutoRecordTools;
	readonly #grid: GridConfig;
	readonly #displayId: string;
	readonly #log = new SessionLog();
	#waiting: Waiting[] = [];
	/** Polls in a row with fewer reserved slots than recordings that wait. */
	#surplusPolls = 0;
	/** The last message logged about the grid, so that it is logged once. */
	#complaint: string | null = null;

	constructor(tools: AutoRecordTools, grid: GridConfig, displayId: string) {
		this.#tools = tools;
		this.#grid = grid;
		this.#displayId = displayId;
	}

	take(poll: Poll): void {
		const { seen } = poll;
		if (seen.kind !== "count" || seen.sessions === null) {
			this.#complain(whyUnseen(seen));
			return;
		}
		this.#complaint = null;
		for (const came of this.#log.take(poll).came) this.#record(came);
		this.#await(seen.sessions.filter(({ id }) => id === RESERVED).length);
	}

	/** Drops the recordings whose session has not begun. */
	dropWaiting(): void {
		for (const waiting of this.#waiting) drop(waiting);
		this.#waiting = [];
	}

	#record(came: SessionCame): void {
		const { session } = came;
		if (this.#tools.isRecording(session.id)) return;
		const waiting = this.#waiting.shift();
		const described = describeSession(session.capabilities);
		const title = sessionTitle(session.id, described);
		if (!described.isWanted) {
			this.#tools.log.info(`${title} asked not to be recorded.`);
			if (waiting !== undefined) drop(waiting);
			return;
		}
		this.#tools.log.info(`${title} is recorded.`);
		const { run, session: awaited } = waiting ?? this.#start();
		void run.then(async ({ spool }) => {
			await spool.update((manifest) => {
				manifest.name = described.name ?? this.#tools.config.jobName ?? manifest.name;
				manifest.named = described.name !== null || this.#tools.config.jobName !== undefined;
			});
			await spool.follow(session.id);
			awaited.resolve(came);
		});
	}

	/** Starts recordings for reserved slots, and drops those of slots that were freed without a session. */
	#await(reserved: number): void {
		while (this.#waiting.length < Math.min(reserved, MAX_WAITING)) this.#waiting.push(this.#start());
		this.#surplusPolls = this.#waiting.length > reserved ? this.#surplusPolls + 1 : 0;
		if (this.#surplusPolls < 2) return;
		for (const waiting of this.#waiting.splice(reserved)) drop(waiting);
		this.#surplusPolls = 0;
	}

	#start(): Waiting {
		const session = Promise.withResolvers<SessionCame>();
		const options = { gridPassword: this.#grid.password, session: session.promise };
		return { run: this.#tools.start(this.#order(), options), session };
	}

	#order(): JobOrder {
		const { url, username, password, node } = this.#grid;
		return {
			id: null,
			key: randomUUID(),
			origin: "auto-record",
			displayId: this.#displayId,
			name: `Session on ${this.#displayId}`,
			named: false,
			stopCondition: "selenium_session",
			stopConditionConfig: {
				gridUrl: url,
				...(username === undefined ? {} : { gridUsername: username }),
				...(password === undefined ? {} : { gridPassword: password }),
				...(node === undefined ? {} : { gridNode: node }),
			},
		};
	}

	#complain(why: string): void {
		if (this.#complaint === why) return;
		this.#complaint = why;
		this.#tools.log.warn(`Auto-record cannot see the grid's sessions: ${why}. Retrying.`);
	}
}

function whyUnseen(seen: Poll["seen"]): string {
	if (seen.kind === "count") return "it counts its sessions, but does not list them";
	if (seen.kind === "unknown" && seen.node === "shared")
		return `${seen.why}; set TAPEDECK_GRID_NODE to the URI or the id of the one on this display`;
	return "why" in seen ? seen.why : `it rejects the credentials (status ${seen.status})`;
}

function drop({ run }: Waiting): void {
	void run.then((started) => started.discard());
}
