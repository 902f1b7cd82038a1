/** The first set-up: the first visitor becomes the owner, and no one after that. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { SetupBody, SetupState } from "@tapedeck/contract/account.ts";
import { audit } from "#lib/audit/write-audit.ts";
import type { Actor } from "#lib/core/context.ts";
import { invalid, TapedeckError } from "#lib/core/errors.ts";
import { claimStep, insertOrganization, insertUser } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { hashNewPassword } from "../better-auth/new-password.ts";

/** `local`: the visitor is on this machine (isLocalRequest), and so needs no code. */
export interface Visitor {
	local: boolean;
	/** For the audit log. */
	address?: string | null;
}

const alreadySetUp = () => new TapedeckError("conflict", "Tapedeck is already set up. Sign in instead.");

export async function setupState({ db }: Pick<AuthDeps, "db">, visitor: Visitor): Promise<SetupState> {
	const user = await db.selectFrom("user").select("id").limit(1).executeTakeFirst();
	const needed = user === undefined;
	return { needed, codeRequired: needed && !visitor.local };
}

/**
 * Creates the first user, who owns the organization: a new one, or the one created by a bootstrap without a user.
 * @returns the owner.
 * @throws conflict once there is a user; validation_failed at `code` when a code is required and wrong.
 */
export async function setUp(
	deps: AuthDeps,
	body: SetupBody,
	visitor: Visitor,
): Promise<Extract<Actor, { kind: "user" }>> {
	if (!(await setupState(deps, visitor)).needed) throw alreadySetUp();
	if (!visitor.local) assertSetupCode(deps.auth.setupCode, body.code);
	const passwordHash = await hashNewPassword({
		password: body.password,
		field: "password",
		personal: [body.email, body.name, body.organizationName],
	});
	const now = deps.clock.now();
	const owner = { name: body.name, email: body.email, passwordHash };
	const ids = await deps.db.transaction().execute(async (transaction) => {
		const trx = accountTables(transaction);
		if (!(await claimStep(trx, "owner", now))) throw alreadySetUp();
		const organizationId = (await claimStep(trx, "organization", now))
			? await insertOrganization(trx, body.organizationName, now)
			: await renameFirstOrganization(trx, body.organizationName);
		const userId = await insertUser(trx, { organizationId, role: "owner" }, owner, now);
		const actor = { kind: "user", organizationId, userId, name: body.name, role: "owner" } as const;
		const target = { kind: "organization", id: organizationId, name: body.organizationName } as const;
		await audit({ ...deps, db: transaction, actor, address: visitor.address }, { action: "setup.done", target });
		return { organizationId, userId };
	});
	deps.credentials.forget();
	return { kind: "user", name: body.name, role: "owner", ...ids };
}

async function renameFirstOrganization(trx: ReturnType<typeof accountTables>, name: string): Promise<number> {
	const { id } = await trx.selectFrom("organization").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow();
	await trx.updateTable("organization").set({ name }).where("id", "=", id).execute();
	return id;
}

/** Logs how to begin, unless the set-up is done. */
export async function announceSetup(deps: AuthDeps, baseUrl: string): Promise<void> {
	if (!(await setupState(deps, { local: true })).needed) return;
	deps.log.info(
		{ setupUrl: `${baseUrl}/setup`, setupCode: deps.auth.setupCode },
		`No account exists yet. Open ${baseUrl}/setup to create the first one; from another machine, enter the code ${deps.auth.setupCode}.`,
	);
}

function assertSetupCode(expected: string, given: string | undefined): void {
	const digest = (text: string) =>
		createHash("sha256")
			.update(text.toUpperCase().replace(/[^A-Z0-9]/g, ""))
			.digest();
	if (given !== undefined && timingSafeEqual(digest(expected), digest(given))) return;
	throw invalid({
		path: "code",
		code: given === undefined ? "required" : "invalid",
		message: "Enter the one-time code from the server log. It is only needed from another machine.",
	});
}
