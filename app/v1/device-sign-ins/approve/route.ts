import { approveDeviceSignInBodySchema } from "@tapedeck/contract/device-sign-in.ts";
import { approveDeviceSignIn } from "#lib/auth/credentials/device-sign-in.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "approveDeviceSignIn",
		summary: "Confirm a code: the program that shows it gets an API key",
		permission: "organization:manage",
		audit: ["device_sign_in.approved"],
		body: approveDeviceSignInBodySchema,
		answers: { 204: null },
	},
	({ ctx, body }) => approveDeviceSignIn(ctx, body),
);
