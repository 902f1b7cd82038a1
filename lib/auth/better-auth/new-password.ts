/** Hashes a password that a user chooses, and refuses one that is easy to guess. */
import { hashPassword } from "better-auth/crypto";
import { invalid } from "#lib/core/errors.ts";
import { WorkerThread } from "#lib/core/worker-thread.ts";

export interface ChosenPassword {
	password: string;
	/** The field that refusals name. */
	field: string;
	/** Facts about the person that others know, such as the email address. They make a password no stronger. */
	personal: readonly string[];
}

export type PasswordQuestion = Pick<ChosenPassword, "password" | "personal">;

export interface PasswordStrength {
	isWeak: boolean;
	/** A sentence; null if there is nothing in particular. */
	why: string | null;
}

/**
 * The thread's lists of common passwords and words take most of a second to read and 70 MB. Passwords are chosen rarely, but
 * then often several times: a refused one is followed by another.
 */
const strengths = new WorkerThread<PasswordQuestion, PasswordStrength>(
	new URL("./password-strength-thread.ts", import.meta.url),
	{ idleMs: 60_000 },
);

/** @throws validation_failed at the field when the password is easy to guess. */
export async function hashNewPassword({ password, field, personal }: ChosenPassword): Promise<string> {
	const { isWeak, why } = await strengths.ask({ password, personal });
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
