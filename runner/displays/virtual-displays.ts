/** The virtual displays that a runner makes, for jobs and for programs of its machine: as many at a time as its operator allows. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { NewDisplay } from "@tapedeck/contract/new-display.ts";
import type { RunnerLog } from "../base/log.ts";
import { aborted } from "../base/wait.ts";
import type { Displays } from "./displays.ts";
import { type DisplayMode, NoDisplayError, startVirtualDisplay, type VirtualDisplay } from "./virtual-display.ts";

export interface VirtualDisplaySettings {
	/** The number that may exist at a time; 0 for none. */
	maximum: number;
	/** The mode of those for which no size is asked. */
	mode: DisplayMode;
}

interface Borrower {
	/** Aborted when the program no longer needs a display. */
	gone: AbortSignal;
	/** Called once, with a sentence, if the program has to wait for a display. */
	waits(sentence: string): void;
}

export class VirtualDisplays {
	/** The number that it can make at a time. */
	readonly maximum: number;
	readonly #mode: DisplayMode;
	readonly #displays: Displays;
	readonly #env: NodeJS.ProcessEnv;
	/** Includes displays that are being started. */
	#used = 0;
	readonly #open = new Set<VirtualDisplay>();
	/** Displays of programs, including those that are being started. */
	#lent = 0;
	/** Programs that wait for a display, in the order in which they asked. */
	readonly #waiting: (() => void)[] = [];
	/** Called when the number of lent displays has changed. */
	onLent: () => void = () => undefined;

	/** @param env environment of Xvfb, with the PATH where it is. */
	constructor({ maximum, mode }: VirtualDisplaySettings, displays: Displays, env: NodeJS.ProcessEnv, log: RunnerLog) {
		const isPossible = maximum === 0 || hasXvfb(env);
		if (!isPossible) {
			log.warn(
				`TAPEDECK_VIRTUAL_DISPLAYS is ${maximum}, but Xvfb is not installed, so this runner makes no displays. Install it, for example with: apt-get install xvfb.`,
			);
		}
		this.maximum = isPossible ? maximum : 0;
		this.#mode = mode;
		this.#displays = displays;
		this.#env = env;
	}

	/** Makes a display, which is listed nowhere: it is its owner's alone. @throws NoDisplayError. */
	async make(size: NewDisplay | null): Promise<VirtualDisplay> {
		this.#assertPossible();
		if (this.free === 0) {
			throw new NoDisplayError(
				`All ${this.maximum} virtual displays of this runner are in use`,
				"wait until one has ended, or set TAPEDECK_VIRTUAL_DISPLAYS to more",
			);
		}
		this.#used += 1;
		return this.#start({ ...this.#mode, ...size }, () => undefined);
	}

	/** The number that can be made now. */
	get free(): number {
		return this.maximum - this.#used;
	}

	/** The number that programs of this machine have. */
	get lent(): number {
		return this.#lent;
	}

	/**
	 * Makes a display for a program, as soon as there is one for it. It ends when the caller stops it.
	 * @returns null if the program was gone first. @throws NoDisplayError.
	 */
	async lend(mode: Partial<DisplayMode>, { gone, waits }: Borrower): Promise<VirtualDisplay | null> {
		this.#assertPossible();
		if (this.free === 0 || this.#waiting.length > 0) {
			waits(`Waiting: all ${this.maximum} virtual displays of this runner are in use.`);
			const { promise, resolve } = Promise.withResolvers<void>();
			// The display that has become free is counted before anything else can take it.
			const take = () => {
				this.#countLent();
				resolve();
			};
			this.#waiting.push(take);
			await Promise.race([promise, aborted(gone)]);
			const place = this.#waiting.indexOf(take);
			if (place !== -1) {
				this.#waiting.splice(place, 1);
				return null;
			}
		} else this.#countLent();
		const returned = () => {
			this.#lent -= 1;
			this.onLent();
		};
		const display = await this.#start({ ...this.#mode, ...mode }, returned);
		if (!gone.aborted) return display;
		await display.stop();
		return null;
	}

	#countLent(): void {
		this.#used += 1;
		this.#lent += 1;
		this.onLent();
	}

	#assertPossible(): void {
		if (this.maximum === 0) {
			throw new NoDisplayError("This runner makes no virtual displays", "set TAPEDECK_VIRTUAL_DISPLAYS, such as to 8");
		}
	}

	/** Starts a display that is counted already. @param returned called when it no longer counts. */
	async #start(mode: DisplayMode, returned: () => void): Promise<VirtualDisplay> {
		const uncount = () => {
			this.#used -= 1;
			returned();
			this.#waiting.shift()?.();
		};
		try {
			const start = () => startVirtualDisplay(mode, this.#env);
			const display = await this.#displays.startUnlisted(start);
			this.#open.add(display);
			// One that is ending no longer counts: the job after it may be here already.
			const release = () => {
				if (this.#open.delete(display)) uncount();
			};
			void display.ended.then(release);
			return {
				...display,
				stop: () => {
					release();
					return display.stop();
				},
			};
		} catch (error) {
			uncount();
			throw error;
		}
	}

	/** Ends all of them. */
	async close(): Promise<void> {
		await Promise.all([...this.#open].map((display) => display.stop()));
	}
}

function hasXvfb({ PATH = "" }: NodeJS.ProcessEnv): boolean {
	return PATH.split(":").some((folder) => {
		try {
			accessSync(join(folder, "Xvfb"), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}
