import { confirmedBodySchema } from "@tapedeck/contract/account.ts";
import { removeSecondFactor } from "#lib/auth/account/second-factor.ts";
import { currentCaller } from "#lib/http/authenticate-request.ts";
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
	async ({ ctx, app, body, request: { headers } }) =>
		removeSecondFactor(ctx, await currentCaller(app, headers), body.password),
);
