/** API keys and runner tokens on the wire. */
import * as z from "zod";
import { labelSchema, ROLES, type Role, SCOPES, type Scope } from "./organization.ts";
import { cursorParam, idSchema, limitParam, pageOf, secondsParam, timestampSchema } from "./page.ts";

export const createRunnerTokenBodySchema = z.strictObject({ name: labelSchema });

export const createApiKeyBodySchema = z.strictObject({
	name: labelSchema,
	/** What the key may do; left out: everything. */
	scopes: z
		.array(z.enum(SCOPES, { error: `Send scopes from ${SCOPES.join(", ")}.` }), {
			error: "Send scopes as a list, or leave it out for all of them.",
		})
		.max(SCOPES.length, { error: "Send each scope once." })
		.min(1, { error: "Send at least one scope, or leave scopes out for all of them." })
		.optional(),
	/** When it ends by itself; null or left out: never. */
	expiresAt: z.iso
		.datetime({ offset: true, error: "Send expiresAt as an RFC 3339 time, such as 2027-01-31T00:00:00Z, or null." })
		.nullish(),
});
export type CreateApiKey = z.output<typeof createApiKeyBodySchema>;

/** An API key or a runner token as it can be seen after it was made. */
export const credentialSchema = z.object({
	id: idSchema,
	name: z.string(),
	/** The first characters, enough to recognise it. */
	prefix: z.string(),
	createdAt: timestampSchema,
	/** True to a minute. */
	lastUsedAt: timestampSchema.nullable(),
	/** A key: as it was chosen. A token: the end of its grace, once it was rotated. */
	expiresAt: timestampSchema.nullable(),
});
export type Credential = z.infer<typeof credentialSchema>;
export const credentialPageSchema = pageOf(credentialSchema);

export const apiKeySchema = credentialSchema.extend({
	scopes: z.array(z.enum(SCOPES)),
	/** Whose membership it hangs on; null for one that the operator's environment made. */
	createdBy: z.object({ id: idSchema, name: z.string(), role: z.enum(ROLES) }).nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
export const apiKeyPageSchema = pageOf(apiKeySchema);

/** The answer to making one: the only time that the secret is shown. */
export const newApiKeySchema = apiKeySchema.extend({ secret: z.string() });
export type NewApiKey = z.infer<typeof newApiKeySchema>;
export const newCredentialSchema = credentialSchema.extend({ secret: z.string() });
export type NewCredential = z.infer<typeof newCredentialSchema>;

export const DEFAULT_GRACE_SECONDS = 86_400;
export const MAX_GRACE_SECONDS = 30 * 86_400;
export const rotateRunnerTokenQuerySchema = z.object({
	/** For how long the old token still works, so that runners can be given the new one in turn. */
	graceSeconds: secondsParam("graceSeconds", 0, MAX_GRACE_SECONDS).default(DEFAULT_GRACE_SECONDS),
});
/** The new token, and until when the old one still works. */
export const rotatedTokenSchema = newCredentialSchema.extend({
	replaces: z.object({ id: idSchema, expiresAt: timestampSchema }),
});
export type RotatedToken = z.infer<typeof rotatedTokenSchema>;

export const listCredentialsQuerySchema = z.object({ limit: limitParam, cursor: cursorParam });
export type ListCredentialsQuery = z.output<typeof listCredentialsQuerySchema>;

/**
 * The most that a key can do whose maker has this role now: no key does more than its maker. Runners are let in by
 * owners and admins.
 */
export function scopesOfRole(role: Role): readonly Scope[] {
	switch (role) {
		case "owner":
		case "admin":
			return SCOPES;
		case "member":
			return SCOPES.filter((scope) => scope !== "runners:write");
		case "viewer":
			return SCOPES.filter((scope) => scope.endsWith(":read"));
	}
}
