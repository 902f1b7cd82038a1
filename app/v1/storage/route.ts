import { storageSchema } from "@tapedeck/contract/storage.ts";
import { route } from "#lib/http/route.ts";
import { getStorage } from "#lib/recordings/space/storage-status.ts";

export const GET = route(
	{
		operationId: "getStorage",
		summary: "Get the free disk space and storage quota, and whether uploads are paused",
		permission: "recordings:read",
		answers: { 200: storageSchema },
	},
	({ ctx }) => getStorage(ctx),
);
