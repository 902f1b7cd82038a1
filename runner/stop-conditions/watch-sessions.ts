/** Shared by all conditions that watch a grid: polling, the notes in the job's history, and the faults of a grid. */

import type { SecretMask } from "@tapedeck/client-source/secret-mask.ts";
import { normalizeGridUrl } from "@tapedeck/contract/stop-condition.ts";
import type { Fault } from "../base/fault.ts";
import { aborted } from "../base/wait.ts";
import { BrowserLog } from "../browser-log/browser-log.ts";
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import type { GridFailure, Poll } from "../grid/grid-health.ts";
import { LOST_MS, type LostState } from "../grid/lost-nodes.ts";
import { type GridAddress, GridPoller, watchGrid } from "../grid/poll.ts";
import { type SessionCame, SessionLog } from "../grid/session-log.ts";
import { type StopDecision, stopFor } from "../spool/spool.ts";
import { SessionReports } from "./session-reports.ts";
import type { WatchedRecording } from "./stop-condition.ts";

/** Access to the condition's grid. */
export interface GridOptions {
	/** Resolves to the grid's password, which a restarted runner has to request from the dashboard. */
	password: () => Promise<string | undefined>;
	/** The grids that the runner may poll. */
	allowed: AllowedGrids;
	/** The folder for the logs of the sessions' browsers, and the mask of their secrets; null if they are not logged. */
	browsers: { folder: string; mask: SecretMask } | null;
	/** The interval of polls; twice a second if omitted. */
	pollEveryMs?: () => number;
}

interface WatchedGrid {
	gridUrl: string;
	gridUsername?: string;
	gridNode?: string;
}

interface GridJudgement {
	/** Decides by each poll whether the recording ends. */
	decide(poll: Poll): StopDecision | null;
	/** A session that was seen before the first poll. */
	session?: SessionCame;
	/** The one session that the recording is of, if it is of one; null before it began. */
	only?: () => string | null;
}

/** Polls the grid during the recording, and notes the results. @param begin called before the first poll. */
export async function watchSessions(
	recording: WatchedRecording,
	{ gridUrl, gridUsername: username, gridNode: node }: WatchedGrid,
	options: GridOptions,
	begin: () => GridJudgement,
): Promise<void> {
	const password = await Promise.race([options.password(), aborted(recording.over)]);
	if (recording.over.aborted) return;
	const address = { url: normalizeGridUrl(gridUrl), username, password: password ?? undefined, node };
	const poller = new GridPoller(address, options.allowed);
	const { decide, session, only } = begin();
	const reporter = new GridReporter(recording, poller);
	const browsers = browserLogOf(recording, address, options);
	const sessions = new SessionReports(recording, browsers, session);
	const decided = new AbortController();
	await watchGrid(
		poller,
		(poll) => {
			if (decided.signal.aborted) return;
			reporter.report(poll);
			const decision = decide(poll);
			sessions.report(poll, only?.());
			if (decision === null) return;
			decided.abort();
			recording.stop(decision);
		},
		AbortSignal.any([recording.over, decided.signal]),
		options.pollEveryMs,
	);
	poller.close();
	browsers?.close();
}

/** Logs the browsers of a grid's sessions during a recording that is not ended by a grid. */
export async function watchBrowsers(
	recording: WatchedRecording,
	grid: GridAddress,
	options: Pick<GridOptions, "allowed" | "browsers">,
): Promise<void> {
	const browsers = browserLogOf(recording, grid, options);
	if (browsers === null) return;
	const poller = new GridPoller(grid, options.allowed);
	const reporter = new GridReporter(recording, poller);
	const log = new SessionLog();
	const take = (poll: Poll) => {
		reporter.report(poll);
		const { came, went } = log.take(poll);
		for (const { id } of went) browsers.end(id);
		for (const each of came) browsers.begin(each);
	};
	await watchGrid(poller, take, recording.over);
	poller.close();
	browsers.close();
}

const browserLogOf = (
	{ note }: WatchedRecording,
	grid: GridAddress,
	{ browsers, allowed }: Pick<GridOptions, "browsers" | "allowed">,
): BrowserLog | null => (browsers === null ? null : new BrowserLog(grid, { ...browsers, allowed, note }));

/** A poll as recorded in the job's events. */
export function eventData(poll: Poll): Record<string, unknown> {
	const at = new Date(performance.timeOrigin + poll.answeredAt).toISOString();
	const { seen } = poll;
	const said = seen.kind === "count" ? { active: seen.active } : { ...seen, kind: undefined };
	return { at, tookMs: Math.round(poll.answeredAt - poll.askedAt), ...said, seen: seen.kind };
}

/** The decision to end because of the grid. */
export const stopForGrid = (failure: GridFailure, gridUrl: string): StopDecision => ({
	...stopFor(gridFault(failure, gridUrl)),
	data: { polls: failure.polls.map(eventData) },
});

function gridFault({ reason: code, why, node }: GridFailure, gridUrl: string): Fault<GridFailure["reason"]> {
	switch (code) {
		case "grid_unreachable":
			return {
				code,
				what: `The grid at ${gridUrl} could not be reached for 60 s (${why})`,
				remedy: "check that it is running and that the runner can reach it",
			};
		case "grid_not_recognised":
			if (node !== undefined) {
				const remedy =
					node === "shared"
						? "set gridNode to the URI or the id of the node that uses this display"
						: "start the node, or set gridNode to the URI or the id of one that the grid has";
				const what = node === "shared" ? "The node is ambiguous" : "The node was not found";
				return { code, what: `${what} (grid ${gridUrl}): ${why}`, remedy };
			}
			return {
				code,
				what: `The server at ${gridUrl} does not report its sessions as a grid does (${why})`,
				remedy: "set gridUrl to the base URL of a Selenium Grid 3, a Selenium Grid 4 or Selenoid",
			};
		case "grid_unauthorized":
			return {
				code,
				what: `The grid at ${gridUrl} rejects the credentials (${why})`,
				remedy: "set gridUsername and gridPassword to valid ones",
			};
	}
}

/** Notes changes of the grid's state in the job's history, once each. */
class GridReporter {
	readonly #recording: WatchedRecording;
	readonly #poller: GridPoller;
	#recognised = false;
	#unauthorized = false;
	/** The last note about the node. */
	#node: "absent" | "shared" | undefined;
	/** The nodes that were lost in the last poll. */
	#lost: ReadonlyMap<string, LostState> = new Map();
	#silent: Poll | null = null;
	#silenceReported = false;

	constructor(recording: WatchedRecording, poller: GridPoller) {
		this.#recording = recording;
		this.#poller = poller;
	}

	report(poll: Poll): void {
		const { seen } = poll;
		if (seen.kind === "count") this.#count(seen.active);
		this.#noteLost(poll);
		if (seen.kind === "unknown" && seen.node !== undefined && seen.node !== this.#node) {
			this.#node = seen.node;
			const [event, what] =
				seen.node === "shared"
					? ["grid_node_ambiguous", "The node is ambiguous"]
					: ["grid_node_unknown", "Waiting for the node"];
			this.#recording.note(event, `${what}: ${seen.why}.`, { polls: [eventData(poll)] });
		}
		if (seen.kind === "unauthorized" && !this.#unauthorized) {
			this.#recording.note("grid_unauthorized", `The grid rejects the credentials (status ${seen.status}).`, {
				polls: [eventData(poll)],
			});
		}
		this.#unauthorized = seen.kind === "unauthorized";
		if (seen.kind === "unreachable" || seen.kind === "no_json") this.#silence(poll, seen.why);
		else this.#answered(poll);
	}

	#answered(poll: Poll): void {
		if (this.#silenceReported)
			this.#recording.note("grid_reachable", "The grid responds again.", { polls: [eventData(poll)] });
		this.#silent = null;
		this.#silenceReported = false;
	}

	#count(active: number): void {
		const found = this.#poller.recognised;
		if (this.#recognised || found === null) return;
		this.#recognised = true;
		this.#recording.note("grid_recognised", `Detected ${found.grid}. Sessions are read from ${found.path}.`, {
			...found,
			active,
		});
	}

	/** Notes that the grid has lost a node with sessions, that it is given up, or that it is back. */
	#noteLost(poll: Poll): void {
		const before = this.#lost;
		this.#lost = this.#poller.lost;
		const note = (event: string, message: string) => this.#recording.note(event, message, { polls: [eventData(poll)] });
		const minutes = LOST_MS / 60_000;
		for (const [node, state] of this.#lost) {
			if (state === before.get(node)) continue;
			if (state === "given_up") {
				note("grid_node_given_up", `The node ${node} has been lost for ${minutes} min: its sessions have ended.`);
			} else
				note(
					"grid_node_lost",
					`The grid has lost the node ${node}, which had sessions. They count for up to ${minutes} min.`,
				);
		}
		for (const [node, state] of before) {
			if (state === "waiting" && !this.#lost.has(node)) note("grid_node_back", `The node ${node} is back.`);
		}
	}

	/** Notes a grid that has not responded for 3 s; shorter gaps are not worth a note. */
	#silence(poll: Poll, why: string): void {
		this.#silent ??= poll;
		if (this.#silenceReported || poll.answeredAt - this.#silent.answeredAt < 3_000) return;
		this.#silenceReported = true;
		this.#recording.note("grid_silent", `The grid has not responded for 3 s: ${why}.`, { polls: [eventData(poll)] });
	}
}
