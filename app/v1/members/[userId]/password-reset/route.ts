import { newPasswordResetSchema } from "@tapedeck/contract/account.ts";
import * as z from "zod";
import { createPasswordReset } from "#lib/auth/account/password-reset.ts";
import { pathId, route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "createPasswordReset",
		summary: "Create a password reset link for a member; the link is shown once",
		permission: "organization:manage",
		audit: ["password.reset_link_created"],
		params: z.object({ userId: pathId }),
		answers: { 201: newPasswordResetSchema },
	},
	({ ctx, app: { mailer }, params }) => createPasswordReset({ ...ctx, mailer }, params.userId),
);
