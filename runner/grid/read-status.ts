/** Parses a grid's status answer into a session count, and the sessions where the grid lists them. */

/** Paths that may report a session count: the mandated one first, then the siblings in the order in which to try them. */
export const STATUS_PATH = "/wd/hub/status";
export const SIBLING_PATHS = ["/grid/api/hub", "/wd/hub/sessions", "/status"] as const;
export type CountPath = typeof STATUS_PATH | (typeof SIBLING_PATHS)[number];

export interface GridNode {
	id: string;
	/** The address at which the grid reaches the node; empty if unknown. */
	uri: string;
	down: boolean;
	sessions: number;
}

/** A session as the grid lists it. */
export interface GridSession {
	/** `RESERVED` while it is being created. */
	id: string;
	/** The slot that it occupies; slots are reused. Null where the grid does not list slots. */
	slot: string | null;
	/** The session's node; null if the grid does not list nodes. */
	node: Pick<GridNode, "id" | "uri"> | null;
	/** When it began, as the grid reports it. */
	start: unknown;
	/** Capabilities as the grid reports them: of any type and size (see describe-session). */
	capabilities: unknown;
}

/** The id of a session that is being created. */
export const RESERVED = "reserved";

/** A slot of a Grid 4. */
export interface GridSlot {
	/** Stays with the slot, which may be at another place of every answer. */
	id: string;
	node: Pick<GridNode, "id" | "uri">;
	isFree: boolean;
	/** Null if it is free, and where its session has no usable id. */
	session: GridSession | null;
	/**
	 * When its last session began, or was reserved if it was not created: as the grid reports it. 1970 before the first, and
	 * in a node's own status while it is free.
	 */
	lastStarted: unknown;
	/** The capabilities that it offers, as the grid reports them. */
	stereotype: unknown;
}

export type GridReading =
	/**
	 * Active sessions, including those being created. `nodes` and `slots` are empty unless the grid lists them; `sessions`
	 * is null where it only counts.
	 */
	| {
			kind: "count";
			grid: "Grid 4" | "Grid 4 node" | "Grid 3" | "Selenoid";
			active: number;
			nodes: GridNode[];
			slots: GridSlot[];
			sessions: GridSession[] | null;
	  }
	/** JSON without session data. */
	| { kind: "no_sessions"; why: string }
	| { kind: "no_json" };

/** The longest session id that is followed; a longer one only counts. */
export const MAX_SESSION_ID = 200;

const MAX_URI = 500;

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
	typeof value === "object" && value !== null && !Array.isArray(value);
/** Beyond the safe integers, different numbers parse to the same value. */
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
/** Formats a value from the grid for a message, limited in length. */
const quoted = (value: unknown): string =>
	typeof value === "number"
		? String(value)
		: typeof value === "string"
			? `"${value.slice(0, 100)}"`
			: "of an unexpected type";

/** Reads the body of one of the known paths; the kind of grid follows from its shape. */
export function readStatus(text: string): GridReading {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return { kind: "no_json" };
	}
	if (!isObject(body)) return { kind: "no_sessions", why: "the response is not a JSON object" };
	return grid4(body) ?? grid3Hub(body) ?? grid3Sessions(body) ?? selenoid(body) ?? withoutSessions(body);
}

/**
 * Grid 4: lists the session of every slot of every node; a node's own status is the same for one node. A session with
 * the id `reserved` is being created.
 */
function grid4(body: Json): GridReading | null {
	const value = body.value;
	if (!isObject(value)) return null;
	const isNode = !Array.isArray(value.nodes) && isObject(value.node);
	const listed = isNode ? [value.node] : value.nodes;
	if (!Array.isArray(listed)) return null;
	const nodes: GridNode[] = [];
	const slots: GridSlot[] = [];
	for (const node of listed) {
		if (!isObject(node) || !Array.isArray(node.slots)) return incomplete("a node has no slots");
		const id = typeof node.id === "string" ? node.id : String(nodes.length);
		const uri = typeof node.uri === "string" ? node.uri.slice(0, MAX_URI) : "";
		let count = 0;
		for (const [index, slot] of node.slots.entries()) {
			// A slot that does not report its session cannot be counted as free.
			if (!isObject(slot) || !("session" in slot)) return incomplete("a slot does not report its session");
			const isFree = slot.session === null;
			if (!isFree) count++;
			const slotId = `${id}/${slotIdOf(slot.id) ?? index}`;
			const session = isFree ? null : sessionOf(slot.session, "sessionId", slotId, { id, uri });
			const { lastStarted, stereotype } = slot;
			slots.push({ id: slotId, node: { id, uri }, isFree, session, lastStarted, stereotype });
		}
		nodes.push({ id, uri, down: node.availability === "DOWN", sessions: count });
	}
	const active = nodes.reduce((sum, node) => sum + node.sessions, 0);
	const sessions = slots.flatMap(({ session }) => session ?? []);
	return { kind: "count", grid: isNode ? "Grid 4 node" : "Grid 4", active, nodes, slots, sessions };
}

/** The order of a node's slots changes from one answer to the next. */
function slotIdOf(value: unknown): string | null {
	const id = isObject(value) ? value.id : null;
	return typeof id === "string" && id !== "" ? id.slice(0, MAX_SESSION_ID) : null;
}

/** @returns null for a session without a usable id: it counts, but cannot be distinguished from others. */
function sessionOf(value: unknown, idName: string, slot: string | null, node: GridSession["node"]): GridSession | null {
	if (!isObject(value)) return null;
	const id = value[idName];
	if (typeof id !== "string" || id === "" || id.length > MAX_SESSION_ID) return null;
	return { id, slot, node, start: value.start, capabilities: value.capabilities ?? value.caps };
}

const incomplete = (why: string): GridReading => ({ kind: "no_sessions", why });

/** Grid 3 hub: reports free and total slots. */
function grid3Hub(body: Json): GridReading | null {
	const counts = body.slotCounts;
	if (!isObject(counts)) return null;
	if (!isCount(counts.free) || !isCount(counts.total) || counts.free > counts.total) {
		return incomplete("slotCounts do not add up");
	}
	return { kind: "count", grid: "Grid 3", active: counts.total - counts.free, nodes: [], slots: [], sessions: null };
}

/** Grid 3 standalone: lists its sessions. */
function grid3Sessions(body: Json): GridReading | null {
	if (!Array.isArray(body.value)) return null;
	if (body.status !== undefined && body.status !== 0) return incomplete(`it reports status ${quoted(body.status)}`);
	const sessions = body.value.flatMap((each) => sessionOf(each, "id", null, null) ?? []);
	return { kind: "count", grid: "Grid 3", active: body.value.length, nodes: [], slots: [], sessions };
}

/** Selenoid: reports sessions in use and being started; `queued` ones have no browser yet. */
function selenoid(body: Json): GridReading | null {
	const status = isObject(body.value) && "used" in body.value ? body.value : body;
	if (!("used" in status) || !("total" in status)) return null;
	const pending = status.pending ?? 0;
	if (!isCount(status.used) || !isCount(pending) || !isCount(status.used + pending))
		return incomplete("used and pending are not counts");
	const sessions = selenoidSessions(status.browsers);
	return { kind: "count", grid: "Selenoid", active: status.used + pending, nodes: [], slots: [], sessions };
}

/** Sessions by browser, version and user; null if they are listed otherwise. */
function selenoidSessions(browsers: unknown): GridSession[] | null {
	if (!isObject(browsers)) return null;
	const users = Object.values(browsers).flatMap((versions) =>
		isObject(versions)
			? Object.values(versions).flatMap((byUser) => (isObject(byUser) ? Object.values(byUser) : []))
			: [],
	);
	const listed = users.flatMap((user) => (isObject(user) && Array.isArray(user.sessions) ? user.sessions : []));
	return listed.flatMap((each) => sessionOf(each, "id", null, null) ?? []);
}

function withoutSessions(body: Json): GridReading {
	const value = isObject(body.value) ? body.value : body;
	const detail = typeof value.message === "string" ? `; its message is "${value.message.slice(0, 200)}"` : "";
	return { kind: "no_sessions", why: `the response contains no session data${detail}` };
}
