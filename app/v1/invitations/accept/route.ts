import { sessionUserSchema } from "@tapedeck/contract/identity.ts";
import { linkTokenBodySchema } from "@tapedeck/contract/member.ts";
import { acceptInvitation } from "#lib/auth/invitations/accept-invitation.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { sessionUser } from "#lib/auth/sign-in/identity.ts";
import { unauthorized } from "#lib/http/problem.ts";
import { route } from "#lib/http/route.ts";

/** Public, so that people without an organization can accept too; the handler checks the session itself. */
export const POST = route(
	{
		operationId: "acceptInvitation",
		summary: "Accept an invitation with the account that is signed in",
		permission: "public",
		audit: ["invitation.accepted"],
		body: linkTokenBodySchema,
		answers: { 200: sessionUserSchema },
	},
	async ({ app, body, request }) => {
		const session = await app.auth.session(request.headers);
		if (session === null) throw unauthorized();
		const actor = await acceptInvitation({ ...app, address: clientAddress(request.headers) }, session, body.token);
		return sessionUser(app, actor);
	},
);
