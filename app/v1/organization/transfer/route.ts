import { transferOwnership } from "#lib/auth/members/change-role.ts";
import { memberSchema, transferOwnershipBodySchema } from "#lib/contract/member.ts";
import { assertMayAdminister } from "#lib/core/access.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "Make another member owner and the caller, who is one, admin",
		actors: ["user"],
		audit: ["organization.transferred"],
		authorize: assertMayAdminister,
		body: transferOwnershipBodySchema,
		answers: { 200: memberSchema },
	},
	async ({ ctx, body }) => ({ status: 200, body: await transferOwnership(ctx, body.userId) }),
);
