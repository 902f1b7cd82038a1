/**
 * Reports which sessions the grid of auto-record had, so that the dashboard can tell those that nobody recorded: on the
 * runner's own node, and on the other nodes of a hub.
 */
import type { SeenSession } from "#lib/contract/session.ts";
import { Backoff, pause } from "./base/wait.ts";
import type { GridConfig } from "./config/config.ts";
import type { AllowedGrids } from "./grid/allowed-grids.ts";
import { nodeMatcher } from "./grid/grid-node.ts";
import { GridPoller, watchGrid } from "./grid/poll.ts";
import type { GridNode } from "./grid/read-status.ts";
import { SeenSessions } from "./grid/seen-sessions.ts";

/** Sessions shorter than this may be missed; those that tests open are longer. */
const POLL_MS = 1_000;
const SEND_MS = 2_000;
const BATCH = 100;

export interface CoverageTools {
	allowedGrids: AllowedGrids;
	/** Why a session of the runner's own node would not be recorded now. */
	whyMissed(): Exclude<SeenSession["reason"], null>;
	/** @throws when the dashboard does not take them. */
	send(sessions: readonly SeenSession[]): Promise<void>;
}

/** Runs until `closed` aborts. */
export async function reportCoverage(tools: CoverageTools, grid: GridConfig, closed: AbortSignal): Promise<void> {
	const { node, ...whole } = grid;
	const isOwnNode = node === undefined ? () => true : nodeMatcher(node);
	const poller = new GridPoller(whole, tools.allowedGrids);
	const seen = new SeenSessions(({ session }, isWanted) => {
		const own: Pick<GridNode, "id" | "uri"> | null = session.node;
		const isOwn = own === null || isOwnNode(own);
		return {
			node: own === null ? null : own.uri || own.id,
			reason: !isWanted ? "not_wanted" : isOwn ? tools.whyMissed() : null,
		};
	});
	const sending = sendDue(tools, seen, closed);
	await watchGrid(
		poller,
		(poll) => seen.take(poll),
		closed,
		() => POLL_MS,
	);
	poller.close();
	await sending;
}

async function sendDue(tools: CoverageTools, seen: SeenSessions, closed: AbortSignal): Promise<void> {
	const backoff = new Backoff();
	while (!closed.aborted) {
		const batch = seen.due(BATCH);
		if (batch.length === 0) {
			await pause(SEND_MS, closed);
			continue;
		}
		try {
			await tools.send(batch);
			seen.sent(batch.length);
			backoff.reset();
		} catch {
			// The connection says what is wrong.
			await pause(backoff.nextMs(), closed);
		}
	}
}
