/**
 * The secret of a link that invites or resets: random, shown once, kept as a hash. It stands behind the link's `#`,
 * which browsers keep to themselves: no server log and no Referer ever holds it.
 */
import { randomBytes } from "node:crypto";
import { hashSecret } from "./credential-secret.ts";

/** @returns 256 random bits for the link, and the hash that is kept. A look-up by hash tells nothing by its time. */
export function makeLinkToken(): { token: string; hash: string } {
	const token = randomBytes(32).toString("base64url");
	return { token, hash: hashSecret(token) };
}
