import { requestPasswordResetBodySchema } from "@tapedeck/contract/account.ts";
import { requestPasswordReset } from "#lib/auth/account/request-password-reset.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "requestPasswordReset",
		summary: "Send a password reset link to the email of an account, if there is one",
		permission: "public",
		audit: {
			none: "It answers the same for every email. A link that is sent is recorded as password.reset_link_created.",
		},
		body: requestPasswordResetBodySchema,
		refusals: ["conflict"],
		answers: { 202: null },
	},
	({ app, body, request }) => requestPasswordReset({ ...app, address: clientAddress(request.headers) }, body.email),
);
