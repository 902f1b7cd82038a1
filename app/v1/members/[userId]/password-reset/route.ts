import { newPasswordResetSchema } from "@tapedeck/contract/account.ts";
import { createPasswordReset } from "#lib/auth/account/password-reset.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "createPasswordReset",
		summary: "Create a password reset link for a member; the link is shown once",
		permission: "organization:manage",
		audit: ["password.reset_link_created"],
		params: pathIds("userId"),
		answers: { 201: newPasswordResetSchema },
	},
	({ ctx, app: { mailer }, params }) => createPasswordReset({ ...ctx, mailer }, params.userId),
);
