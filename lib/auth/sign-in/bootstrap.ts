/** Creates the first account and credentials from the environment, so that an empty Tapedeck works without a click. */
import { SCOPES } from "@tapedeck/contract/permissions.ts";
import { hashPassword } from "better-auth/crypto";
import * as z from "zod";
import { hashSecret } from "#lib/core/secret-box.ts";
import { claimStep, insertOrganization, insertUser } from "../better-auth/account-rows.ts";
import { accountTables } from "../better-auth/account-tables.ts";
import type { AuthDeps } from "../better-auth/auth.ts";
import { MIN_PASSWORD_LENGTH } from "../better-auth/auth-options.ts";
import { prefixOf } from "../credentials/credential-secret.ts";

const MIN_SECRET_LENGTH = 20;

const secretSchema = (name: string) =>
	z
		.string()
		.min(MIN_SECRET_LENGTH, { error: `${name} has fewer than ${MIN_SECRET_LENGTH} characters. Choose a longer one.` })
		.max(500, { error: `${name} has more than 500 characters. Choose a shorter one.` })
		.regex(/^[\x21-\x7e]*$/, { error: `${name} must consist of visible ASCII characters, without spaces.` })
		.optional();

/** All optional; some can be set without the others. */
export const bootstrapSchema = z
	.object({
		email: z.email({ error: "TAPEDECK_BOOTSTRAP_EMAIL is not an email address." }).max(200).optional(),
		password: z
			.string()
			.min(MIN_PASSWORD_LENGTH, {
				error: `TAPEDECK_BOOTSTRAP_PASSWORD has fewer than ${MIN_PASSWORD_LENGTH} characters. Choose a longer one.`,
			})
			.max(128, { error: "TAPEDECK_BOOTSTRAP_PASSWORD has more than 128 characters. Choose a shorter one." })
			.optional(),
		apiKey: secretSchema("TAPEDECK_BOOTSTRAP_API_KEY"),
		runnerToken: secretSchema("TAPEDECK_BOOTSTRAP_RUNNER_TOKEN"),
	})
	.superRefine((given, ctx) => {
		const fault = (message: string) => ctx.addIssue({ code: "custom", message });
		if ((given.email === undefined) !== (given.password === undefined)) {
			fault("Set both TAPEDECK_BOOTSTRAP_EMAIL and TAPEDECK_BOOTSTRAP_PASSWORD, or neither.");
		}
		if (given.apiKey !== undefined && given.apiKey === given.runnerToken) {
			fault("TAPEDECK_BOOTSTRAP_API_KEY and TAPEDECK_BOOTSTRAP_RUNNER_TOKEN must not be the same.");
		}
	});
export type Bootstrap = z.infer<typeof bootstrapSchema>;

/**
 * On a database without any organization, creates one with the given owner, key and token. Does nothing on any other
 * database, or when nothing is given.
 * @param given valid ones.
 * @returns whether anything was created.
 */
export async function bootstrap(deps: Pick<AuthDeps, "db" | "clock">, given: Bootstrap): Promise<boolean> {
	const { email, password, apiKey, runnerToken } = given;
	if (email === undefined && apiKey === undefined && runnerToken === undefined) return false;
	const existing = await deps.db.selectFrom("organization").select("id").limit(1).executeTakeFirst();
	if (existing !== undefined) return false;

	const owner =
		email === undefined || password === undefined
			? null
			: { name: email.split("@")[0] ?? email, email, passwordHash: await hashPassword(password) };
	const now = deps.clock.now();
	return deps.db.transaction().execute(async (transaction) => {
		const trx = accountTables(transaction);
		// Another process that starts at the same time may have claimed this step, and creates everything.
		if (!(await claimStep(trx, "organization", now))) return false;
		const organizationId = await insertOrganization(trx, "Tapedeck", now);
		if (owner !== null && (await claimStep(trx, "owner", now)))
			await insertUser(trx, { organizationId, role: "owner" }, owner, now);
		const credential = (secret: string) => ({
			organizationId,
			name: "Bootstrap",
			prefix: prefixOf(secret),
			hash: hashSecret(secret),
			createdAt: now,
		});
		if (apiKey !== undefined) {
			const scopes = JSON.stringify(SCOPES);
			await trx
				.insertInto("apiKey")
				.values({ ...credential(apiKey), scopes })
				.execute();
		}
		if (runnerToken !== undefined) await trx.insertInto("runnerToken").values(credential(runnerToken)).execute();
		return true;
	});
}
