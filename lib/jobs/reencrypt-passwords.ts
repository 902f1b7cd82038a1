/** Re-encrypts the grid passwords of jobs and schedules with the current key after the secret key was rotated. */
import type { Context } from "#lib/core/context.ts";
import { mayCapture } from "#lib/lifecycle/transitions.ts";

const BATCH_SIZE = 500;

export interface Reencrypted {
	/** Number of re-encrypted passwords. */
	reencrypted: number;
	/** Jobs whose password no key decrypts. If the job is over, its runner no longer needs it. */
	unreadable: { jobId: number; isOver: boolean }[];
}

/**
 * Each row is updated only if it is unchanged since it was read. If this is interrupted or runs twice at once, every
 * password still decrypts with the old or the new key, and the next start does the rest.
 */
export async function reencryptPasswords(ctx: Pick<Context, "db" | "secrets">): Promise<Reencrypted> {
	const done: Reencrypted = { reencrypted: 0, unreadable: [] };
	for (let after = 0; ; ) {
		const rows = await selectOldSeals(ctx, after);
		for (const row of rows) {
			after = row.id;
			const plain = opened(ctx, row.sealed);
			if (plain === null) done.unreadable.push({ jobId: row.id, isOver: !mayCapture(row.status, row.stopReason) });
			else if (await replaceSeal(ctx, row, ctx.secrets.seal(plain))) done.reencrypted += 1;
		}
		if (rows.length < BATCH_SIZE) return done;
	}
}

/** Deletes the passwords that no key decrypts. @returns the ids of their jobs. */
export async function forgetUnreadablePasswords(ctx: Pick<Context, "db" | "secrets">): Promise<number[]> {
	const forgotten: number[] = [];
	for (let after = 0; ; ) {
		const rows = await selectOldSeals(ctx, after);
		for (const row of rows) {
			after = row.id;
			if (opened(ctx, row.sealed) === null && (await replaceSeal(ctx, row, null))) forgotten.push(row.id);
		}
		if (rows.length < BATCH_SIZE) return forgotten;
	}
}

/**
 * Re-encrypts the passwords of schedules. One that no key decrypts stays as it is: its schedule is paused at its next start
 * (start-scheduled-jobs.ts).
 */
export async function reencryptSchedulePasswords({ db, secrets }: Pick<Context, "db" | "secrets">): Promise<void> {
	const rows = await db
		.selectFrom("schedule")
		.select(["id", "gridPasswordSealed"])
		.where("gridPasswordSealed", "not like", `${secrets.head}%`)
		.execute();
	for (const { id, gridPasswordSealed } of rows) {
		const plain = opened({ secrets }, gridPasswordSealed ?? "");
		if (plain === null) continue;
		await db
			.updateTable("schedule")
			.set({ gridPasswordSealed: secrets.seal(plain) })
			.where("id", "=", id)
			.execute();
	}
}

interface SealedRow {
	id: number;
	sealed: string;
}

const selectOldSeals = async ({ db, secrets }: Pick<Context, "db" | "secrets">, after: number) => {
	const rows = await db
		.selectFrom("job")
		.select(["id", "status", "stopReason", "gridPasswordSealed"])
		.where("id", ">", after)
		.where("gridPasswordSealed", "is not", null)
		.where("gridPasswordSealed", "not like", `${secrets.head}%`)
		.orderBy("id")
		.limit(BATCH_SIZE)
		.execute();
	return rows.map(({ gridPasswordSealed, ...row }) => ({ ...row, sealed: gridPasswordSealed ?? "" }));
};

async function replaceSeal(ctx: Pick<Context, "db">, row: SealedRow, sealed: string | null): Promise<boolean> {
	const { numUpdatedRows } = await ctx.db
		.updateTable("job")
		.set({ gridPasswordSealed: sealed })
		.where("id", "=", row.id)
		.where("gridPasswordSealed", "=", row.sealed)
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

function opened({ secrets }: Pick<Context, "secrets">, sealed: string): string | null {
	try {
		return secrets.open(sealed);
	} catch {
		return null;
	}
}
