import { changePasswordBodySchema } from "@tapedeck/contract/account.ts";
import { changePassword } from "#lib/auth/account/own-account.ts";
import { currentCaller } from "#lib/http/authenticate-request.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "changePassword",
		summary: "Change your password",
		permission: "account:manage",
		audit: ["password.changed"],
		body: changePasswordBodySchema,
		answers: { 204: null },
	},
	async ({ ctx, app, body, request: { headers } }) => changePassword(ctx, await currentCaller(app, headers), body),
);
