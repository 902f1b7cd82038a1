/** The caller, as `GET /v1/me` describes it. */
import * as z from "zod";
import { ROLES, SCOPES } from "./permissions.ts";
import { idSchema, timestampSchema } from "./primitives.ts";

export const sessionUserSchema = z.object({
	userId: idSchema,
	name: z.string(),
	email: z.string(),
	role: z.enum(ROLES),
	organizationId: idSchema,
	organizationName: z.string(),
	/** When the organization is deleted, because an owner asked for it; null otherwise. */
	organizationDeleteAt: timestampSchema.nullable(),
	/** The address of the organization's commits: see `PUT /v1/recording-settings`. */
	commitUrlTemplate: z.string().nullable(),
	organizations: z.array(z.object({ id: idSchema, name: z.string(), role: z.enum(ROLES) })),
	/** The ways in which the account can sign in. */
	signInMethods: z.array(z.enum(["password", "singleSignOn"])),
	/** Whether signing in by password also needs a code of an authenticator app. */
	secondFactor: z.boolean(),
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
