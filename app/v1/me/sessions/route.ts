import { endOtherSessions, listSessions } from "#lib/auth/sessions.ts";
import { sessionListSchema } from "#lib/contract/account.ts";
import { currentSession } from "#lib/server/current-session.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{ summary: "List the browsers where the caller is signed in", actors: ["user"], answers: { 200: sessionListSchema } },
	async ({ ctx, app, request }) => {
		const { id } = await currentSession(app, request.headers);
		return { status: 200, body: { data: await listSessions(ctx, id) } };
	},
);

export const DELETE = route(
	{
		summary: "Sign the caller out everywhere but here",
		actors: ["user"],
		audit: ["session.revoked"],
		answers: { 204: null },
	},
	async ({ ctx, app, request }) => {
		const { id } = await currentSession(app, request.headers);
		await endOtherSessions(ctx, id);
		return { status: 204 };
	},
);
