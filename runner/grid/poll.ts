/** Polls a grid for its sessions: limited in time and size, and without following redirects to another origin. */
import { errorMessage } from "../base/fault.ts";
import { pause } from "../base/wait.ts";
import { HttpPool } from "../dashboard/http.ts";
import type { AllowedGrids } from "./allowed-grids.ts";
import type { Poll } from "./grid-health.ts";
import { listed, NodeFinder, nodesInWords } from "./grid-node.ts";
import { LOST_MS, LostNodes, type LostState, lostState } from "./lost-nodes.ts";
import { type CountPath, type GridReading, readStatus, SIBLING_PATHS, STATUS_PATH } from "./read-status.ts";

export interface GridAddress {
	/** Without a trailing slash or `/wd/hub`. */
	url: string;
	username?: string;
	password?: string;
	/** The node whose sessions count: its id, its URI or its host. All nodes if omitted. */
	node?: string;
}

/** The interval of polls. */
const POLL_INTERVAL_MS = 500;
const TIMEOUT_MS = 2_000;
/** A status with 500 nodes has about 2 MB, and a client may set capabilities of a megabyte. */
const MAX_BYTES = 16 << 20;
const MAX_REDIRECTS = 4;

type Counted = Extract<GridReading, { kind: "count" }>;
type Answer = { kind: "text"; text: string } | Exclude<Poll["seen"], { kind: "count" }>;

export class GridPoller {
	readonly #address: GridAddress;
	readonly #allowed: AllowedGrids;
	readonly #pool = new HttpPool(8);
	readonly #headers: Record<string, string>;
	/** The path where this grid reports its sessions; null until known. */
	#path: CountPath | null = null;
	#kind: string | null = null;
	readonly #lostNodes = new LostNodes();
	#lost: ReadonlyMap<string, LostState> = new Map();
	readonly #finder: NodeFinder | null;
	/** Whether the grid ever had the wanted node. */
	#nodeKnown = false;
	/** When the wanted node was seen last with sessions, or lost with them; null if it had none. */
	#nodeBusyAt: number | null = null;

	/** @param allowed requests go to no other address, whatever the grid's address or redirects are. */
	constructor(address: GridAddress, allowed: AllowedGrids) {
		this.#address = address;
		this.#allowed = allowed;
		this.#finder = address.node === undefined ? null : new NodeFinder(address.node);
		const { username, password } = address;
		const basic = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
		this.#headers = {
			accept: "application/json",
			...(username === undefined ? {} : { authorization: `Basic ${basic}` }),
		};
	}

	/** The kind of grid and the path that reports its sessions; null before the first count. */
	get recognised(): { grid: string; path: string } | null {
		return this.#path === null || this.#kind === null ? null : { grid: this.#kind, path: this.#path };
	}

	/** Nodes that the grid has lost while they had sessions, by the last answer: only the wanted node, or all. */
	get lost(): ReadonlyMap<string, LostState> {
		return this.#lost;
	}

	/** One poll; never throws. */
	async poll(): Promise<Poll> {
		const askedAt = performance.now();
		const seen = await this.#count(AbortSignal.timeout(TIMEOUT_MS));
		return { askedAt, answeredAt: performance.now(), seen };
	}

	close(): void {
		this.#pool.close();
	}

	async #count(signal: AbortSignal): Promise<Poll["seen"]> {
		const first = await this.#read(this.#path ?? STATUS_PATH, signal);
		if (this.#path !== null) return first;
		if (first.kind === "unreachable" || first.kind === "unauthorized") return first;
		// The mandated path reports no counts: find out once which sibling does.
		for (const path of SIBLING_PATHS) {
			const seen = await this.#read(path, signal);
			// Grid 4 reports sessions at the mandated path too, except while its distributor is slow: don't settle on the sibling.
			if (this.#kind === "Grid 4" && first.kind === "unknown") this.#path = null;
			if (seen.kind === "count") return seen;
			if (signal.aborted) break;
		}
		return first;
	}

	async #read(path: CountPath, signal: AbortSignal): Promise<Poll["seen"]> {
		const answer = await this.#get(path, signal);
		if (answer.kind !== "text") return answer;
		const reading = readStatus(answer.text);
		if (reading.kind === "no_json") return { kind: "no_json", why: `${path} returns something other than JSON` };
		if (reading.kind === "no_sessions") return { kind: "unknown", why: reading.why };
		this.#path = path;
		this.#kind = reading.grid;
		const now = performance.now();
		const counted = this.#lostNodes.take(reading, now);
		return this.#finder === null ? this.#ofGrid(counted, now) : this.#ofNode(counted, this.#finder, now);
	}

	#ofGrid({ active, sessions, slots, nodes }: Counted, now: number): Poll["seen"] {
		this.#lost = this.#lostNodes.states(now);
		if (active === 0 && this.#lostNodes.hasUnlisted(now)) {
			return { kind: "unknown", why: "a node vanished from the grid while it was down with sessions" };
		}
		return { kind: "count", active, sessions, slots, nodes };
	}

	/** The sessions of the wanted node alone. When it vanishes while it has some, they may still run. */
	#ofNode({ nodes, slots, sessions }: Counted, finder: NodeFinder, now: number): Poll["seen"] {
		const found = finder.find(nodes, now);
		if (found.kind === "shared") {
			const why = `${found.uris.length} nodes share the name "${this.#address.node}": ${listed(found.uris)}`;
			return { kind: "unknown", why, node: "shared" };
		}
		if (found.kind === "found") {
			const wanted = nodes.filter(found.isMeant);
			const active = wanted.reduce((sum, node) => sum + node.sessions, 0);
			const [lostAt] = wanted.flatMap(({ id }) => this.#lostNodes.sinceOf(id) ?? []);
			this.#nodeKnown = true;
			this.#nodeBusyAt = active > 0 ? (lostAt ?? now) : null;
			this.#noteLost(lostAt ?? null, now);
			const own = sessions?.filter(({ node }) => node !== null && found.isMeant(node)) ?? null;
			return { kind: "count", active, sessions: own, slots: slots.filter(({ node }) => found.isMeant(node)) };
		}
		if (!this.#nodeKnown) {
			const why = `the grid has no node "${this.#address.node}"; ${nodesInWords(nodes)}`;
			return { kind: "unknown", why, node: "absent" };
		}
		this.#noteLost(this.#nodeBusyAt, now);
		if (this.#nodeBusyAt !== null && now - this.#nodeBusyAt < LOST_MS) {
			return { kind: "unknown", why: "the node vanished from the grid while it had sessions" };
		}
		return { kind: "count", active: 0, sessions: [] };
	}

	#noteLost(since: number | null, now: number): void {
		this.#lost = since === null ? new Map() : new Map([[this.#address.node ?? "", lostState(since, now)]]);
	}

	async #get(path: string, signal: AbortSignal): Promise<Answer> {
		let url = this.#address.url + path;
		const { origin } = new URL(url);
		try {
			for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
				if (!this.#allowed.has(url)) {
					const what = hops === 0 ? "is" : "redirects to an address that is";
					return { kind: "no_json", why: `${path} ${what} not in the runner's TAPEDECK_GRID_ALLOW` };
				}
				const answer = await this.#pool.call({
					method: "GET",
					url,
					headers: this.#headers,
					maxBytes: MAX_BYTES,
					signal,
				});
				const { status, headers } = answer;
				if (status === 401 || status === 403) return { kind: "unauthorized", status };
				if (status >= 500) {
					// Grid 3 also answers an unknown path with 500 and JSON.
					return { kind: "unreachable", why: `${path} returns ${status}` };
				}
				if (status < 300 || status > 399 || headers.location === undefined) {
					return { kind: "text", text: answer.text };
				}
				const next = URL.parse(headers.location, url);
				if (next === null || next.origin !== origin) {
					return { kind: "no_json", why: `${path} redirects to another origin, which is not followed` };
				}
				url = next.href;
			}
			return { kind: "no_json", why: `${path} redirects more than ${MAX_REDIRECTS} times` };
		} catch (error) {
			if (signal.aborted) return { kind: "unreachable", why: `no response within ${TIMEOUT_MS} ms` };
			const { code } = error as NodeJS.ErrnoException;
			if (code === "E2BIG" || code === "EENCODING") return { kind: "no_json", why: errorMessage(error) };
			return { kind: "unreachable", why: errorMessage(error) };
		}
	}
}

/**
 * Polls at a fixed interval until the signal aborts. Polls overlap when answers are slow, so that a slow grid is polled as
 * often as a fast one; answers are delivered in the order of their requests.
 * @param onPoll must not throw.
 * @param intervalMs until the next poll.
 */
export async function watchGrid(
	poller: Pick<GridPoller, "poll">,
	onPoll: (poll: Poll) => void,
	signal: AbortSignal,
	intervalMs: () => number = () => POLL_INTERVAL_MS,
): Promise<void> {
	let delivered: Promise<void> = Promise.resolve();
	let due = performance.now();
	while (!signal.aborted) {
		const answer = poller.poll();
		delivered = delivered.then(async () => {
			const poll = await answer;
			// An answer that had to wait for a slower earlier one counts from the moment of its delivery.
			if (!signal.aborted) onPoll({ ...poll, answeredAt: Math.max(poll.answeredAt, performance.now()) });
		});
		due = Math.max(due + intervalMs(), performance.now());
		await pause(due - performance.now(), signal);
	}
}
