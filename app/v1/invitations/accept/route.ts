import { acceptInvitation } from "#lib/auth/invitations/accept-invitation.ts";
import { sessionUser } from "#lib/auth/sign-in/identity.ts";
import { assertSameOrigin } from "#lib/access/same-origin.ts";
import { clientAddress } from "#lib/auth/sign-in/peer.ts";
import { linkTokenBodySchema } from "#lib/contract/member.ts";
import { sessionUserSchema } from "#lib/contract/organization.ts";
import { unauthorized } from "#lib/server/problem.ts";
import { route } from "#lib/server/route.ts";

/** Open, because whoever belongs to no organization yet may accept too; it asks for the session itself. */
export const POST = route(
	{
		summary: "Join the organization that a link invites to, with the account that is signed in",
		open: true,
		audit: ["invitation.accepted"],
		body: linkTokenBodySchema,
		answers: { 200: sessionUserSchema },
	},
	async ({ app, body, request }) => {
		assertSameOrigin(request.headers, request.method, app.auth.trustedOrigins);
		const session = await app.auth.session(request.headers);
		if (session === null) throw unauthorized();
		const actor = await acceptInvitation({ ...app, address: clientAddress(request.headers) }, session, body.token);
		return { status: 200, body: await sessionUser(app, actor) };
	},
);
