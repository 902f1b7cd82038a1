import { confirmedBodySchema } from "@tapedeck/contract/account.ts";
import { removeSecondFactor } from "#lib/auth/account/second-factor.ts";
import { currentSession } from "#lib/http/admit.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "removeSecondFactor",
		summary: "Remove the second factor of your account",
		permission: "account:manage",
		audit: ["second_factor.removed"],
		body: confirmedBodySchema,
		refusals: ["conflict"],
		answers: { 204: null },
	},
	async ({ ctx, app, body, request: { headers } }) => {
		const caller = { auth: app.auth, session: await currentSession(app, headers), headers };
		await removeSecondFactor(ctx, caller, body.password);
		return { status: 204 };
	},
);
