/** What the player remembers from one video to the next, in this browser. */

export const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8, 16] as const;
/** What the player's clock shows: how far it is, how much is left, or what time it was. */
export const CLOCKS = ["elapsed", "remaining", "time"] as const;
export type PlayerClock = (typeof CLOCKS)[number];

const SPEED_KEY = "tapedeck.player.speed";
const CLOCK_KEY = "tapedeck.player.clock";

export const rememberedSpeed = (): number => SPEEDS.find((speed) => String(speed) === read(SPEED_KEY)) ?? 1;
export const rememberSpeed = (speed: number): void => write(SPEED_KEY, String(speed));
export const rememberedClock = (): PlayerClock => CLOCKS.find((clock) => clock === read(CLOCK_KEY)) ?? "elapsed";
export const rememberClock = (clock: PlayerClock): void => write(CLOCK_KEY, clock);

function read(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

function write(key: string, value: string): void {
	try {
		localStorage.setItem(key, value);
	} catch {
		// A browser that keeps nothing: the next video starts afresh.
	}
}
