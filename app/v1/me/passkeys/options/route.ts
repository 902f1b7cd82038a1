import { confirmedBodySchema, passkeyOptionsSchema } from "@tapedeck/contract/account.ts";
import { beginPasskey } from "#lib/auth/account/passkeys.ts";
import { currentCaller } from "#lib/http/authenticate-request.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "beginPasskey",
		summary: "Begin to add a passkey to your account: the options with which a browser creates it",
		permission: "account:manage",
		audit: { none: "The passkey that follows is recorded." },
		body: confirmedBodySchema,
		refusals: ["conflict"],
		answers: { 200: passkeyOptionsSchema },
	},
	async ({ ctx, app, body, request: { headers } }) => {
		const { options, cookies } = await beginPasskey(ctx, await currentCaller(app, headers), body.password);
		const answer = new Headers({ "cache-control": "no-store" });
		for (const cookie of cookies) answer.append("set-cookie", cookie);
		return Response.json(options, { headers: answer });
	},
);
