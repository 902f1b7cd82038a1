/**
 * Nodes that a grid has lost while they had sessions: it lists them as DOWN, and later not at all. Their sessions may go on for
 * a while, because a node can come back, but not for longer than a grid's session timeout.
 */
import type { GridNode, GridReading } from "./read-status.ts";

/** A grid's session timeout: after that, the sessions of a lost node have ended in any case. */
export const LOST_MS = 300_000;

/** Whether the sessions of a lost node still count. */
export type LostState = "waiting" | "given_up";
export const lostState = (since: number, now: number): LostState => (now - since < LOST_MS ? "waiting" : "given_up");

type Counted = Extract<GridReading, { kind: "count" }>;

interface LostNode {
	uri: string;
	/** The time by the clock of {@link LostNodes.take}. */
	since: number;
	isListed: boolean;
}

export class LostNodes {
	/** Nodes by id. */
	#nodes = new Map<string, LostNode>();

	/** @returns the reading without sessions of nodes that are given up. @param now a monotonic clock, in ms. */
	take(reading: Counted, now: number): Counted {
		const down = reading.nodes.filter(({ down, sessions }) => down && sessions > 0);
		const listed = new Set(reading.nodes.map(({ id }) => id));
		// Nodes that are given up are kept for the same time again, so that each poll in it reports them.
		const gone = [...this.#nodes].filter(([id, { since }]) => !listed.has(id) && now - since < 2 * LOST_MS);
		this.#nodes = new Map<string, LostNode>([
			...gone.map(([id, node]) => [id, { ...node, isListed: false }] as const),
			...down.map(({ id, uri }) => [id, { uri, since: this.#nodes.get(id)?.since ?? now, isListed: true }] as const),
		]);
		const isGivenUp = (id: string) => {
			const since = this.sinceOf(id);
			return since !== null && lostState(since, now) === "given_up";
		};
		const nodes = reading.nodes.map((node) => (isGivenUp(node.id) ? { ...node, sessions: 0 } : node));
		const lessActive = sumOf(reading.nodes) - sumOf(nodes);
		const sessions = reading.sessions?.filter(({ node }) => node === null || !isGivenUp(node.id)) ?? null;
		return { ...reading, nodes, sessions, active: reading.active - lessActive };
	}

	/** When the grid lost a node, or null if it has not. */
	sinceOf(id: string): number | null {
		return this.#nodes.get(id)?.since ?? null;
	}

	/** Whether a node may still run sessions although the grid does not list it. */
	hasUnlisted(now: number): boolean {
		return [...this.#nodes.values()].some((node) => !node.isListed && lostState(node.since, now) === "waiting");
	}

	/** The lost nodes by their URI. */
	states(now: number): Map<string, LostState> {
		return new Map([...this.#nodes].map(([id, { uri, since }]) => [uri || id, lostState(since, now)]));
	}
}

const sumOf = (nodes: readonly GridNode[]): number => nodes.reduce((sum, { sessions }) => sum + sessions, 0);
