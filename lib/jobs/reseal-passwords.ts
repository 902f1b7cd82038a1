/** After a rotation of the secret key: every grid password is sealed anew under the key of now. */
import type { Context } from "../core/context.ts";
import { mayCapture } from "../lifecycle/transitions.ts";

const AT_ONCE = 500;

export interface Resealed {
	/** How many were sealed anew. */
	resealed: number;
	/** Jobs whose password no key opens; of one that is over, no runner asks for it any more. */
	unreadable: { jobId: number; isOver: boolean }[];
}

/**
 * Each row changes by itself and only if it is still what was read: killed in between, or run twice at once, it leaves
 * passwords that the old or the new key opens, and the next start goes on.
 */
export async function resealPasswords(ctx: Pick<Context, "db" | "secrets">): Promise<Resealed> {
	const done: Resealed = { resealed: 0, unreadable: [] };
	for (let after = 0; ; ) {
		const rows = await underOtherKeys(ctx, after);
		for (const row of rows) {
			after = row.id;
			const plain = opened(ctx, row.sealed);
			if (plain === null) done.unreadable.push({ jobId: row.id, isOver: !mayCapture(row.status, row.stopReason) });
			else if (await replaceSeal(ctx, row, ctx.secrets.seal(plain))) done.resealed += 1;
		}
		if (rows.length < AT_ONCE) return done;
	}
}

/** Forgets the passwords that no key opens. @returns the jobs that had one. */
export async function forgetUnreadablePasswords(ctx: Pick<Context, "db" | "secrets">): Promise<number[]> {
	const forgotten: number[] = [];
	for (let after = 0; ; ) {
		const rows = await underOtherKeys(ctx, after);
		for (const row of rows) {
			after = row.id;
			if (opened(ctx, row.sealed) === null && (await replaceSeal(ctx, row, null))) forgotten.push(row.id);
		}
		if (rows.length < AT_ONCE) return forgotten;
	}
}

interface SealedRow {
	id: number;
	sealed: string;
}

const underOtherKeys = async ({ db, secrets }: Pick<Context, "db" | "secrets">, after: number) => {
	const rows = await db
		.selectFrom("job")
		.select(["id", "status", "stopReason", "gridPasswordSealed"])
		.where("id", ">", after)
		.where("gridPasswordSealed", "is not", null)
		.where("gridPasswordSealed", "not like", `${secrets.head}%`)
		.orderBy("id")
		.limit(AT_ONCE)
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
