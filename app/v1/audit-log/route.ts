import { listAudit } from "#lib/audit/list-audit.ts";
import { auditPageSchema, listAuditQuerySchema } from "#lib/contract/audit.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary: "Who did what to what, when and from where; newest first. For owners and admins.",
		actors: ["user"],
		query: listAuditQuerySchema,
		answers: { 200: auditPageSchema },
	},
	async ({ ctx, query }) => ({ status: 200, body: await listAudit(ctx, query) }),
);
