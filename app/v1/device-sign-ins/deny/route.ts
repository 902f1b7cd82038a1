import { userCodeBodySchema } from "@tapedeck/contract/device-sign-in.ts";
import { denyDeviceSignIn } from "#lib/auth/credentials/device-sign-in.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "denyDeviceSignIn",
		summary: "Deny a code",
		permission: "organization:manage",
		audit: { none: "It gives nobody anything." },
		body: userCodeBodySchema,
		answers: { 204: null },
	},
	({ ctx, body }) => denyDeviceSignIn(ctx, body.userCode),
);
