/** The connection to one browser: listens until it is closed, here or there, and gives every entry its time on this machine. */
import type { AllowedGrids } from "../grid/allowed-grids.ts";
import type { GridAddress } from "../grid/poll.ts";
import type { GridSession } from "../grid/read-status.ts";
import { BidiProtocol } from "./bidi.ts";
import { type BrowserEntry, type Listener, objectIn, type Protocol, textIn } from "./browser-entry.ts";
import { DevToolsProtocol } from "./devtools.ts";

/** The maximum time for a grid to open the connection. */
const OPENING_MS = 10_000;
/** A longer message is not parsed: it has a text or an address that no line would hold. */
const MAX_MESSAGE_CHARACTERS = 4 << 20;
/** A smaller delay of the browser's clock is taken for the transit time of messages. */
const MAX_DELAY_MS = 1_000;

/** Node's WebSocket accepts headers instead of protocols, unlike that of browsers. */
const NodeWebSocket = WebSocket as unknown as new (
	url: string,
	options: { headers: Record<string, string> },
) => WebSocket;

export interface ConnectionEvents {
	/**
	 * @param at in milliseconds since 1970 by this machine's clock: when it was said, or when the request began.
	 * @param durationMs of a request.
	 */
	entry(entry: BrowserEntry, at: number, durationMs: number | null): void;
	/** The connection could not be opened, or was closed by the other side. Called once at most. */
	lost(why: string): void;
}

/**
 * The protocol that a session offers. DevTools, where there is the choice: they say more (an error that is logged is only
 * "error" by BiDi in Chrome), and are none that the test itself may be using in the session.
 * @returns null if it offers none.
 */
function offered({ capabilities }: GridSession): { path: string; create(listener: Listener): Protocol } | null {
	const said = objectIn(capabilities);
	if (textIn(said["se:cdp"]) !== null) return { path: "se/cdp", create: (listener) => new DevToolsProtocol(listener) };
	if (textIn(said.webSocketUrl) !== null) return { path: "se/bidi", create: (listener) => new BidiProtocol(listener) };
	return null;
}

export class BrowserConnection {
	#socket: WebSocket | null = null;
	readonly #headers: Record<string, string>;
	readonly #protocol: Protocol;
	readonly #events: ConnectionEvents;
	readonly #opening: NodeJS.Timeout;
	/** The smallest measured delay of the browser's clock, including the transit time of messages. */
	#behindMs = Number.POSITIVE_INFINITY;
	#isClosed = false;

	private constructor(
		{ username, password }: GridAddress,
		create: (listener: Listener) => Protocol,
		events: ConnectionEvents,
	) {
		const basic = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
		this.#headers = username === undefined ? {} : { authorization: `Basic ${basic}` };
		this.#events = events;
		this.#protocol = create({
			send: (command) => this.#socket?.readyState === WebSocket.OPEN && this.#socket.send(JSON.stringify(command)),
			entry: (entry) => this.#add(entry),
		});
		this.#opening = setTimeout(() => this.#lose("it was not opened in time"), OPENING_MS);
	}

	/**
	 * Connects to the browser of a session at the address of its grid, because the grid's own name may not be reachable
	 * from here.
	 * @param allowed no connection goes to any other address.
	 * @returns null for a session that offers no protocol.
	 */
	static open(
		grid: GridAddress,
		allowed: AllowedGrids,
		session: GridSession,
		events: ConnectionEvents,
	): BrowserConnection | null {
		const found = offered(session);
		if (found === null) return null;
		const path = `/session/${encodeURIComponent(session.id.toWellFormed())}/${found.path}`;
		const addressAt = (url: string): string => url.replace(/^http/, "ws") + path;
		// A grid on a sub-path has its sessions there by HTTP, but their WebSockets at its root, unless a proxy put it there.
		const root = new URL(grid.url).origin;
		const others = root !== grid.url && allowed.has(root) ? [addressAt(root)] : [];
		const connection = new BrowserConnection(grid, found.create, events);
		connection.#connect(addressAt(grid.url), others);
		return connection;
	}

	/** @param others are tried in turn if this address does not work. */
	#connect(address: string, others: readonly string[]): void {
		const socket = new NodeWebSocket(address, { headers: this.#headers });
		this.#socket = socket;
		let isOpen = false;
		const fail = (why: string): void => {
			if (socket !== this.#socket) return;
			const [next, ...rest] = others;
			if (!isOpen && next !== undefined && !this.#isClosed) this.#connect(next, rest);
			else this.#lose(why);
		};
		socket.addEventListener("open", () => {
			isOpen = true;
			clearTimeout(this.#opening);
			this.#protocol.begin();
		});
		socket.addEventListener("message", ({ data }) => this.#take(data));
		socket.addEventListener("error", (event) => fail((event as { message?: string }).message || "it failed"));
		socket.addEventListener("close", ({ code }) => fail(`it was closed (code ${code})`));
	}

	/** Listens no longer. */
	close(): void {
		if (this.#isClosed) return;
		this.#isClosed = true;
		clearTimeout(this.#opening);
		this.#guard(() => this.#protocol.end());
		this.#socket?.close();
	}

	#lose(why: string): void {
		if (this.#isClosed) return;
		this.close();
		this.#events.lost(why);
	}

	#take(data: unknown): void {
		if (this.#isClosed || typeof data !== "string" || data.length > MAX_MESSAGE_CHARACTERS) return;
		this.#guard(() => this.#protocol.take(objectIn(JSON.parse(data))));
	}

	/** Skips invalid messages. A message may contain anything, such as objects instead of text, or invalid times. */
	#guard(read: () => void): void {
		try {
			read();
		} catch {
			// The next message may be valid.
		}
	}

	#add(entry: BrowserEntry): void {
		const now = Date.now();
		if (entry.kind === "console") {
			if (entry.at !== null && !entry.isReplayed) this.#measure(now - entry.at);
			this.#events.entry(entry, this.#moment(entry.at, now), null);
			return;
		}
		if (entry.at !== null && entry.durationMs !== null) this.#measure(now - entry.at - entry.durationMs);
		const at = this.#moment(entry.at, now - (entry.durationMs ?? 0));
		this.#events.entry(entry, at, entry.durationMs ?? (entry.at === null ? null : now - at));
	}

	#measure(behindMs: number): void {
		this.#behindMs = Math.min(this.#behindMs, behindMs);
	}

	/** A moment of the browser's clock by this machine's. @param otherwise if it is unknown. */
	#moment(at: number | null, otherwise: number): number {
		if (at === null) return otherwise;
		const isDelay = this.#behindMs >= 0 && this.#behindMs <= MAX_DELAY_MS;
		return Math.min(Date.now(), isDelay || this.#behindMs === Number.POSITIVE_INFINITY ? at : at + this.#behindMs);
	}
}
