/** Parses a grid's status answer into a session count. */

/** Paths that may report a session count: the mandated one first, then the siblings in the order in which to try them. */
export const STATUS_PATH = "/wd/hub/status";
export const SIBLING_PATHS = ["/grid/api/hub", "/wd/hub/sessions", "/status"] as const;
export type CountPath = typeof STATUS_PATH | (typeof SIBLING_PATHS)[number];

export interface GridNode {
	id: string;
	down: boolean;
	sessions: number;
}

export type GridReading =
	/** Active sessions, including those being created. `nodes` is empty unless the grid lists them. */
	| { kind: "count"; grid: "Grid 4" | "Grid 3" | "Selenoid"; active: number; nodes: GridNode[] }
	/** JSON without session data. */
	| { kind: "no_sessions"; why: string }
	| { kind: "no_json" };

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

/** Grid 4: lists the session of every slot of every node. A session with the id `reserved` is being created. */
function grid4(body: Json): GridReading | null {
	const value = body.value;
	if (!isObject(value) || !Array.isArray(value.nodes)) return null;
	const nodes: GridNode[] = [];
	for (const node of value.nodes) {
		if (!isObject(node) || !Array.isArray(node.slots)) return incomplete("a node has no slots");
		let sessions = 0;
		for (const slot of node.slots) {
			// A slot that does not report its session cannot be counted as free.
			if (!isObject(slot) || !("session" in slot)) return incomplete("a slot does not report its session");
			if (slot.session !== null) sessions++;
		}
		const id = typeof node.id === "string" ? node.id : String(nodes.length);
		nodes.push({ id, down: node.availability === "DOWN", sessions });
	}
	const active = nodes.reduce((sum, node) => sum + node.sessions, 0);
	return { kind: "count", grid: "Grid 4", active, nodes };
}

const incomplete = (why: string): GridReading => ({ kind: "no_sessions", why });

/** Grid 3 hub: reports free and total slots. */
function grid3Hub(body: Json): GridReading | null {
	const counts = body.slotCounts;
	if (!isObject(counts)) return null;
	if (!isCount(counts.free) || !isCount(counts.total) || counts.free > counts.total) {
		return incomplete("slotCounts do not add up");
	}
	return { kind: "count", grid: "Grid 3", active: counts.total - counts.free, nodes: [] };
}

/** Grid 3 standalone: lists its sessions. */
function grid3Sessions(body: Json): GridReading | null {
	if (!Array.isArray(body.value)) return null;
	if (body.status !== undefined && body.status !== 0) return incomplete(`it reports status ${quoted(body.status)}`);
	return { kind: "count", grid: "Grid 3", active: body.value.length, nodes: [] };
}

/** Selenoid: reports sessions in use and being started; `queued` ones have no browser yet. */
function selenoid(body: Json): GridReading | null {
	const status = isObject(body.value) && "used" in body.value ? body.value : body;
	if (!("used" in status) || !("total" in status)) return null;
	const pending = status.pending ?? 0;
	if (!isCount(status.used) || !isCount(pending) || !isCount(status.used + pending))
		return incomplete("used and pending are not counts");
	return { kind: "count", grid: "Selenoid", active: status.used + pending, nodes: [] };
}

function withoutSessions(body: Json): GridReading {
	const value = isObject(body.value) ? body.value : body;
	const detail = typeof value.message === "string" ? `; its message is "${value.message.slice(0, 200)}"` : "";
	return { kind: "no_sessions", why: `the response contains no session data${detail}` };
}
