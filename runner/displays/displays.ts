/** The displays of this machine: discovered by their sockets, watched by a connection that stays open. */

import { EventEmitter } from "node:events";
import { type FSWatcher, readdirSync, readFileSync, watch } from "node:fs";
import type { Display } from "@tapedeck/contract/runner.ts";
import { errorMessage, type Fault, messageOf } from "../base/fault.ts";
import { type RunnerLog, silentLog } from "../base/log.ts";
import { pause } from "../base/wait.ts";
import { type AllowedDisplays, type DisplayFault, displayNotAllowed } from "./allowed-displays.ts";
import { type DisplayName, displayIdOf, xNameOf } from "./display-name.ts";
import { refusalOf } from "./x11-refusal.ts";
import { openDisplay, type XConnection, XRefusedError } from "./x11-setup.ts";
import type { XRequests } from "./x11-windows.ts";

const SOCKET_DIR = "/tmp/.X11-unix";
const POLL_MS = 2_000;

/** A display that can be recorded, of this machine or of another one. */
export interface OpenDisplay extends Display {
	/** The name for X programs: `:99.0`, `host:99.0`. */
	xName: string;
}

export interface RecordableDisplay extends OpenDisplay {
	/** Whether a pixel of its pictures is four bytes: blue, green, red and one without meaning. */
	isBgrx: boolean;
}

/** The displays of a machine, as commands show them. */
export interface DisplayList {
	displays: OpenDisplay[];
	/** Displays that exist but can't be recorded. */
	refused: ({ id: string } & Fault)[];
	/** The value of TAPEDECK_DISPLAY_ALLOW; null when every display is allowed. */
	allowed: readonly string[] | null;
}

interface Known {
	name: DisplayName;
	connection: XConnection | null;
	width: number;
	height: number;
	opening: boolean;
	/** Why it can't be recorded although it exists. */
	refusal: DisplayFault | null;
	/** performance.now() before which it is not opened again. */
	retryAt: number;
}

export class Displays extends EventEmitter<{ changed: [] }> {
	readonly #known = new Map<string, Known>();
	readonly #fixed: DisplayName | null;
	readonly #allowed: AllowedDisplays;
	readonly #xauthority: string;
	readonly #log: RunnerLog;
	/** Virtual displays of this runner, which only their owners know. */
	readonly #unlisted = new Set<string>();
	/** Virtual displays that are being started: their numbers are not known yet. */
	#starting = 0;
	/** The displays that commands record, with their number; null when all are offered. */
	readonly #offers: Map<string, number> | null;
	#timer: NodeJS.Timeout | undefined;
	#watcher: FSWatcher | null = null;
	#closed = false;

	/**
	 * @param fixed the value of DISPLAY; with a host, it hides a local display of the same number.
	 * @param allowed other displays are never opened, listed or waited for.
	 * @param options.onlyOffered the same for all displays but those of `offer`.
	 */
	constructor(
		fixed: DisplayName | null,
		xauthority: string,
		log: RunnerLog,
		allowed: AllowedDisplays,
		{ onlyOffered = false } = {},
	) {
		super();
		this.#offers = onlyOffered ? new Map() : null;
		this.setMaxListeners(0);
		this.#allowed = allowed;
		this.#fixed = fixed !== null && allowed.has(fixed) ? fixed : null;
		if (fixed !== null && this.#fixed === null) {
			log.warn(`DISPLAY is ${xNameOf(fixed)}, which is not in TAPEDECK_DISPLAY_ALLOW: it can't be recorded.`);
		}
		this.#xauthority = xauthority;
		this.#log = log;
	}

	/** Scans once, waits until the displays found are open, and keeps scanning. */
	async start(): Promise<void> {
		await this.#scan();
		this.#timer = setInterval(() => void this.#scan(), POLL_MS);
		if (this.#offers !== null) return;
		if (this.list().length === 0 && this.#fixed === null) {
			const which = this.#allowed.entries === null ? "" : " that is in TAPEDECK_DISPLAY_ALLOW";
			this.#log.warn(`No X display${which} found yet; start one (such as Xvfb :99) or set DISPLAY. Waiting for it.`);
		} else if (this.#fixed !== null && this.get(displayIdOf(this.#fixed)) === undefined) {
			this.#log.warn(`Display ${xNameOf(this.#fixed)} (DISPLAY) not found yet; start it. Waiting for it.`);
		}
	}

	/** Offers a display for as long as a command needs it, where only such displays are offered. @returns withdraws it. */
	offer(id: string): () => void {
		const offers = this.#offers;
		if (offers === null) return () => undefined;
		offers.set(id, (offers.get(id) ?? 0) + 1);
		return () => {
			const left = (offers.get(id) ?? 1) - 1;
			if (left > 0) return void offers.set(id, left);
			offers.delete(id);
			this.#known.get(id)?.connection?.close();
			if (this.#known.delete(id)) this.emit("changed");
		};
	}

	/**
	 * Starts a virtual display. It is found by its id until it ends, but not listed, so that nothing else takes it for a
	 * display of the machine.
	 */
	async startUnlisted<D extends { id: string; ended: Promise<void> }>(start: () => Promise<D>): Promise<D> {
		this.#starting += 1;
		try {
			const display = await start();
			const { id } = display;
			this.#unlisted.add(id);
			void display.ended.then(() => {
				this.#known.get(id)?.connection?.close();
				this.#known.delete(id);
				this.#unlisted.delete(id);
			});
			return display;
		} finally {
			this.#starting -= 1;
		}
	}

	#isOffered(id: string): boolean {
		return this.#offers === null || this.#offers.has(id);
	}

	/** The value of TAPEDECK_DISPLAY_ALLOW; null when every display is allowed. */
	get allowed(): readonly string[] | null {
		return this.#allowed.entries;
	}

	/** Displays that can be recorded, by number. */
	list(): OpenDisplay[] {
		return this.#recordable().filter(({ id }) => !this.#unlisted.has(id));
	}

	#recordable(): OpenDisplay[] {
		return [...this.#known.entries()]
			.filter(([, known]) => known.connection?.unrecordable === null)
			.map(([id, known]) => ({ id, width: known.width, height: known.height, xName: xNameOf(known.name) }))
			.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
	}

	get(id: string): OpenDisplay | undefined {
		return this.#recordable().find((display) => display.id === id);
	}

	/** Whether a pixel of its pictures is four bytes: blue, green, red and one without meaning. */
	isBgrx(id: string): boolean {
		return this.#known.get(id)?.connection?.isBgrx ?? false;
	}

	/** For requests to a display; null when it is not there. */
	requests(id: string): XRequests | null {
		return this.#known.get(id)?.connection ?? null;
	}

	/** Whether a display that was found is one of this machine. */
	isLocal(id: string): boolean {
		return this.#known.get(id)?.name.host === null;
	}

	/** Why a display can't be recorded, as far as that is known; otherwise null. */
	refusalOf(id: string): DisplayFault | null {
		return this.notAllowed(id) ?? this.#known.get(id)?.refusal ?? null;
	}

	/** The fault of a display that may not be recorded; null when it may. */
	notAllowed(id: string): DisplayFault | null {
		if (this.#unlisted.has(id) || (this.#fixed !== null && displayIdOf(this.#fixed) === id)) return null;
		const local = { host: null, number: Number(id.slice(1)), screen: 0 };
		return this.#allowed.has(local) ? null : displayNotAllowed(local);
	}

	/** The fault of a display that doesn't exist. @param happened rest of the sentence, such as "was not found". */
	notFound(id: string, happened = "was not found"): DisplayFault {
		const others = this.list().map((display) => display.id);
		return {
			code: "display_unavailable",
			what: `Display ${id} ${happened}`,
			remedy: [
				"start it",
				...(others.length === 0 ? [] : [`or use ${others.length === 1 ? "" : "one of "}${others.join(", ")}`]),
			].join(", "),
		};
	}

	/** Displays that exist but can't be opened or recorded, with the reason, by number. */
	refused(): DisplayList["refused"] {
		return [...this.#known.entries()]
			.flatMap(([id, { refusal }]) => (refusal === null ? [] : [{ id, ...refusal }]))
			.sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)));
	}

	/** Waits for a display. @returns undefined when it did not appear within `ms`, or when the signal is aborted. */
	async waitFor(id: string, ms: number, signal?: AbortSignal): Promise<OpenDisplay | undefined> {
		const deadline = performance.now() + ms;
		for (;;) {
			const found = this.get(id);
			if (found || signal?.aborted || performance.now() >= deadline || this.notAllowed(id) !== null) return found;
			// It exists but can't be recorded, so waiting is pointless.
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
			this.#watcher = null; // The first display creates the folder; polling finds it.
		}
	}

	async #scan(eager = false): Promise<void> {
		if (this.#closed) return;
		this.#watchFolder();
		const sockets = localSockets();
		const wanted = new Map<string, DisplayName>();
		for (const number of sockets.keys()) {
			const name = { host: null, number, screen: 0 };
			const id = `:${number}`;
			const isUnlisted = this.#unlisted.has(id);
			// It may be the one that is being started.
			if (this.#starting > 0 && !isUnlisted && !this.#known.has(id)) continue;
			if (isUnlisted || (this.#allowed.has(name) && this.#isOffered(id))) wanted.set(id, name);
		}
		const isHidden = this.#fixed !== null && this.#unlisted.has(displayIdOf(this.#fixed));
		if (this.#fixed !== null && !isHidden && this.#isOffered(displayIdOf(this.#fixed))) {
			const id = displayIdOf(this.#fixed);
			if (this.#fixed.host !== null && wanted.has(id) && !this.#known.has(id)) {
				this.#log.warn(
					`DISPLAY is ${xNameOf(this.#fixed)}, which hides this machine's own display ${id}; ` +
						`unset DISPLAY, or give one of the two another number to record both.`,
				);
			}
			wanted.set(id, this.#fixed);
		}
		for (const [id, known] of this.#known) {
			if (!wanted.has(id) && known.connection === null && !known.opening) this.#known.delete(id);
		}
		const openings: Promise<void>[] = [];
		for (const [id, name] of wanted) {
			const known = this.#known.get(id) ?? newDisplay(name);
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
						this.#log.info(`Display ${id} is now ${width}x${height}.`);
						this.emit("changed");
					},
					closed: (silent) => {
						const unrecordable = known.connection?.unrecordable ?? null;
						known.connection = null;
						if (this.#closed) return;
						// The next display with this number may be another server.
						if (unrecordable !== null) known.refusal = null;
						this.#log.info(silent ? `Display ${id} no longer responds.` : `Display ${id} disappeared.`);
						this.emit("changed");
					},
				},
			);
			if (this.#closed || this.#known.get(id) !== known) return connection.close();
			const { width, height, unrecordable } = connection;
			Object.assign(known, { connection, width, height });
			if (unrecordable !== null) {
				const { what, remedy } = unrecordable;
				return this.#refuse(known, { code: "display_unavailable", what: `Display ${id} ${what}`, remedy });
			}
			known.refusal = null;
			this.#log.info(`Display ${id} found, ${width}x${height}.`);
			this.emit("changed");
		} catch (error) {
			known.retryAt = performance.now() + (error instanceof XRefusedError ? 10_000 : POLL_MS);
			if (!(error instanceof XRefusedError)) {
				// Nobody is there who could refuse.
				if (["ENOENT", "ECONNREFUSED"].includes((error as NodeJS.ErrnoException).code ?? "")) known.refusal = null;
				return;
			}
			const { what, remedy } = refusalOf(errorMessage(error).replace(/\.$/, ""));
			this.#refuse(known, { code: "display_unavailable", what: `Display ${id} ${what}`, remedy });
		} finally {
			known.opening = false;
		}
	}

	/** Logs the same fault only once. */
	#refuse(known: Known, fault: DisplayFault): void {
		const message = messageOf(fault);
		if (known.refusal === null || messageOf(known.refusal) !== message) this.#log.warn(message);
		known.refusal = fault;
	}
}

const newDisplay = (name: DisplayName): Known => ({
	name,
	connection: null,
	width: 0,
	height: 0,
	opening: false,
	refusal: null,
	retryAt: 0,
});

/** Opens every allowed display once. @param fixed the value of DISPLAY. */
export async function listDisplays(
	fixed: DisplayName | null,
	xauthority: string,
	allowed: AllowedDisplays,
): Promise<DisplayList> {
	const displays = new Displays(fixed, xauthority, silentLog, allowed);
	try {
		await displays.start();
		return { displays: displays.list(), refused: displays.refused(), allowed: allowed.entries };
	} finally {
		displays.close();
	}
}

/** Opens a display once. @param name the value of DISPLAY. @returns null when it can't be recorded. */
export async function openOnce(
	id: string,
	name: DisplayName | null,
	xauthority: string,
	allowed: AllowedDisplays,
): Promise<RecordableDisplay | null> {
	const displays = new Displays(name, xauthority, silentLog, allowed);
	try {
		await displays.start();
		const display = displays.get(id);
		return display === undefined ? null : { ...display, isBgrx: displays.isBgrx(id) };
	} finally {
		displays.close();
	}
}

/** Numbers of the local displays that have a socket, and the kind of the socket. */
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
		// No folder: there has been no display yet.
	}
	return found;
}
