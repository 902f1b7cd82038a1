import { openedDeviceSignInSchema, userCodeBodySchema } from "@tapedeck/contract/device-sign-in.ts";
import { openDeviceSignIn } from "#lib/auth/credentials/device-sign-in.ts";
import { route } from "#lib/http/route.ts";

/** A POST although it changes nothing, to keep the code out of logs. */
export const POST = route(
	{
		operationId: "openDeviceSignIn",
		summary: "Get what asks to be signed in with a code",
		permission: "organization:manage",
		audit: { none: "It only reads." },
		body: userCodeBodySchema,
		answers: { 200: openedDeviceSignInSchema },
	},
	({ ctx, body }) => openDeviceSignIn(ctx, body.userCode),
);
