import { beginDeviceSignInBodySchema, deviceSignInSchema } from "@tapedeck/contract/device-sign-in.ts";
import { beginDeviceSignIn } from "#lib/auth/credentials/device-sign-in.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "beginDeviceSignIn",
		summary: "Begin to sign in a program: a person confirms its code in the dashboard",
		permission: "public",
		audit: { none: "Nobody has confirmed it yet." },
		body: beginDeviceSignInBodySchema,
		answers: { 201: deviceSignInSchema },
	},
	async ({ app, body, request }) => {
		const ctx = contextFor(app, { kind: "system", organizationId: 0 });
		const address = clientAddress(request.headers);
		return beginDeviceSignIn({ ...ctx, address }, body);
	},
);
