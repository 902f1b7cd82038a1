import { apiKeyIdentity, sessionUser } from "#lib/auth/sign-in/identity.ts";
import { changeName } from "#lib/auth/own-account.ts";
import { changeNameBodySchema } from "#lib/contract/account.ts";
import { identitySchema } from "#lib/contract/organization.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{ summary: "Tell who the caller is", answers: { 200: identitySchema } },
	async ({ ctx, app, request }) => {
		if (ctx.actor.kind === "apiKey") return { status: 200, body: await apiKeyIdentity(ctx, ctx.actor) };
		if (ctx.actor.kind !== "user") throw new Error(`a ${ctx.actor.kind} was let in`);
		const headers = new Headers({ "cache-control": "no-store" });
		// Every page asks this once: the moment to prolong a session that is in use.
		for (const cookie of await app.auth.prolongSession(request.headers)) headers.append("set-cookie", cookie);
		return Response.json(await sessionUser(ctx, ctx.actor), { headers });
	},
);

export const PATCH = route(
	{
		summary: "Change the name that others see",
		actors: ["user"],
		audit: { none: "It concerns nobody but the caller." },
		body: changeNameBodySchema,
		answers: { 204: null },
	},
	async ({ ctx, body }) => {
		await changeName(ctx, body.name);
		return { status: 204 };
	},
);
