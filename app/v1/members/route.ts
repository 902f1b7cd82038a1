import { listMembersQuerySchema, memberPageSchema } from "@tapedeck/contract/member.ts";
import { listMembers } from "#lib/auth/members/list-members.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listMembers",
		summary: "List members",
		permission: "members:read",
		query: listMembersQuerySchema,
		answers: { 200: memberPageSchema },
	},
	({ ctx, query }) => listMembers(ctx, query),
);
