import { organizationBodySchema, organizationSchema } from "@tapedeck/contract/organization.ts";
import { renameOrganization } from "#lib/auth/members/organizations.ts";
import { route } from "#lib/http/route.ts";

export const PATCH = route(
	{
		operationId: "renameOrganization",
		summary: "Rename the organization",
		permission: "organization:manage",
		audit: ["organization.updated"],
		body: organizationBodySchema,
		answers: { 200: organizationSchema },
	},
	({ ctx, body }) => renameOrganization(ctx, body.name),
);
