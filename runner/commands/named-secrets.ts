/** Secrets that the user names, in addition to variables whose name says that they are secret. */
import { MIN_NAMED } from "@tapedeck/client-source/secret-mask.ts";
import { usageError } from "./command.ts";

/**
 * The values of --mask.
 * @throws a usage error for one that is too short.
 */
export function namedSecrets(flag: unknown): string[] {
	const given: string[] = Array.isArray(flag) ? flag : [];
	if (given.some((value) => value.trim().length < MIN_NAMED))
		throw usageError(`--mask: Use a value of at least ${MIN_NAMED} characters.`);
	return given;
}
