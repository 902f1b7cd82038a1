import { changeNameBodySchema } from "@tapedeck/contract/account.ts";
import { identitySchema } from "@tapedeck/contract/identity.ts";
import { changeName } from "#lib/auth/account/own-account.ts";
import { apiKeyIdentity, sessionUser } from "#lib/auth/sign-in/identity.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getIdentity",
		summary: "Get the signed-in user or API key",
		permission: "identity:read",
		answers: { 200: identitySchema },
	},
	async ({ ctx, app, request }) => {
		if (ctx.actor.kind === "apiKey") return apiKeyIdentity(ctx, ctx.actor);
		if (ctx.actor.kind !== "user") throw new Error(`a ${ctx.actor.kind} has no identity`);
		const headers = new Headers({ "cache-control": "no-store" });
		// Every page makes this call once, so it extends the session.
		for (const cookie of await app.auth.prolongSession(request.headers)) headers.append("set-cookie", cookie);
		return Response.json(await sessionUser(ctx, ctx.actor), { headers });
	},
);

export const PATCH = route(
	{
		operationId: "renameAccount",
		summary: "Change your name",
		permission: "account:manage",
		audit: { none: "Only concerns the caller." },
		body: changeNameBodySchema,
		answers: { 204: null },
	},
	({ ctx, body }) => changeName(ctx, body.name),
);
