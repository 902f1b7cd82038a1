import { assertSameOrigin } from "#lib/access/same-origin.ts";
import { resetPassword } from "#lib/auth/account/password-reset.ts";
import { clientAddress } from "#lib/auth/sign-in/peer.ts";
import { resetPasswordBodySchema } from "#lib/contract/account.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "Choose a new password with the link that an admin made; every session of the account ends",
		open: true,
		audit: ["password.reset"],
		body: resetPasswordBodySchema,
		answers: { 204: null },
	},
	async ({ app, body, request }) => {
		assertSameOrigin(request.headers, request.method, app.auth.trustedOrigins);
		await resetPassword({ ...app, address: clientAddress(request.headers) }, body);
		return { status: 204 };
	},
);
