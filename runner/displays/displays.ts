/** The displays of this machine: found by their sockets, known by a connection that stays open. */

import { EventEmitter } from "node:events";
import { type FSWatcher, readdirSync, readFileSync, watch } from "node:fs";
import type { Display } from "#lib/contract/runner.ts";
import { type AllowedDisplays, displayNotAllowed } from "./allowed-displays.ts";
import { type DisplayName, displayIdOf, xNameOf } from "./display-name.ts";
import { type RunnerLog, wordsOf } from "../log.ts";
import { pause } from "../base/wait.ts";
import { openDisplay, type XConnection, XRefusedError } from "./x11-setup.ts";

const SOCKET_DIR = "/tmp/.X11-unix";
const POLL_MS = 2_000;

/** A display that can be recorded. */
export interface OpenDisplay extends Display {
	/** As ffmpeg takes it: `:99.0`, `host:99.0`. */
	xName: string;
}

interface Known {
	name: DisplayName;
	connection: XConnection | null;
	width: number;
	height: number;
	opening: boolean;
	/** Why it is there and cannot be recorded, in a sentence with the remedy. */
	refusal: string | null;
	/** performance.now() before which it is not tried again. */
	retryAt: number;
}

export class Displays extends EventEmitter<{ changed: [] }> {
	readonly #known = new Map<string, Known>();
	readonly #fixed: DisplayName | null;
	readonly #allowed: AllowedDisplays;
	readonly #xauthority: string;
	readonly #log: RunnerLog;
	#timer: NodeJS.Timeout | undefined;
	#watcher: FSWatcher | null = null;
	#closed = false;

	/**
	 * @param fixed what DISPLAY says; with a host, it hides a local display of the same number.
	 * @param allowed no other one is opened, listed or waited for.
	 */
	constructor(fixed: DisplayName | null, xauthority: string, log: RunnerLog, allowed: AllowedDisplays) {
		super();
		this.setMaxListeners(0);
		this.#allowed = allowed;
		this.#fixed = fixed !== null && allowed.has(fixed) ? fixed : null;
		if (fixed !== null && this.#fixed === null) {
			log.warn(`DISPLAY names ${xNameOf(fixed)}, which TAPEDECK_DISPLAY_ALLOW does not have: it is not served.`);
		}
		this.#xauthority = xauthority;
		this.#log = log;
	}

	/** Looks once, waits for what is found to open, and keeps looking. */
	async start(): Promise<void> {
		await this.#scan();
		this.#timer = setInterval(() => void this.#scan(), POLL_MS);
		if (this.list().length === 0 && this.#fixed === null) {
			const none = this.#allowed.words === null ? "No X display" : "No X display that TAPEDECK_DISPLAY_ALLOW has";
			this.#log.warn(`${none} is there yet; start one (such as Xvfb :99) or set DISPLAY. Looking for it.`);
		} else if (this.#fixed !== null && this.get(displayIdOf(this.#fixed)) === undefined) {
			this.#log.warn(`Display ${xNameOf(this.#fixed)} (DISPLAY) is not there yet; start it. Looking for it.`);
		}
	}

	/** What TAPEDECK_DISPLAY_ALLOW says; null when every display is served. */
	get allowed(): readonly string[] | null {
		return this.#allowed.words;
	}

	/** Those that can be recorded, by number. */
	list(): OpenDisplay[] {
		return [...this.#known.entries()]
			.filter(([, known]) => known.connection?.unrecordable === null)
			.map(([id, known]) => ({ id, width: known.width, height: known.height, xName: xNameOf(known.name) }))
			.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
	}

	get(id: string): OpenDisplay | undefined {
		return this.list().find((display) => display.id === id);
	}

	/** Why a display is not to be had, allowed or not, as one sentence; null when nothing such is known. */
	refusalOf(id: string): string | null {
		return this.notAllowed(id) ?? this.#known.get(id)?.refusal ?? null;
	}

	/** That a display must not be served, as one sentence; null when it may. */
	notAllowed(id: string): string | null {
		if (this.#fixed !== null && displayIdOf(this.#fixed) === id) return null;
		const local = { host: null, number: Number(id.slice(1)), screen: 0 };
		return this.#allowed.has(local) ? null : displayNotAllowed(local);
	}

	/** Displays that are there and cannot be opened or recorded, with the sentence that says why, by number. */
	refused(): { id: string; problem: string }[] {
		return [...this.#known.entries()]
			.flatMap(([id, { refusal }]) => (refusal === null ? [] : [{ id, problem: refusal }]))
			.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
	}

	/** Waits for a display. @returns undefined when it did not come within `ms` or the signal said enough. */
	async waitFor(id: string, ms: number, signal?: AbortSignal): Promise<OpenDisplay | undefined> {
		const deadline = performance.now() + ms;
		for (;;) {
			const found = this.get(id);
			if (found || signal?.aborted || performance.now() >= deadline || this.notAllowed(id) !== null) return found;
			// It will not become another server by waiting.
			if (this.#known.get(id)?.connection) return undefined;
			await this.#scan(true);
			if (!this.get(id)) await pause(Math.min(250, Math.max(0, deadline - performance.now())), signal);
		}
	}

	close(): void {
		this.#closed = true;
		clearInterval(this.#timer);
		this.#watcher?.close();
		for (const known of this.#known.values()) known.connection?.close();
		this.#known.clear();
	}

	#watchFolder(): void {
		if (this.#watcher !== null || this.#closed) return;
		try {
			this.#watcher = watch(SOCKET_DIR, { persistent: false }, () => void this.#scan(true));
			this.#watcher.on("error", () => {
				this.#watcher?.close();
				this.#watcher = null;
			});
		} catch {
			this.#watcher = null; // The folder comes with the first display; the poll finds it.
		}
	}

	async #scan(eager = false): Promise<void> {
		if (this.#closed) return;
		this.#watchFolder();
		const sockets = localSockets();
		const wanted = new Map<string, DisplayName>();
		for (const number of sockets.keys()) {
			const name = { host: null, number, screen: 0 };
			if (this.#allowed.has(name)) wanted.set(`:${number}`, name);
		}
		if (this.#fixed !== null) {
			const id = displayIdOf(this.#fixed);
			if (this.#fixed.host !== null && wanted.has(id) && !this.#known.has(id)) {
				this.#log.warn(
					`DISPLAY names ${xNameOf(this.#fixed)}, which hides this machine's own display ${id}; ` +
						`unset DISPLAY or give the other one another number to record both.`,
				);
			}
			wanted.set(id, this.#fixed);
		}
		for (const [id, known] of this.#known) {
			if (!wanted.has(id) && known.connection === null && !known.opening) this.#known.delete(id);
		}
		const openings: Promise<void>[] = [];
		for (const [id, name] of wanted) {
			const known = this.#known.get(id) ?? newlyKnown(name);
			this.#known.set(id, known);
			const due = eager || performance.now() >= known.retryAt;
			if (known.connection === null && !known.opening && due) {
				openings.push(this.#open(id, known, sockets.get(name.number) === "abstract"));
			}
		}
		await Promise.all(openings);
	}

	async #open(id: string, known: Known, abstract: boolean): Promise<void> {
		known.opening = true;
		try {
			const connection = await openDisplay(
				known.name,
				{ xauthority: this.#xauthority, abstract },
				{
					resized: (width, height) => {
						if (known.width === width && known.height === height) return;
						Object.assign(known, { width, height });
						this.#log.info(`Display ${id} is ${width}x${height} now.`);
						this.emit("changed");
					},
					closed: (silent) => {
						const unrecordable = known.connection?.unrecordable ?? null;
						known.connection = null;
						if (this.#closed) return;
						// What comes back there may be another server.
						if (unrecordable !== null) known.refusal = null;
						this.#log.info(silent ? `Display ${id} does not answer any more.` : `Display ${id} went away.`);
						this.emit("changed");
					},
				},
			);
			if (this.#closed) return connection.close();
			const { width, height, unrecordable } = connection;
			Object.assign(known, { connection, width, height });
			if (unrecordable !== null) return this.#refuse(known, `Display ${id} ${unrecordable}`);
			known.refusal = null;
			this.#log.info(`Display ${id} is there, ${width}x${height}.`);
			this.emit("changed");
		} catch (error) {
			known.retryAt = performance.now() + (error instanceof XRefusedError ? 10_000 : POLL_MS);
			if (!(error instanceof XRefusedError)) return;
			const words = wordsOf(error).replace(/\.$/, "");
			this.#refuse(
				known,
				`Display ${id} refuses the runner (${words}); ` +
					"set XAUTHORITY to the authority file of that display's user, or allow it with xhost.",
			);
		} finally {
			known.opening = false;
		}
	}

	/** Says a sentence once. */
	#refuse(known: Known, sentence: string): void {
		if (known.refusal !== sentence) this.#log.warn(sentence);
		known.refusal = sentence;
	}
}

const newlyKnown = (name: DisplayName): Known => ({
	name,
	connection: null,
	width: 0,
	height: 0,
	opening: false,
	refusal: null,
	retryAt: 0,
});

/** Numbers of the local displays that have a socket, and of which kind. */
function localSockets(): Map<number, "file" | "abstract"> {
	const found = new Map<number, "file" | "abstract">();
	try {
		const table = readFileSync("/proc/net/unix", "latin1");
		for (const match of table.matchAll(/@\/tmp\/\.X11-unix\/X(\d{1,5})$/gm)) found.set(Number(match[1]), "abstract");
	} catch {
		// Without /proc only the socket files are found.
	}
	try {
		for (const name of readdirSync(SOCKET_DIR)) {
			if (/^X\d{1,5}$/.test(name)) found.set(Number(name.slice(1)), "file");
		}
	} catch {
		// No folder: no display has been there yet.
	}
	return found;
}
