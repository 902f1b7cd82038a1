/** Changes of accounts by the operator of the dashboard's machine, or by a visitor who reads the email of the account. */

import { type AuditActor, audit } from "#lib/audit/write-audit.ts";
import type { Context, Database } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";

interface Person {
	id: number;
	name: string;
}

export const OPERATOR: AuditActor = { kind: "system", id: null, name: "The operator" };
export const MAIL_READER: AuditActor = { kind: "visitor", id: null, name: "Someone with the email" };

export const personOf = (db: Database, email: string): Promise<Person | undefined> =>
	db.selectFrom("user").select(["id", "name"]).where("email", "=", email.trim().toLowerCase()).executeTakeFirst();

/** @throws not_found when no account has the email. */
export async function findAccount(db: Database, email: string): Promise<Person> {
	const person = await personOf(db, email);
	if (person === undefined) throw new TapedeckError("not_found", `No account has the email ${email}.`);
	return person;
}

/** Records a change in the audit log of every organization of the person. Call in the transaction of the change. */
export async function auditWithoutMember(
	deps: Pick<Context, "db" | "clock"> & Partial<Pick<Context, "address">>,
	author: AuditActor,
	person: Person,
	action: "password.reset_link_created" | "second_factor.removed",
): Promise<void> {
	const memberships = await deps.db
		.selectFrom("member")
		.select("organizationId")
		.where("userId", "=", person.id)
		.execute();
	for (const { organizationId } of memberships) {
		const actor = { kind: "system", organizationId } as const;
		await audit({ ...deps, actor }, { action, target: { kind: "user", ...person } }, author);
	}
}
