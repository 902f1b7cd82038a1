/** What the user names as secret, besides what is named like one. */

import { MASK } from "@tapedeck/machine/runner-variables.ts";
import { linesOf } from "../../clients/typescript/src/secret-mask.ts";
import type { Environment } from "../config/settings.ts";
import { usageError } from "./command.ts";

/** A shorter one would mask half of a log. */
const MIN_LENGTH = 4;

/**
 * The values of --mask, and those of TAPEDECK_MASK, which has one a line.
 * @throws a usage error for a flag whose value is too short.
 */
export function namedSecrets(flag: unknown, env: Environment): string[] {
	const given: string[] = Array.isArray(flag) ? flag : [];
	if (given.some((value) => value.trim().length < MIN_LENGTH))
		throw usageError(`--mask: Use a value of at least ${MIN_LENGTH} characters.`);
	return [...given, ...linesOf(env[MASK] ?? "").filter((value) => value.length >= MIN_LENGTH)];
}
