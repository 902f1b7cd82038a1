/**
 * What displays show right now, for those who look: kept in this process's memory for a minute, never on disk.
 *
 * The dashboard never calls a runner. Somebody who looks makes a wish; the wish goes out with the answer of the
 * runner's long poll, and the picture comes back by a call of the runner's own. Many who look share one wish.
 */

/** A picture that came within this time is shown again instead of wishing for another. */
const FRESH_MS = 1_500;
/** A wish whose answer was lost on its way goes out again after this time, while somebody still waits. */
const RETRY_MS = 1_200;
const KEPT_MS = 60_000;
/** So many pictures are kept at most; the oldest goes first. Each is at most MAX_PICTURE_BYTES. */
const MAX_PICTURES = 500;
export const MAX_PICTURE_BYTES = 256 * 1024;

export type DisplayPicture = { jpeg: Buffer; ageMs: number };

type Kept = { jpeg: Buffer; takenAt: number; timer: NodeJS.Timeout };
type Wish = { displayId: string; waiting: number; toldAt: number | null; came: PromiseWithResolvers<void> };

const keyOf = (runnerId: number, displayId: string): string => `${runnerId} ${displayId}`;

export class DisplayPictures {
	/** By runner and display, the one that came last at the end. */
	readonly #kept = new Map<string, Kept>();
	readonly #wishes = new Map<number, Map<string, Wish>>();

	/**
	 * The newest picture of a display, fresh if one comes within `waitMs`, else the last one there is.
	 *
	 * @param wake tells the runner's long poll that there is a wish.
	 * @param signal the caller went away, or the server stops.
	 * @returns null when there is none of the last minute.
	 */
	async look(
		runnerId: number,
		displayId: string,
		options: { waitMs: number; wake: () => void; signal: AbortSignal },
	): Promise<DisplayPicture | null> {
		const known = this.#newest(runnerId, displayId);
		if (known !== null && known.ageMs <= FRESH_MS) return known;
		const wish = this.#wish(runnerId, displayId);
		const over = AbortSignal.any([options.signal, AbortSignal.timeout(options.waitMs)]);
		const gaveUp = Promise.withResolvers<void>();
		over.addEventListener("abort", () => gaveUp.resolve(), { once: true });
		if (over.aborted) gaveUp.resolve();
		const again = setInterval(options.wake, RETRY_MS);
		wish.waiting += 1;
		options.wake();
		await Promise.race([wish.came.promise, gaveUp.promise]);
		clearInterval(again);
		wish.waiting -= 1;
		if (wish.waiting === 0) this.#forgetWish(runnerId, wish);
		return this.#newest(runnerId, displayId);
	}

	/** The displays that this runner is to show now. Each is told once, and again when nothing came of it. */
	takeWishes(runnerId: number): string[] {
		const now = performance.now();
		const due = [...(this.#wishes.get(runnerId)?.values() ?? [])].filter(
			({ toldAt }) => toldAt === null || now - toldAt > RETRY_MS / 2,
		);
		for (const wish of due) wish.toldAt = now;
		return due.map(({ displayId }) => displayId);
	}

	/** Keeps the picture that a runner took `ageMs` ago, in place of the one before. */
	keep(runnerId: number, displayId: string, picture: DisplayPicture): void {
		const key = keyOf(runnerId, displayId);
		this.#drop(key);
		const timer = setTimeout(() => this.#drop(key), KEPT_MS).unref();
		this.#kept.set(key, { jpeg: picture.jpeg, takenAt: performance.now() - picture.ageMs, timer });
		const oldest = this.#kept.keys().next().value;
		if (this.#kept.size > MAX_PICTURES && oldest !== undefined) this.#drop(oldest);
		const wish = this.#wishes.get(runnerId)?.get(displayId);
		if (wish === undefined) return;
		this.#forgetWish(runnerId, wish);
		wish.came.resolve();
	}

	#newest(runnerId: number, displayId: string): DisplayPicture | null {
		const kept = this.#kept.get(keyOf(runnerId, displayId));
		return kept === undefined ? null : { jpeg: kept.jpeg, ageMs: performance.now() - kept.takenAt };
	}

	#drop(key: string): void {
		clearTimeout(this.#kept.get(key)?.timer);
		this.#kept.delete(key);
	}

	#wish(runnerId: number, displayId: string): Wish {
		const wishes = this.#wishes.get(runnerId) ?? new Map<string, Wish>();
		this.#wishes.set(runnerId, wishes);
		const wish = wishes.get(displayId) ?? { displayId, waiting: 0, toldAt: null, came: Promise.withResolvers() };
		wishes.set(displayId, wish);
		return wish;
	}

	#forgetWish(runnerId: number, wish: Wish): void {
		const wishes = this.#wishes.get(runnerId);
		if (wishes?.get(wish.displayId) !== wish) return;
		wishes.delete(wish.displayId);
		if (wishes.size === 0) this.#wishes.delete(runnerId);
	}
}
