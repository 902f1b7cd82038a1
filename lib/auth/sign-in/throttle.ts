/**
 * Limits failed sign-ins, against password guessing: per account, wherever the guesses come from, and per address (for
 * IPv6, its /64), whichever accounts they try. With SQLite they are kept in memory: a guess must not cost a database write,
 * and nobody outside can restart the process. With PostgreSQL they are in the database, so that several dashboards count
 * together. Bursts from one address are limited by each dashboard, whatever they lead to.
 */
import { createHash } from "node:crypto";
import { CompiledQuery } from "kysely";
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from "rate-limiter-flexible";
import type { Database } from "#lib/core/context.ts";
import { networkOf } from "#lib/core/network-of.ts";
import { dialectOf } from "#lib/db/dialect.ts";

const WINDOW_SECONDS = 5 * 60;
export const FAILURES_PER_ACCOUNT = 10;
export const FAILURES_PER_ADDRESS = 50;
/** Counts correct passwords as well: each attempt costs a scrypt, or a row that waits for the answer of a provider. */
export const SIGN_INS_PER_BURST = 30;
const BURST_SECONDS = 10;

type Counter = RateLimiterMemory | RateLimiterPostgres;

function counterOf(db: Database, keyPrefix: string, points: number): Counter {
	const options = { keyPrefix, points, duration: WINDOW_SECONDS };
	if (dialectOf(db) === "sqlite") return new RateLimiterMemory(options);
	const query = ({ text, values = [] }: { text: string; values?: unknown[] }) =>
		db.executeQuery(CompiledQuery.raw(text, values));
	return new RateLimiterPostgres({
		...options,
		storeClient: { query },
		storeType: "client",
		// A migration creates the table.
		tableName: "rateLimit",
		tableCreated: true,
	});
}

export class SignInThrottle {
	readonly #accounts: Counter;
	readonly #addresses: Counter;
	readonly #bursts = new RateLimiterMemory({ points: SIGN_INS_PER_BURST, duration: BURST_SECONDS });

	constructor(db: Database) {
		this.#accounts = counterOf(db, "sign-ins of an account", FAILURES_PER_ACCOUNT);
		this.#addresses = counterOf(db, "sign-ins from an address", FAILURES_PER_ADDRESS);
	}

	/**
	 * Counts a sign-in of any kind, with a password or through a provider.
	 * @returns null when it may proceed, else the seconds to wait.
	 */
	begin(address: string | null): Promise<number | null> {
		return secondsToWait(() => this.#bursts.consume(networkOf(address)));
	}

	/**
	 * Counts an attempt as failed before the password is checked, so that a thousand parallel attempts do not slip
	 * through.
	 * @returns null when the attempt may proceed, else the seconds to wait.
	 */
	take(email: string, address: string | null): Promise<number | null> {
		return secondsToWait(async () => {
			await this.#addresses.consume(networkOf(address));
			await this.#accounts.consume(accountKey(email));
		});
	}

	/** Records that the password was right: uncounts this attempt and clears the account's earlier failures. */
	async succeeded(email: string, address: string | null): Promise<void> {
		await this.#addresses.reward(networkOf(address));
		await this.#accounts.delete(accountKey(email));
	}
}

/**
 * @param count consumes points of limiters.
 * @returns null if there were enough, else the seconds to wait.
 */
export async function secondsToWait(count: () => Promise<unknown>): Promise<number | null> {
	try {
		await count();
		return null;
	} catch (refusal) {
		if (refusal instanceof Error) throw refusal;
		return Math.max(1, Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000));
	}
}

/** Fixed length, however long the email that was sent. */
const accountKey = (email: string): string => createHash("sha256").update(email.trim().toLowerCase()).digest("base64");
