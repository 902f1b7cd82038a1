import { organizationBodySchema, organizationSchema } from "@tapedeck/contract/organization.ts";
import { createOrganization } from "#lib/auth/members/organizations.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "createOrganization",
		summary: "Create another organization, which you own",
		permission: "organization:manage",
		audit: ["organization.created"],
		body: organizationBodySchema,
		answers: { 201: organizationSchema },
	},
	({ ctx, body }) => createOrganization(ctx, body.name),
);
