/**
 * Slows down password guessing: per account, wherever the guesses come from, and per address, whichever accounts they
 * try. Only failures count. Kept in memory: a guess must not cost a database write, and nobody outside can restart the
 * process.
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
	 * Counts an attempt as failed before the password is checked, so that a thousand parallel attempts do not slip
	 * through.
	 * @returns null when the attempt may proceed, else the seconds to wait.
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

	/** Records that the password was right: uncounts this attempt and clears the account's earlier failures. */
	async succeeded(email: string, address: string | null): Promise<void> {
		await this.#addresses.reward(address ?? "unknown");
		await this.#accounts.delete(accountKey(email));
	}
}

/** Fixed length, however long the email that was sent. */
const accountKey = (email: string): string => createHash("sha256").update(email.trim().toLowerCase()).digest("base64");
