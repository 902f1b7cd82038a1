import { memberSchema, transferOwnershipBodySchema } from "@tapedeck/contract/member.ts";
import { transferOwnership } from "#lib/auth/members/change-role.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "transferOwnership",
		summary: "Transfer ownership to another member; you become an admin",
		permission: "organization:transfer",
		audit: ["organization.transferred"],
		body: transferOwnershipBodySchema,
		answers: { 200: memberSchema },
	},
	({ ctx, body }) => transferOwnership(ctx, body.userId),
);
