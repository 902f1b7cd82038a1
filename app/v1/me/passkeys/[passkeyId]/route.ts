import { removePasskey } from "#lib/auth/account/passkeys.ts";
import { pathIds, route } from "#lib/http/route.ts";

export const DELETE = route(
	{
		operationId: "removePasskey",
		summary: "Remove one of your passkeys",
		permission: "account:manage",
		audit: ["passkey.removed"],
		params: pathIds("passkeyId"),
		answers: { 204: null },
	},
	({ ctx, params }) => removePasskey(ctx, params.passkeyId),
);
