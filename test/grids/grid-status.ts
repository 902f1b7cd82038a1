/** Status answers of Selenium Grid 4, with the sessions that a test wants. */

/** A slot in use; `reserved` is the id of a session that is being created. */
export interface StatusSession {
	id: string;
	start?: string;
	capabilities?: unknown;
}
/** A free slot that was used before. */
export interface UsedSlot {
	/** The beginning of its last session; of the reservation if none was created. */
	lastStarted: string;
}
export interface StatusNode {
	id: string;
	uri: string;
	availability?: "UP" | "DOWN" | "DRAINING";
	/** One entry per slot; null for a slot that has never been used. A node's own status has null for every free slot. */
	slots: readonly (StatusSession | UsedSlot | null)[];
	/** The order in which the answer lists the slots. */
	order?: readonly number[];
}

const nodeOf = ({ id, uri, availability = "UP", slots, order = slots.map((_, index) => index) }: StatusNode) => ({
	...{ id, uri, availability, maxSessions: slots.length, version: "4.40.0" },
	slots: order.map((index) => slotOf(slots[index] ?? null, { hostId: id, id: `slot-${index}` }, uri)),
});

function slotOf(held: StatusSession | UsedSlot | null, id: { hostId: string; id: string }, uri: string) {
	const stereotype = { browserName: "chrome", platformName: "linux" };
	if (held === null) return { id, lastStarted: "1970-01-01T00:00:00Z", session: null, stereotype };
	if ("lastStarted" in held) return { id, lastStarted: held.lastStarted, session: null, stereotype };
	const { start = new Date().toISOString(), capabilities = { browserName: "chrome" } } = held;
	return { id, lastStarted: start, session: { sessionId: held.id, uri, start, capabilities, stereotype }, stereotype };
}

/** The status response of a hub or a standalone grid. */
export const hubStatus = (nodes: readonly StatusNode[]) => ({
	value: { ready: true, message: "Selenium Grid ready.", nodes: nodes.map(nodeOf) },
});

/** The response of a node at `/status`. */
export const nodeStatus = (node: StatusNode) => ({
	value: { ready: true, message: "Ready", node: nodeOf(node) },
});
