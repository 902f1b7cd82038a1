import { changeRoleBodySchema, memberSchema } from "@tapedeck/contract/member.ts";
import { changeRole } from "#lib/auth/members/change-role.ts";
import { removeMember } from "#lib/auth/members/remove-member.ts";
import { pathIds, route } from "#lib/http/route.ts";

const params = pathIds("userId");

export const PATCH = route(
	{
		operationId: "changeMemberRole",
		summary: "Change a member's role",
		permission: "organization:manage",
		audit: ["member.role_changed"],
		params,
		body: changeRoleBodySchema,
		answers: { 200: memberSchema },
	},
	({ ctx, params, body }) => changeRole(ctx, params.userId, body.role),
);

export const DELETE = route(
	{
		operationId: "removeMember",
		summary: "Remove a member; with your own id, leave the organization",
		permission: "members:leave",
		audit: ["member.removed", "member.left"],
		params,
		answers: { 204: null },
	},
	({ ctx, params }) => removeMember(ctx, params.userId),
);
