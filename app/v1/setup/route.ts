import { setupBodySchema, setupStateSchema } from "@tapedeck/contract/account.ts";
import { sessionUserSchema } from "@tapedeck/contract/identity.ts";
import { clientAddress, isLocalRequest } from "#lib/auth/sign-in/client-address.ts";
import { sessionUser } from "#lib/auth/sign-in/identity.ts";
import { setUp, setupState } from "#lib/auth/sign-in/setup.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getSetupState",
		summary: "Check whether Tapedeck still needs its first account",
		permission: "public",
		answers: { 200: setupStateSchema },
	},
	({ app, request }) => setupState(app, { local: isLocalRequest(request.headers) }),
);

export const POST = route(
	{
		operationId: "setUp",
		summary: "Create the first account and its organization, and sign in",
		permission: "public",
		audit: ["setup.done"],
		body: setupBodySchema,
		answers: { 201: sessionUserSchema },
	},
	async ({ app, body, request }) => {
		const visitor = { local: isLocalRequest(request.headers), address: clientAddress(request.headers) };
		const owner = await setUp(app, body, visitor);
		const headers = new Headers({ "cache-control": "no-store" });
		for (const cookie of await app.auth.signIn(body.email, body.password, request.headers)) {
			headers.append("set-cookie", cookie);
		}
		return Response.json(await sessionUser(app, owner), { status: 201, headers });
	},
);
