/** Organization settings: scopes, roles, retention; and the first set-up. */
import * as z from "zod";
import { ROLES, SCOPES } from "./permissions.ts";
import { idSchema, nameSchema, timestampSchema } from "./primitives.ts";

export const labelSchema = nameSchema({ max: 100 });

export const DEFAULT_RETENTION = { maxAgeDays: 30, maxDiskPercent: 80, maxBytes: null } as const;
export const retentionBodySchema = z.strictObject({
	/** Delete recordings older than this; null disables deletion by age. */
	maxAgeDays: z
		.int({ error: "Use a whole number of days, or null." })
		.min(1, { error: "Use at least 1 day." })
		.max(36_500, { error: "Use at most 36500 days." })
		.nullable(),
	/** Delete the oldest while disk usage exceeds this percentage; null disables this. */
	maxDiskPercent: z
		.int({ error: "Use a whole percentage, or null." })
		.min(1, { error: "Use a percentage from 1 to 99." })
		.max(99, { error: "Use a percentage from 1 to 99." })
		.nullable(),
	/** Delete the oldest while the organization stores more bytes than this; null disables this. */
	maxBytes: z
		.int({ error: "Use a whole number of bytes, or null." })
		.min(1, { error: "Use at least 1 byte." })
		.nullable(),
});
export type RetentionPolicy = z.infer<typeof retentionBodySchema>;
export const retentionSchema = retentionBodySchema.extend({
	storedBytes: z.int(),
	storedRecordings: z.int(),
	diskPercent: z.number(),
	/** What will be deleted next and why, oldest first, at most ten. */
	next: z.array(
		z.object({
			recordingId: idSchema,
			name: z.string(),
			bytes: z.int(),
			deleteAt: timestampSchema,
			reason: z.enum(["age", "size", "disk"]),
		}),
	),
});
export type Retention = z.infer<typeof retentionSchema>;

export const passwordSchema = z
	.string({ error: "Send a password as a string." })
	.min(10, { error: "Use a password of at least 10 characters." })
	.max(128, { error: "Use a password of at most 128 characters." });

export const setupBodySchema = z.strictObject({
	/** The one-time code from the server's log; required from other machines only. */
	code: z.string().trim().max(100).optional(),
	organizationName: labelSchema,
	name: labelSchema,
	email: z.email({ error: "Use an email address, such as you@example.com." }).max(200),
	password: passwordSchema,
});
export type SetupBody = z.infer<typeof setupBodySchema>;
/** Whether the first account has yet to be created, and whether this visitor needs the code from the log for it. */
export const setupStateSchema = z.object({ needed: z.boolean(), codeRequired: z.boolean() });
export type SetupState = z.infer<typeof setupStateSchema>;

export const sessionUserSchema = z.object({
	userId: idSchema,
	name: z.string(),
	email: z.string(),
	role: z.enum(ROLES),
	organizationId: idSchema,
	organizationName: z.string(),
	organizations: z.array(z.object({ id: idSchema, name: z.string(), role: z.enum(ROLES) })),
	/** How the account can sign in. */
	signInMethods: z.array(z.enum(["password", "singleSignOn"])),
});
export type SessionUser = z.infer<typeof sessionUserSchema>;

/** `GET /v1/me` for an API key. */
export const apiKeyIdentitySchema = z.object({
	kind: z.literal("apiKey"),
	apiKeyId: idSchema,
	name: z.string(),
	scopes: z.array(z.enum(SCOPES)),
	organizationId: idSchema,
	organizationName: z.string(),
});
export type ApiKeyIdentity = z.infer<typeof apiKeyIdentitySchema>;
export const identitySchema = z.union([sessionUserSchema, apiKeyIdentitySchema]);
