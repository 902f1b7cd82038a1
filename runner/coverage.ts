/**
 * Reports which sessions the grid of auto-record had, so that the dashboard can tell those that nobody recorded: on the
 * runner's own node, and on the other nodes of a hub.
 */
import type { SeenSession } from "@tapedeck/contract/session.ts";
import { Backoff, pause } from "./base/wait.ts";
import type { GridConfig } from "./config/config.ts";
import type { AllowedGrids } from "./grid/allowed-grids.ts";
import { type FoundNode, NodeFinder } from "./grid/grid-node.ts";
import { GridPoller, watchGrid } from "./grid/poll.ts";
import type { GridNode } from "./grid/read-status.ts";
import { SeenSessions } from "./grid/seen-sessions.ts";

/** A session shorter than this may be known by its slot alone, without its id and its name. */
const POLL_MS = 500;
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
	const finder = node === undefined ? null : new NodeFinder(node);
	let found: FoundNode = { kind: "absent" };
	const poller = new GridPoller(whole, tools.allowedGrids);
	const seen = new SeenSessions(({ session }, isWanted) => {
		const own: Pick<GridNode, "id" | "uri"> | null = session.node;
		const isOwn = own === null || finder === null || (found.kind !== "absent" && found.isMeant(own));
		const whyMissed = () => (found.kind === "shared" ? "node_ambiguous" : tools.whyMissed());
		return {
			node: own === null ? null : own.uri || own.id,
			reason: !isWanted ? "not_wanted" : isOwn ? whyMissed() : null,
		};
	});
	const sending = sendDue(tools, seen, closed);
	await watchGrid(
		poller,
		(poll) => {
			const now = poll.seen.kind === "count" ? finder?.find(poll.seen.nodes ?? []) : undefined;
			// A node that has gone is still the one that its last sessions were on.
			if (now !== undefined && now.kind !== "absent") found = now;
			seen.take(poll);
		},
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
