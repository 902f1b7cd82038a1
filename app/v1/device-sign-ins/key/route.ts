import { deviceCodeBodySchema, deviceKeySchema } from "@tapedeck/contract/device-sign-in.ts";
import { fetchDeviceKey } from "#lib/auth/credentials/device-sign-in.ts";
import { clientAddress } from "#lib/auth/sign-in/client-address.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "fetchDeviceKey",
		summary: "Fetch the API key of a confirmed sign-in, once",
		permission: "public",
		audit: ["api_key.created"],
		body: deviceCodeBodySchema,
		answers: { 200: deviceKeySchema },
	},
	async ({ app, body, request }) => {
		const ctx = contextFor(app, { kind: "system", organizationId: 0 });
		const address = clientAddress(request.headers);
		return fetchDeviceKey({ ...ctx, address }, body.deviceCode);
	},
);
