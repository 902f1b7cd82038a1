import { renameOrganization } from "#lib/auth/members/organizations.ts";
import { organizationBodySchema, organizationSchema } from "#lib/contract/member.ts";
import { assertMayAdminister } from "#lib/core/access.ts";
import { route } from "#lib/server/route.ts";

export const PATCH = route(
	{
		summary: "Rename the organization that the caller acts for",
		actors: ["user"],
		audit: ["organization.updated"],
		authorize: assertMayAdminister,
		body: organizationBodySchema,
		answers: { 200: organizationSchema },
	},
	async ({ ctx, body }) => ({ status: 200, body: await renameOrganization(ctx, body.name) }),
);
