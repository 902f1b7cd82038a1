/**
 * What the operator of the dashboard's machine can do there that nobody can from afar:
 * `npm run dashboard -- <command>`, with the dashboard's own variables. Safe while it runs, unless a command says so.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { createPasswordResetAsOperator } from "../auth/account/password-reset.ts";
import type { Context } from "../core/context.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { loadSecretKeys, rotateSecretKey, SECRET_KEY_FILE } from "../core/secret-key.ts";
import { openDatabase } from "../db/open.ts";
import { forgetUnreadablePasswords } from "../jobs/reseal-passwords.ts";
import type { Env } from "./env.ts";
import { baseUrlOf, databaseOf } from "./open-app.ts";

export const OPERATOR_HELP = `usage: npm run dashboard                                    starts the dashboard
       npm run dashboard -- reset-password <e-mail>         prints a link that sets a new password, once, within a day
       npm run dashboard -- rotate-key                      makes a new secret key, which counts from the next start on
       npm run dashboard -- forget-passwords                forgets the grid passwords that no secret key opens`;

/** @returns what to print. @throws an Error with one sentence and the remedy. */
export async function runOperatorCommand(env: Env, words: readonly string[]): Promise<string> {
	const [command, argument, ...more] = words;
	if (command === "reset-password" && argument !== undefined && more.length === 0) return resetPassword(env, argument);
	if (command === "rotate-key" && argument === undefined) return rotateKey(env);
	if (command === "forget-passwords" && argument === undefined) return forgetPasswords(env);
	throw new Error(`There is no such command: ${words.join(" ")}.\n\n${OPERATOR_HELP}`);
}

function resetPassword(env: Env, email: string): Promise<string> {
	const baseUrl = baseUrlOf(env, env);
	return withDatabase(env, async (db) => {
		const link = await createPasswordResetAsOperator({ db, clock: { now: () => Date.now() }, baseUrl }, email);
		return `Whoever opens this link chooses the password of ${email}, once, until ${link.expiresAt}:\n${link.url}`;
	});
}

async function rotateKey(env: Env): Promise<string> {
	if (env.secretKeys.current !== null) {
		throw new Error(
			"The secret key is TAPEDECK_SECRET_KEY here. Put its value into TAPEDECK_SECRET_KEY_PREVIOUS, a new one (openssl rand -hex 32) in its place, and start the dashboard again.",
		);
	}
	await assertOwnFile(join(env.dataDir, SECRET_KEY_FILE));
	await rotateSecretKey(env.dataDir);
	return "There is a new secret key. Start the dashboard again: it seals everything anew; everybody signs in again, and signed addresses end.";
}

function forgetPasswords(env: Env): Promise<string> {
	return withDatabase(env, async (db) => {
		await assertOwnFile(join(env.dataDir, SECRET_KEY_FILE));
		const { current, previous } = await loadSecretKeys(env.dataDir, env.secretKeys);
		const jobs = await forgetUnreadablePasswords({ db, secrets: createSecretBox(current, previous) });
		if (jobs.length === 0) return "Every grid password can be read; nothing was forgotten.";
		return `The grid ${jobs.length === 1 ? "password of job" : "passwords of jobs"} ${jobs.join(", ")} ${jobs.length === 1 ? "is" : "are"} forgotten.`;
	});
}

/** Opens the database that is there, and makes none. */
async function withDatabase(env: Env, work: (db: Context["db"]) => Promise<string>): Promise<string> {
	if (env.databaseUrl === null) await assertOwnFile(databaseOf(env));
	const { db } = openDatabase(databaseOf(env));
	try {
		return await work(db);
	} finally {
		await db.destroy();
	}
}

/** A file that another user wrote here could not be read by the dashboard any more. @throws what to do instead. */
async function assertOwnFile(file: string): Promise<void> {
	const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return null;
		throw error;
	});
	if (found === null) {
		throw new Error(`There is no ${file}. Give the variables that the dashboard has, TAPEDECK_DATA_DIR first.`);
	}
	const user = process.getuid?.();
	if (user !== undefined && user !== found.uid) {
		throw new Error(`${file} belongs to user ${found.uid}. Call this as the user that the dashboard runs as.`);
	}
}
