/** The very first visit: whoever comes first becomes the owner, and nobody after. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { SetupBody, SetupState } from "../../contract/organization.ts";
import { audit } from "../../core/audit.ts";
import type { Actor } from "../../core/context.ts";
import { invalid, TapedeckError } from "../../core/errors.ts";
import { hashNewPassword, insertOrganization, insertUser, takeStep } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import type { AuthDeps } from "../auth.ts";
import { forgetCredentials } from "../credential-cache.ts";

/** `local`: the visitor sits at this machine (isLocalRequest), and so needs no code. */
export interface Visitor {
	local: boolean;
	/** For the audit log. */
	address?: string | null;
}

const alreadySetUp = () => new TapedeckError("conflict", "Tapedeck is set up already. Sign in instead.");

export async function setupState({ db }: Pick<AuthDeps, "db">, visitor: Visitor): Promise<SetupState> {
	const user = await db.selectFrom("user").select("id").limit(1).executeTakeFirst();
	const needed = user === undefined;
	return { needed, codeRequired: needed && !visitor.local };
}

/**
 * Makes the first user, who owns the organization: a new one, or the one that a bootstrap without a user made.
 * @returns the owner.
 * @throws conflict once there is a user; validation_failed at `code` when a code is wanted and not right.
 */
export async function setUp(
	deps: AuthDeps,
	body: SetupBody,
	visitor: Visitor,
): Promise<Extract<Actor, { kind: "user" }>> {
	if (!(await setupState(deps, visitor)).needed) throw alreadySetUp();
	if (!visitor.local) assertSetupCode(deps.auth.setupCode, body.code);
	const passwordHash = await hashNewPassword(body.password);
	const now = deps.clock.now();
	const owner = { name: body.name, email: body.email, passwordHash };
	const ids = await deps.db.transaction().execute(async (transaction) => {
		const trx = accountTables(transaction);
		if (!(await takeStep(trx, "owner", now))) throw alreadySetUp();
		const organizationId = (await takeStep(trx, "organization", now))
			? await insertOrganization(trx, body.organizationName, now)
			: await renameFirstOrganization(trx, body.organizationName);
		const userId = await insertUser(trx, { organizationId, role: "owner" }, owner, now);
		const actor = { kind: "user", organizationId, userId, name: body.name, role: "owner" } as const;
		const target = { kind: "organization", id: organizationId, name: body.organizationName } as const;
		await audit({ ...deps, db: transaction, actor, address: visitor.address }, { action: "setup.done", target });
		return { organizationId, userId };
	});
	forgetCredentials(deps.db);
	return { kind: "user", name: body.name, role: "owner", ...ids };
}

async function renameFirstOrganization(trx: ReturnType<typeof accountTables>, name: string): Promise<number> {
	const { id } = await trx.selectFrom("organization").select("id").orderBy("id").limit(1).executeTakeFirstOrThrow();
	await trx.updateTable("organization").set({ name }).where("id", "=", id).execute();
	return id;
}

/** The log line that tells the operator how to begin; nothing once that is done. */
export async function announceSetup(deps: AuthDeps, baseUrl: string): Promise<void> {
	if (!(await setupState(deps, { local: true })).needed) return;
	deps.log.info(
		{ setupUrl: `${baseUrl}/setup`, setupCode: deps.auth.setupCode },
		`Nobody can sign in yet. Open ${baseUrl}/setup to make the first account; from another machine it asks for the code ${deps.auth.setupCode}.`,
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
		message: "Send the set-up code that the dashboard's log shows: this call comes from another machine.",
	});
}
