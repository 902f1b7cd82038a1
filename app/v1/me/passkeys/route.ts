import { newPasskeySchema, passkeyListSchema, passkeySchema } from "@tapedeck/contract/account.ts";
import { pageQuerySchema } from "@tapedeck/contract/page.ts";
import { addPasskey, listPasskeys } from "#lib/auth/account/passkeys.ts";
import { currentCaller } from "#lib/http/authenticate-request.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listPasskeys",
		summary: "List your passkeys, newest first",
		permission: "account:manage",
		query: pageQuerySchema,
		answers: { 200: passkeyListSchema },
	},
	({ ctx, query }) => listPasskeys(ctx, query),
);

export const POST = route(
	{
		operationId: "addPasskey",
		summary: "Add a passkey to your account, with the browser's answer to the options",
		permission: "account:manage",
		audit: ["passkey.added"],
		body: newPasskeySchema,
		refusals: ["conflict"],
		answers: { 201: passkeySchema },
	},
	async ({ ctx, app, body, request: { headers } }) => addPasskey(ctx, await currentCaller(app, headers), body),
);
