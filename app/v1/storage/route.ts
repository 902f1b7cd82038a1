import { storageSchema } from "#lib/contract/storage.ts";
import { getStorage } from "#lib/recordings/disk-room.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Read how much room there is for videos, and whether uploads wait for more.",
		scope: "recordings:read",
		answers: { 200: storageSchema },
	},
	async ({ ctx }) => ({ status: 200, body: await getStorage(ctx) }),
);
