import { secondFactorCodeBodySchema } from "@tapedeck/contract/account.ts";
import { confirmSecondFactor } from "#lib/auth/account/second-factor.ts";
import { currentCaller } from "#lib/http/authenticate-request.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "confirmSecondFactor",
		summary: "Confirm a new second factor with the app's first code, which ends your other sessions",
		permission: "account:manage",
		audit: ["second_factor.added", "session.revoked"],
		body: secondFactorCodeBodySchema,
		refusals: ["conflict"],
		answers: { 204: null },
	},
	async ({ ctx, app, body, request: { headers } }) => {
		const cookies = await confirmSecondFactor(ctx, await currentCaller(app, headers), body.code);
		const answer = new Headers();
		for (const cookie of cookies) answer.append("set-cookie", cookie);
		return new Response(null, { status: 204, headers: answer });
	},
);
