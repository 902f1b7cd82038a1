import { createOrganization } from "#lib/auth/members/organizations.ts";
import { organizationBodySchema, organizationSchema } from "#lib/contract/member.ts";
import { assertMayAdminister } from "#lib/core/access.ts";
import { route } from "#lib/server/route.ts";

export const POST = route(
	{
		summary: "Make another organization, owned by the caller",
		actors: ["user"],
		audit: ["organization.created"],
		authorize: assertMayAdminister,
		body: organizationBodySchema,
		answers: { 201: organizationSchema },
	},
	async ({ ctx, body }) => ({ status: 201, body: await createOrganization(ctx, body.name) }),
);
