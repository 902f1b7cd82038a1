/** Signing in a program that has no browser of its own, such as `tapedeck login` (RFC 8628). */
import * as z from "zod";
import { newApiKeySchema } from "./credential.ts";
import { SCOPES } from "./permissions.ts";
import { labelSchema, plainText, timestampSchema } from "./primitives.ts";

/** There are no vowels, so that no code is a word, and no letters that look like others. */
export const USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

const CODE = "Enter the code that the terminal shows, such as BCDF-GHJK.";
const userCode = z
	.string({ error: CODE })
	.transform((text) => text.toUpperCase().replace(/[^A-Z]/g, ""))
	.refine((letters) => letters.length === 8, { error: CODE })
	.transform((letters) => `${letters.slice(0, 4)}-${letters.slice(4)}`);

const scopes = z
	.array(z.enum(SCOPES, { error: `Send scopes from ${SCOPES.join(", ")}.` }), { error: "Send scopes as a list." })
	.min(1, { error: "Choose at least one scope." })
	.max(SCOPES.length, { error: "Send each scope once." });

export const beginDeviceSignInBodySchema = z.strictObject({
	/** Name of the client: shown to the person, and the name of the key. */
	name: labelSchema,
	/** Requested permissions of the key; all if omitted. The person decides. */
	scopes: scopes.optional(),
});
export type BeginDeviceSignIn = z.output<typeof beginDeviceSignInBodySchema>;

export const deviceSignInSchema = z.object({
	/** For the program alone: it fetches the key with it. */
	deviceCode: z.string(),
	/** For the person, who compares it and confirms it in the dashboard. */
	userCode: z.string(),
	/** The page where the person confirms it, with the code. */
	url: z.string(),
	expiresAt: timestampSchema,
	/** Seconds to wait between two requests for the key. */
	intervalSeconds: z.int(),
});
export type DeviceSignIn = z.infer<typeof deviceSignInSchema>;

export const deviceCodeBodySchema = z.strictObject({
	deviceCode: plainText("deviceCode", "Send the deviceCode.").min(20).max(100),
});
export const deviceKeySchema = z.discriminatedUnion("state", [
	z.object({ state: z.literal("pending") }),
	/** The key, with its secret, which is never shown again. */
	z.object({ state: z.literal("approved"), url: z.string(), apiKey: newApiKeySchema }),
]);
export type DeviceKey = z.infer<typeof deviceKeySchema>;

export const userCodeBodySchema = z.strictObject({ userCode });
export const openedDeviceSignInSchema = z.object({
	userCode: z.string(),
	name: z.string(),
	/** The address that it asked from. */
	address: z.string().nullable(),
	scopes: z.array(z.enum(SCOPES)),
	createdAt: timestampSchema,
	expiresAt: timestampSchema,
});
export type OpenedDeviceSignIn = z.infer<typeof openedDeviceSignInSchema>;
export const approveDeviceSignInBodySchema = z.strictObject({ userCode, scopes });
export type ApproveDeviceSignIn = z.output<typeof approveDeviceSignInBodySchema>;
