/** A person's own account: name, password, sessions; and the ways to get one. */
import * as z from "zod";
import { emailSchema, linkTokenSchema } from "./member.ts";
import { labelSchema, passwordSchema } from "./organization.ts";
import { idSchema, timestampSchema } from "./page.ts";

export const changeNameBodySchema = z.strictObject({ name: labelSchema });

export const changePasswordBodySchema = z.strictObject({
	currentPassword: z
		.string({ error: "Send your current password as a string." })
		.min(1, { error: "Send your current password." })
		.max(128, { error: "Send your current password, which has at most 128 characters." }),
	newPassword: passwordSchema,
	/** Also signs out every other browser. */
	endOtherSessions: z.boolean({ error: "Send true or false." }).default(false),
});
export type ChangePasswordBody = z.output<typeof changePasswordBodySchema>;

/** One signed-in browser. */
export const sessionSchema = z.object({
	id: idSchema,
	/** The one that asks. */
	current: z.boolean(),
	/** As it was at sign-in; null when it is not known. */
	address: z.string().nullable(),
	userAgent: z.string().nullable(),
	createdAt: timestampSchema,
	/** To the minute. */
	lastSeenAt: timestampSchema,
});
export type AccountSession = z.infer<typeof sessionSchema>;
/** All of them: a person has few. */
export const sessionListSchema = z.object({ data: z.array(sessionSchema) });

export const signUpBodySchema = z.strictObject({
	/** Of the link that invites. */
	token: linkTokenSchema,
	name: labelSchema,
	email: emailSchema,
	password: passwordSchema,
});
export type SignUpBody = z.infer<typeof signUpBodySchema>;

/** A link that lets a person choose a new password; shown once, to the admin who made it. */
export const newPasswordResetSchema = z.object({ url: z.string(), expiresAt: timestampSchema });
export type NewPasswordReset = z.infer<typeof newPasswordResetSchema>;
export const resetPasswordBodySchema = z.strictObject({ token: linkTokenSchema, password: passwordSchema });
