import { confirmedBodySchema, newSecondFactorSchema } from "@tapedeck/contract/account.ts";
import { beginSecondFactor } from "#lib/auth/account/second-factor.ts";
import { currentCaller } from "#lib/http/authenticate-request.ts";
import { Answer, route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "beginSecondFactor",
		summary: "Begin to add a second factor to your account: the secret for an authenticator app, and backup codes",
		permission: "account:manage",
		audit: { none: "It does not count before its first code, which is recorded." },
		body: confirmedBodySchema,
		refusals: ["conflict"],
		answers: { 201: newSecondFactorSchema },
	},
	async ({ ctx, app, body, request: { headers } }) => {
		const begun = await beginSecondFactor(ctx, await currentCaller(app, headers), body.password);
		return new Answer(201, begun, { "cache-control": "no-store" });
	},
);
