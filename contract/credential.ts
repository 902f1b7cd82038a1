/** API keys and runner tokens on the wire. */
import * as z from "zod";
import { cursorParam, limitParam, pageOf } from "./page.ts";
import { CAPABILITIES, ROLES, SCOPES } from "./permissions.ts";
import { idSchema, labelSchema, timestampSchema } from "./primitives.ts";
import { secondsParam } from "./query-params.ts";
import { capabilitiesSchema, publicTokenLimitsShape, tokenLimitsShape } from "./token-limits.ts";

export const createRunnerTokenBodySchema = z.strictObject({ name: labelSchema, ...tokenLimitsShape });
export type CreateRunnerToken = z.output<typeof createRunnerTokenBodySchema>;

export const createApiKeyBodySchema = z.strictObject({
	name: labelSchema,
	/** Permissions of the key; all if omitted. */
	scopes: z
		.array(z.enum(SCOPES, { error: `Send scopes from ${SCOPES.join(", ")}.` }), {
			error: "Send scopes as a list, or leave it out for all of them.",
		})
		.max(SCOPES.length, { error: "Send each scope once." })
		.min(1, { error: "Send at least one scope, or leave scopes out for all of them." })
		.optional(),
	capabilities: capabilitiesSchema
		.nullish()
		.describe("What the key may make, within its scopes: all of it if null or omitted"),
	/** When the key expires; never if null or omitted. */
	expiresAt: z.iso
		.datetime({ offset: true, error: "Send expiresAt as an RFC 3339 time, such as 2027-01-31T00:00:00Z, or null." })
		.nullish(),
});
export type CreateApiKey = z.output<typeof createApiKeyBodySchema>;

/** An API key or runner token without its secret. */
export const credentialSchema = z.object({
	id: idSchema,
	name: z.string(),
	/** The first characters of the secret, enough to recognize it by. */
	prefix: z.string(),
	createdAt: timestampSchema,
	/** Accurate to a minute. */
	lastUsedAt: timestampSchema.nullable(),
	/** For a key, as chosen at creation. For a rotated token, the end of its grace period. */
	expiresAt: timestampSchema.nullable(),
});
export type Credential = z.infer<typeof credentialSchema>;

export const runnerTokenSchema = credentialSchema.extend(publicTokenLimitsShape);
export type RunnerToken = z.infer<typeof runnerTokenSchema>;
export const runnerTokenPageSchema = pageOf(runnerTokenSchema);

export const apiKeySchema = credentialSchema.extend({
	scopes: z.array(z.enum(SCOPES)),
	/** The kinds of files that it may make, within its scopes; null for all of them. */
	capabilities: z.array(z.enum(CAPABILITIES)).nullable(),
	/** The creator, with whose membership the key ends; null for a key created from the operator's environment. */
	createdBy: z.object({ id: idSchema, name: z.string(), role: z.enum(ROLES) }).nullable(),
});
export type ApiKey = z.infer<typeof apiKeySchema>;
export const apiKeyPageSchema = pageOf(apiKeySchema);

/** The response to creating a key: the secret is never shown again. */
export const newApiKeySchema = apiKeySchema.extend({ secret: z.string() });
export type NewApiKey = z.infer<typeof newApiKeySchema>;
export const newRunnerTokenSchema = runnerTokenSchema.extend({ secret: z.string() });
export type NewRunnerToken = z.infer<typeof newRunnerTokenSchema>;

const DEFAULT_GRACE_SECONDS = 86_400;
export const MAX_GRACE_SECONDS = 30 * 86_400;
export const rotateRunnerTokenQuerySchema = z.object({
	/** Time for which the old token still works, so that runners can be given the new one, one after the other. */
	graceSeconds: secondsParam("graceSeconds", 0, MAX_GRACE_SECONDS).default(DEFAULT_GRACE_SECONDS),
});
/** The new token, and until when the old one still works. */
export const rotatedTokenSchema = newRunnerTokenSchema.extend({
	replaces: z.object({ id: idSchema, expiresAt: timestampSchema }),
});
export type RotatedToken = z.infer<typeof rotatedTokenSchema>;

export const listCredentialsQuerySchema = z.object({ limit: limitParam, cursor: cursorParam });
export type ListCredentialsQuery = z.output<typeof listCredentialsQuerySchema>;
