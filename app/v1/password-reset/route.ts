import { resetPasswordBodySchema } from "@tapedeck/contract/account.ts";
import { resetPassword } from "#lib/auth/account/password-reset.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "resetPassword",
		summary: "Set a new password with a reset link; ends every session of the account",
		permission: "public",
		audit: ["password.reset"],
		body: resetPasswordBodySchema,
		answers: { 204: null },
	},
	({ app, body, request }) => resetPassword({ ...app, address: clientAddress(request.headers) }, body),
);
