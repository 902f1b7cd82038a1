/**
 * Slows down whoever guesses passwords: per account, wherever the guesses come from, and per address, whatever
 * account they try. Only failures count. Kept in memory: a guess must not cost a database write, and nobody outside
 * can restart the process.
 */
import { createHash } from "node:crypto";
import { RateLimiterMemory, type RateLimiterRes } from "rate-limiter-flexible";

const WINDOW_SECONDS = 5 * 60;
export const FAILURES_PER_ACCOUNT = 10;
export const FAILURES_PER_ADDRESS = 50;

export class SignInThrottle {
	readonly #accounts = new RateLimiterMemory({ points: FAILURES_PER_ACCOUNT, duration: WINDOW_SECONDS });
	readonly #addresses = new RateLimiterMemory({ points: FAILURES_PER_ADDRESS, duration: WINDOW_SECONDS });

	/**
	 * Counts an attempt as failed before it is judged, so that a thousand at once do not all slip through.
	 * @returns null when it may go on, else the seconds to wait.
	 */
	async take(email: string, address: string | null): Promise<number | null> {
		try {
			await this.#addresses.consume(address ?? "unknown");
			await this.#accounts.consume(accountKey(email));
			return null;
		} catch (refusal) {
			return Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000));
		}
	}

	/** The password was right: this attempt was no failure, and the account's earlier ones are forgiven. */
	async succeeded(email: string, address: string | null): Promise<void> {
		await this.#addresses.reward(address ?? "unknown");
		await this.#accounts.delete(accountKey(email));
	}
}

/** As long as a hash, however long the e-mail is that a stranger sends. */
const accountKey = (email: string): string => createHash("sha256").update(email.trim().toLowerCase()).digest("base64");
