import { signUpBodySchema } from "@tapedeck/contract/account.ts";
import { sessionUserSchema } from "@tapedeck/contract/identity.ts";
import { signUp } from "#lib/auth/invitations/accept-invitation.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { sessionUser } from "#lib/auth/sign-in/identity.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "signUp",
		summary: "Create an account with an invitation, and sign in",
		permission: "public",
		audit: ["invitation.accepted"],
		body: signUpBodySchema,
		answers: { 201: sessionUserSchema },
	},
	async ({ app, body, request }) => {
		const actor = await signUp({ ...app, address: clientAddress(request.headers) }, body);
		const headers = new Headers({ "cache-control": "no-store" });
		for (const cookie of await app.auth.signIn(body.email, body.password, request.headers)) {
			headers.append("set-cookie", cookie);
		}
		return Response.json(await sessionUser(app, actor), { status: 201, headers });
	},
);
