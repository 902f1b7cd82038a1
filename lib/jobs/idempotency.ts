/** `Idempotency-Key`: for 24 hours, the same key with the same body returns the original response. */
import type { Job } from "@tapedeck/contract/job.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";

const KEPT_MS = 24 * 60 * 60 * 1_000;
/** Rows deleted per statement, so that a sweep never holds the database for long. */
const SWEEP_BATCH = 1_000;

/** `body` is JSON and may hold a password, so only a keyed hash of it is stored. */
interface IdempotentCall {
	key: string;
	body: string;
}

/**
 * Runs `create` in a transaction, once per key and organization. Of concurrent calls with one key, one creates the
 * job; the others roll back and return its response.
 *
 * @param call null creates without a key.
 * @throws conflict if the key was used with a different body.
 */
export async function createOnce(
	ctx: Context,
	call: IdempotentCall | null,
	create: (ctx: Context) => Promise<Job>,
): Promise<{ job: Job; isNew: boolean }> {
	// Rolls back the job of a call whose key a concurrent call has stored. The next attempt finds that call's response.
	const taken = new TapedeckError("conflict", "Another call with this Idempotency-Key is in progress. Try again.");
	const attempt = () =>
		inTransaction(ctx, async (ctx) => {
			const earlier = call === null ? null : await earlierAnswer(ctx, call);
			if (earlier !== null) return { job: earlier, isNew: false };
			const job = await create(ctx);
			if (call === null || (await storeAnswer(ctx, call, job))) return { job, isNew: true };
			throw taken;
		});
	return await attempt().catch((error: unknown) => {
		if (error !== taken) throw error;
		return attempt();
	});
}

async function earlierAnswer(ctx: Context, { key, body }: IdempotentCall): Promise<Job | null> {
	const row = await ctx.db
		.selectFrom("idempotencyKey")
		.select(["bodyHash", "answer", "createdAt"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("key", "=", key)
		.executeTakeFirst();
	if (row === undefined || row.createdAt <= ctx.clock.now() - KEPT_MS) return null;
	if (!ctx.secrets.isHashOf(row.bodyHash, body)) {
		throw new TapedeckError(
			"conflict",
			"This Idempotency-Key was used with a different body. Send a new key for a new job.",
		);
	}
	return JSON.parse(row.answer) as Job;
}

/** @returns false if a concurrent call stored the key first. */
async function storeAnswer(ctx: Context, { key, body }: IdempotentCall, job: Job): Promise<boolean> {
	const now = ctx.clock.now();
	const bodyHash = ctx.secrets.hash(body);
	const values = { bodyHash, answer: JSON.stringify(job), jobId: job.id, createdAt: now };
	const stored = await ctx.db
		.insertInto("idempotencyKey")
		.values({ organizationId: ctx.actor.organizationId, key, ...values })
		.onConflict((conflict) =>
			conflict
				.columns(["organizationId", "key"])
				.doUpdateSet(values)
				.where("idempotencyKey.createdAt", "<=", now - KEPT_MS),
		)
		.returning("jobId")
		.executeTakeFirst();
	return stored !== undefined;
}

/** Deletes keys older than 24 hours. Run by a timer. @returns how many were deleted. */
export async function sweepIdempotencyKeys({ db, clock }: Pick<Context, "db" | "clock">): Promise<number> {
	const before = clock.now() - KEPT_MS;
	for (let removed = 0; ; ) {
		const { numDeletedRows } = await db
			.deleteFrom("idempotencyKey")
			.where(({ eb, refTuple, selectFrom }) =>
				eb(
					refTuple("organizationId", "key"),
					"in",
					selectFrom("idempotencyKey")
						.select(["organizationId", "key"])
						.where("createdAt", "<=", before)
						.limit(SWEEP_BATCH)
						.$asTuple("organizationId", "key"),
				),
			)
			.executeTakeFirstOrThrow();
		removed += Number(numDeletedRows);
		if (numDeletedRows < SWEEP_BATCH) return removed;
	}
}
