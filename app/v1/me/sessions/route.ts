import { sessionListSchema } from "@tapedeck/contract/account.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { endOtherSessions, listSessions } from "#lib/auth/account/sessions.ts";
import { currentSession } from "#lib/http/authenticate-request.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listSessions",
		summary: "List your sessions, the most recently used first",
		permission: "account:manage",
		query: pageQuerySchema,
		answers: { 200: sessionListSchema },
	},
	async ({ ctx, app, request, query }) => {
		const { id } = await currentSession(app, request.headers);
		return listSessions(ctx, id, query);
	},
);

export const DELETE = route(
	{
		operationId: "endOtherSessions",
		summary: "End all your other sessions",
		permission: "account:manage",
		audit: ["session.revoked"],
		answers: { 204: null },
	},
	async ({ ctx, app, request }) => {
		const { id } = await currentSession(app, request.headers);
		await endOtherSessions(ctx, id);
	},
);
