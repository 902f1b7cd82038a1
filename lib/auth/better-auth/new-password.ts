/** Hashes a password that a user chooses, and refuses one that is easy to guess. */
import { Worker } from "node:worker_threads";
import { hashPassword } from "better-auth/crypto";
import { invalid } from "#lib/core/errors.ts";

export interface ChosenPassword {
	password: string;
	/** The field that refusals name. */
	field: string;
	/** Facts about the person that others know, such as the email address. They make a password no stronger. */
	personal: readonly string[];
}

/** The thread's answer. */
export interface PasswordStrength {
	isWeak: boolean;
	/** A sentence; null if there is nothing in particular. */
	why: string | null;
}

/** @throws validation_failed at the field when the password is easy to guess. */
export async function hashNewPassword({ password, field, personal }: ChosenPassword): Promise<string> {
	const { isWeak, why } = await strengthOf(password, personal);
	if (isWeak) {
		const message = [
			"This password is easy to guess.",
			why,
			"Use several words that have nothing to do with each other.",
		];
		throw invalid({ path: field, code: "weak_password", message: message.filter((part) => part !== null).join(" ") });
	}
	return hashPassword(password);
}

/**
 * In a thread that ends afterwards: its lists of common passwords and words take seconds to read and 70 MB, and a password is
 * chosen rarely.
 */
function strengthOf(password: string, personal: readonly string[]): Promise<PasswordStrength> {
	const { promise, resolve, reject } = Promise.withResolvers<PasswordStrength>();
	const thread = new Worker(new URL("./password-strength-thread.ts", import.meta.url), {
		workerData: { password, personal },
	});
	thread.once("message", resolve);
	thread.once("error", reject);
	thread.once("exit", () => reject(new Error("The check of a password ended without a result.")));
	return promise;
}
