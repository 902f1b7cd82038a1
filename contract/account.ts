/** A person's own account: set-up and sign-up, name, password and sessions, password reset. */
import * as z from "zod";
import { linkTokenSchema } from "./member.ts";
import { pageOf } from "./page.ts";
import { emailSchema, idSchema, labelSchema, plainText, timestampSchema } from "./primitives.ts";

export const passwordSchema = plainText("a password")
	.min(10, { error: "Use a password of at least 10 characters." })
	.max(128, { error: "Use a password of at most 128 characters." });

export const setupBodySchema = z.strictObject({
	/** The one-time code from the server's log; required from other machines only. */
	code: plainText("code").trim().max(100).optional(),
	organizationName: labelSchema,
	name: labelSchema,
	email: emailSchema,
	password: passwordSchema,
});
export type SetupBody = z.infer<typeof setupBodySchema>;
/** Whether the first account has yet to be created, and whether this visitor needs the code from the log for it. */
export const setupStateSchema = z.object({ needed: z.boolean(), codeRequired: z.boolean() });
export type SetupState = z.infer<typeof setupStateSchema>;

export const changeNameBodySchema = z.strictObject({ name: labelSchema });

export const changePasswordBodySchema = z.strictObject({
	currentPassword: plainText("your current password")
		.min(1, { error: "Enter your current password." })
		.max(128, { error: "Passwords have at most 128 characters. Send your current one." }),
	newPassword: passwordSchema,
	/** Also signs out every other browser. */
	endOtherSessions: z.boolean({ error: "Send true or false." }).default(false),
});
export type ChangePasswordBody = z.output<typeof changePasswordBodySchema>;

const currentPasswordSchema = changePasswordBodySchema.shape.currentPassword;

/** The caller's password, which shows that it is not another person at a browser that was left open. */
export const confirmedBodySchema = z.strictObject({ password: currentPasswordSchema });

/** A second factor that its first code has yet to confirm; shown once. */
export const newSecondFactorSchema = z.object({
	/** `otpauth://totp/…`, which an authenticator app reads from a QR code; it contains the secret. */
	uri: z.string(),
	/** Each replaces a code of the app, once. */
	backupCodes: z.array(z.string()),
});
export type NewSecondFactor = z.infer<typeof newSecondFactorSchema>;
export const secondFactorCodeBodySchema = z.strictObject({
	code: plainText("a code")
		.trim()
		.regex(/^\d{3} ?\d{3}$/, { error: "Send the 6 digits that the authenticator app shows." }),
});

const base64Url = (name: string, max: number) =>
	plainText(name)
		.max(max)
		.regex(/^[\w-]+$/, { error: `Send ${name} as base64url.` });

/** A passkey of an account. The key itself never leaves the person's device. */
export const passkeySchema = z.object({ id: idSchema, name: labelSchema, createdAt: timestampSchema });
export type Passkey = z.infer<typeof passkeySchema>;
export const passkeyListSchema = pageOf(passkeySchema);
/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn. */
export const passkeyOptionsSchema = z.record(z.string(), z.unknown());
export type PasskeyOptions = z.infer<typeof passkeyOptionsSchema>;
export const newPasskeySchema = z.strictObject({
	name: labelSchema,
	/** `RegistrationResponseJSON` of WebAuthn, as `toJSON()` of the browser's credential returns it. */
	response: z.object({
		id: base64Url("the id", 1_364),
		rawId: base64Url("the id", 1_364),
		type: z.literal("public-key", { error: "Send public-key." }),
		response: z.object({
			clientDataJSON: base64Url("the client data", 5_000),
			attestationObject: base64Url("the attestation", 20_000),
			transports: z.array(plainText("a transport").max(32)).max(10).optional(),
		}),
	}),
});
export type NewPasskey = z.output<typeof newPasskeySchema>;

/** One signed-in browser. */
export const sessionSchema = z.object({
	id: idSchema,
	/** True for the session that makes the call. */
	current: z.boolean(),
	/** The address at sign-in; null when unknown. */
	address: z.string().nullable(),
	userAgent: z.string().nullable(),
	createdAt: timestampSchema,
	/** Accurate to a minute. */
	lastSeenAt: timestampSchema,
});
export type AccountSession = z.infer<typeof sessionSchema>;
export const sessionListSchema = pageOf(sessionSchema);

export const signUpBodySchema = z.strictObject({
	/** The token of the invitation link. */
	token: linkTokenSchema,
	name: labelSchema,
	email: emailSchema,
	password: passwordSchema,
});
export type SignUpBody = z.infer<typeof signUpBodySchema>;

/** A link that lets a person choose a new password; shown once, to the admin who created it. */
const passwordResetSchema = z.object({ url: z.string(), expiresAt: timestampSchema });
export type PasswordReset = z.infer<typeof passwordResetSchema>;
export const newPasswordResetSchema = passwordResetSchema.extend({
	/** Whether the link was also sent to the person's email. Always false if the dashboard sends no email. */
	emailed: z.boolean(),
});
export type NewPasswordReset = z.infer<typeof newPasswordResetSchema>;
export const requestPasswordResetBodySchema = z.strictObject({ email: emailSchema });
export const resetPasswordBodySchema = z.strictObject({ token: linkTokenSchema, password: passwordSchema });
