/** The virtual displays that a runner makes: as many at a time as its operator allows. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import type { NewDisplay } from "@tapedeck/contract/new-display.ts";
import type { RunnerLog } from "../base/log.ts";
import type { Displays } from "./displays.ts";
import { type DisplayMode, NoDisplayError, startVirtualDisplay, type VirtualDisplay } from "./virtual-display.ts";

export interface VirtualDisplaySettings {
	/** The number that may exist at a time; 0 for none. */
	maximum: number;
	/** The mode of those for which no size is asked. */
	mode: DisplayMode;
}

export class VirtualDisplays {
	/** The number that it can make at a time. */
	readonly maximum: number;
	readonly #mode: DisplayMode;
	readonly #displays: Displays;
	readonly #env: NodeJS.ProcessEnv;
	/** Those that are being started count, too. */
	#used = 0;
	readonly #open = new Set<VirtualDisplay>();

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
		if (this.maximum === 0) {
			throw new NoDisplayError("This runner makes no virtual displays", "set TAPEDECK_VIRTUAL_DISPLAYS, such as to 8");
		}
		if (this.#used >= this.maximum) {
			throw new NoDisplayError(
				`All ${this.maximum} virtual displays of this runner are in use`,
				"wait until one has ended, or set TAPEDECK_VIRTUAL_DISPLAYS to more",
			);
		}
		this.#used += 1;
		try {
			const start = () => startVirtualDisplay({ ...this.#mode, ...size }, this.#env);
			const display = await this.#displays.startUnlisted(start);
			this.#open.add(display);
			// One that is ending no longer counts: the job after it may be here already.
			const release = () => {
				if (this.#open.delete(display)) this.#used -= 1;
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
			this.#used -= 1;
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
