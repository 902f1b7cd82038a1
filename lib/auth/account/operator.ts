/** Changes of accounts by the operator of the dashboard's machine, for people whom nobody else could help. */
import { audit } from "#lib/audit/write-audit.ts";
import type { Context, Database } from "#lib/core/context.ts";
import { TapedeckError } from "#lib/core/errors.ts";

interface Person {
	id: number;
	name: string;
}

/** @throws not_found when no account has the email. */
export async function findAccount(db: Database, email: string): Promise<Person> {
	const person = await db
		.selectFrom("user")
		.select(["id", "name"])
		.where("email", "=", email.trim().toLowerCase())
		.executeTakeFirst();
	if (person === undefined) throw new TapedeckError("not_found", `No account has the email ${email}.`);
	return person;
}

/** Records a change in the audit log of every organization of the person. Call in the transaction of the change. */
export async function auditAsOperator(
	deps: Pick<Context, "db" | "clock">,
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
		const operator = { kind: "system", id: null, name: "The operator" } as const;
		await audit({ ...deps, actor }, { action, target: { kind: "user", ...person } }, operator);
	}
}
