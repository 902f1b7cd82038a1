import { deleteOrganizationBodySchema, organizationDeletionSchema } from "@tapedeck/contract/organization.ts";
import { cancelDeletion, requestDeletion } from "#lib/auth/members/organization-deletion.ts";
import { route } from "#lib/http/route.ts";

export const POST = route(
	{
		operationId: "deleteOrganization",
		summary: "Delete the organization with everything in it, 7 days from now; its name confirms that it is the one",
		permission: "organization:delete",
		audit: ["organization.deletion_requested"],
		body: deleteOrganizationBodySchema,
		refusals: ["conflict"],
		answers: { 200: organizationDeletionSchema },
	},
	({ ctx, body }) => requestDeletion(ctx, body.name),
);

export const DELETE = route(
	{
		operationId: "cancelOrganizationDeletion",
		summary: "Cancel the deletion of the organization",
		permission: "organization:delete",
		audit: ["organization.deletion_cancelled"],
		answers: { 204: null },
	},
	({ ctx }) => cancelDeletion(ctx),
);
