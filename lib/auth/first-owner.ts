/** The first organization and its first owner: rows that appear together, once, whoever asks first. */
import { hashPassword } from "better-auth/crypto";
import type { AccountDatabase } from "./account-tables.ts";

/**
 * Takes a step of the first set-up inside a transaction. Of two transactions one takes it; the other waits for
 * the first to end, and finds it taken.
 */
export async function takeStep(trx: AccountDatabase, step: "organization" | "owner", now: number): Promise<boolean> {
	const taken = await trx
		.insertInto("installation")
		.values({ step, doneAt: now })
		.onConflict((conflict) => conflict.doNothing())
		.returning("step")
		.executeTakeFirst();
	return taken !== undefined;
}

/** @returns the id of the organization. */
export async function insertOrganization(trx: AccountDatabase, name: string, now: number): Promise<number> {
	const row = await trx
		.insertInto("organization")
		.values({ name, slug: slugOf(name), createdAt: new Date(now).toISOString() })
		.returning("id")
		.executeTakeFirstOrThrow();
	return row.id;
}

export interface NewOwner {
	name: string;
	email: string;
	/** From hashPassword: hashing takes long, and nothing slow belongs into a transaction. */
	passwordHash: string;
}

export const hashNewPassword = (password: string): Promise<string> => hashPassword(password);

/** A user who signs in by password and owns the organization. @returns the user's id. */
export async function insertOwner(
	trx: AccountDatabase,
	organizationId: number,
	owner: NewOwner,
	now: number,
): Promise<number> {
	const at = new Date(now).toISOString();
	const user = await trx
		.insertInto("user")
		.values({ name: owner.name, email: owner.email.toLowerCase(), emailVerified: 0, createdAt: at, updatedAt: at })
		.returning("id")
		.executeTakeFirstOrThrow();
	await trx
		.insertInto("account")
		.values({
			accountId: String(user.id),
			providerId: "credential",
			userId: user.id,
			password: owner.passwordHash,
			createdAt: at,
			updatedAt: at,
		})
		.execute();
	await trx.insertInto("member").values({ organizationId, userId: user.id, role: "owner", createdAt: at }).execute();
	return user.id;
}

function slugOf(name: string): string {
	const slug = name
		.normalize("NFKD")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-+|-+$/g, "");
	return slug === "" ? "organization" : slug;
}
