/**
 * Sessions that began and ended between two polls. No answer lists them. Their only trace is the time at which their
 * slot was last used, which a Grid 4 still reports while the slot is free.
 *
 * This time is the beginning of the slot's last session, or of the reservation if no session came of it. So a free slot
 * had a session in the meantime if its time is neither that of a session nor that of a reservation seen before. A
 * creation that failed between two polls looks the same. It counts too, unless the last creation seen to end on its
 * node failed: clients retry, or fail one test after another.
 */
import { SHORT_SESSION } from "@tapedeck/contract/session.ts";
import { type GridSession, type GridSlot, MAX_SESSION_ID, RESERVED } from "./read-status.ts";

/** The maximum number of times kept for each node, in addition to the current ones of its slots. */
const MAX_KNOWN = 64;
const MAX_NODES = 5_000;
const MAX_SHARED = 1_000;

/**
 * The sessions and reservations that polls of this process saw, by slot and beginning. One poller may see a session
 * that is too short for another.
 */
const shared = new Map<string, GridSession>();

interface KnownNode {
	/** The beginnings of sessions and reservations, in ms since 1970; those seen last come last. */
	starts: Set<number>;
	/** When each slot was reserved at the last poll. */
	reserved: Map<string, number>;
	/** Whether the last creation that was seen to end failed. */
	isFailing: boolean;
}

export class ShortSessions {
	readonly #nodes = new Map<string, KnownNode>();

	/** Processes the slots of the next poll. @returns the sessions that nothing else tells of; empty at a node's first poll. */
	take(slots: readonly GridSlot[]): GridSession[] {
		const short: GridSession[] = [];
		for (const [id, ofNode] of Map.groupBy(slots, ({ node }) => node.id)) {
			const known = this.#nodes.get(id);
			const node = known ?? { starts: new Set(), reserved: new Map(), isFailing: false };
			if (known !== undefined) short.push(...newIn(ofNode, known));
			learn(ofNode, node);
			this.#nodes.delete(id);
			this.#nodes.set(id, node);
		}
		dropOldest(this.#nodes, MAX_NODES);
		return short;
	}
}

/** Finds the new sessions of a node. Also decides whether creations fail on the node. */
function newIn(slots: readonly GridSlot[], node: KnownNode): GridSession[] {
	const seen: GridSession[] = [];
	const unseen: GridSession[] = [];
	let hasFailed = false;
	let hasBegun = false;
	for (const slot of slots) {
		const at = timeOf(slot.isFree ? slot.lastStarted : slot.session?.start);
		if (at === null) continue;
		const isNew = !node.starts.has(at);
		if (!slot.isFree) {
			if (isNew && slot.session?.id !== RESERVED) hasBegun = true;
			continue;
		}
		if (node.reserved.get(slot.id) === at) hasFailed = true;
		if (!isNew) continue;
		const other = shared.get(keyOf(slot.id, at));
		if (other?.id === RESERVED) hasFailed = true;
		else if (other !== undefined) seen.push(other);
		else unseen.push(...sessionOf(slot, at));
	}
	if (hasBegun || seen.length > 0) node.isFailing = false;
	if (hasFailed) node.isFailing = true;
	return node.isFailing ? seen : [...seen, ...unseen];
}

function learn(slots: readonly GridSlot[], node: KnownNode): void {
	node.reserved.clear();
	for (const { id, session, lastStarted } of slots) {
		const start = session === null ? null : timeOf(session.start);
		const isNew = start !== null && !node.starts.has(start);
		for (const at of [timeOf(lastStarted), start]) {
			if (at === null) continue;
			node.starts.delete(at);
			node.starts.add(at);
		}
		if (session === null || start === null) continue;
		if (session.id === RESERVED) node.reserved.set(id, start);
		if (isNew) shared.set(keyOf(id, start), session);
	}
	dropOldest(node.starts, MAX_KNOWN + 2 * slots.length);
	dropOldest(shared, MAX_SHARED);
}

function dropOldest<K>(kept: Map<K, unknown> | Set<K>, max: number): void {
	for (const key of kept.keys()) {
		if (kept.size <= max) break;
		kept.delete(key);
	}
}

/** @returns null for a slot that was not used yet. */
function timeOf(value: unknown): number | null {
	const at = typeof value === "string" && value.length < 100 ? Date.parse(value) : Number.NaN;
	return at > 0 ? at : null;
}

/** The session's name is unknown. @returns none if its slot has an id that is too long. */
function sessionOf({ id: slot, node, lastStarted, stereotype }: GridSlot, at: number): GridSession[] {
	const id = SHORT_SESSION + keyOf(slot, at);
	if (id.length > MAX_SESSION_ID) return [];
	const offered = typeof stereotype === "object" && stereotype !== null ? stereotype : {};
	const browser = "browserName" in offered && typeof offered.browserName === "string" ? offered.browserName : "";
	const name = browser === "" ? "Short session" : `Short session (${browser.slice(0, 50)})`;
	return [{ id, slot, node, start: lastStarted, capabilities: { ...offered, name } }];
}

const keyOf = (slotId: string, at: number): string => `${slotId}@${new Date(at).toISOString()}`;
