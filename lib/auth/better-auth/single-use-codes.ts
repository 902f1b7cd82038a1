/**
 * Makes each code of an authenticator app count once, as RFC 6238 (section 5.2) requires. better-auth's plug-in accepts a
 * code again for as long as it is valid, which is up to 90 seconds: enough for a person who has seen it.
 *
 * The time step of a code is taken before the plug-in checks the code. A code whose step cannot be taken is replaced by one
 * that is always wrong, so that the plug-in counts the attempt and answers as for any other wrong code.
 */
import { createHmac } from "node:crypto";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type { Database } from "#lib/core/context.ts";
import { accountTables } from "./account-tables.ts";

/** Parameters of the codes, which are the plug-in's defaults. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** The plug-in also accepts codes of this many steps before and after the current one. */
const STEPS_AROUND = 1;
const WRONG_CODE = "";

type Call = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

export function singleUseCodes(db: Database) {
	return {
		id: "single-use-codes",
		hooks: {
			before: [
				{
					matcher: ({ path }: { path?: string }) => path === "/two-factor/verify-totp",
					handler: createAuthMiddleware(async (call) => {
						const code = call.body?.code;
						// The plug-in's schema refuses any other type.
						if (typeof code !== "string") return;
						const userId = await userOf(call);
						if (userId !== null && (await take(db, userId, code, call.context.secretConfig))) return;
						return { context: { body: { ...call.body, code: WRONG_CODE } } };
					}),
				},
			],
		},
	};
}

/** The user whose session, or whose sign-in that waits for the second factor, the call belongs to. */
async function userOf(call: Call): Promise<number | null> {
	const session = await getSessionFromCtx(call);
	if (session !== null) return Number(session.user.id);
	const { name } = call.context.createAuthCookie("two_factor");
	const signIn = await call.getSignedCookie(name, call.context.secret);
	if (!signIn) return null;
	const waiting = await call.context.internalAdapter.findVerificationValue(signIn);
	return waiting === null ? null : Number(waiting.value);
}

/**
 * Takes the time step of a code, unless it or a later one was taken before. The condition of the update settles races.
 * @returns whether the code is valid and was not used.
 */
async function take(
	db: Database,
	userId: number,
	code: string,
	key: Call["context"]["secretConfig"],
): Promise<boolean> {
	const tables = accountTables(db);
	const row = await tables
		.selectFrom("twoFactor")
		.select(["id", "secret"])
		.where("userId", "=", userId)
		.executeTakeFirst();
	if (row === undefined) return false;
	const step = stepOf(code, await symmetricDecrypt({ key, data: row.secret }));
	if (step === null) return false;
	const { numUpdatedRows } = await tables
		.updateTable("twoFactor")
		.set({ lastUsedStep: step })
		.where("id", "=", row.id)
		.where("secret", "=", row.secret)
		.where((where) => where.or([where("lastUsedStep", "is", null), where("lastUsedStep", "<", step)]))
		.executeTakeFirst();
	return numUpdatedRows > 0n;
}

/** @returns the latest of the valid time steps that has this code; null when none has. */
function stepOf(code: string, secret: string): number | null {
	const current = Math.floor(Date.now() / STEP_MS);
	for (let step = current + STEPS_AROUND; step >= current - STEPS_AROUND; step--) {
		if (codeOf(step, secret) === code) return step;
	}
	return null;
}

/** The code of a time step by RFC 4226. */
function codeOf(step: number, secret: string): string {
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(step));
	const digest = createHmac("sha1", secret).update(counter).digest();
	const offset = (digest.at(-1) ?? 0) & 15;
	return String((digest.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, "0");
}
