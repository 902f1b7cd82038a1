/** Preferences of the player that this browser keeps from one video to the next. */
import { readStored, store } from "#lib/client/browser-storage.ts";

export const SPEEDS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, 8, 16] as const;
/** The modes of the player's clock: the position, the remaining time, or the time of day. */
export const CLOCKS = ["elapsed", "remaining", "time"] as const;
export type ClockMode = (typeof CLOCKS)[number];

const SPEED_KEY = "tapedeck.player.speed";
const CLOCK_KEY = "tapedeck.player.clock";

export const savedSpeed = (): number => SPEEDS.find((speed) => String(speed) === readStored(SPEED_KEY)) ?? 1;
export const saveSpeed = (speed: number): void => store(SPEED_KEY, String(speed));
export const savedClock = (): ClockMode => CLOCKS.find((clock) => clock === readStored(CLOCK_KEY)) ?? "elapsed";
export const saveClock = (clock: ClockMode): void => store(CLOCK_KEY, clock);
