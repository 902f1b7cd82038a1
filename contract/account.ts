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

/** The caller's password, which shows that it is not somebody at a browser that was left open. */
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

/** One signed-in browser. */
export const sessionSchema = z.object({
	id: idSchema,
	/** True for the session that makes the call. */
	current: z.boolean(),
	/** As at sign-in; null when unknown. */
	address: z.string().nullable(),
	userAgent: z.string().nullable(),
	createdAt: timestampSchema,
	/** Accurate to a minute. */
	lastSeenAt: timestampSchema,
});
export type AccountSession = z.infer<typeof sessionSchema>;
export const sessionListSchema = pageOf(sessionSchema);

export const signUpBodySchema = z.strictObject({
	/** From the invitation link. */
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
