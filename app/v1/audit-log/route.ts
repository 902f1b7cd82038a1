import { auditPageSchema, listAuditQuerySchema } from "@tapedeck/contract/audit.ts";
import { listAudit } from "#lib/audit/list-audit.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "listAuditEntries",
		summary: "List audit log entries, newest first",
		permission: "organization:manage",
		query: listAuditQuerySchema,
		answers: { 200: auditPageSchema },
	},
	({ ctx, query }) => listAudit(ctx, query),
);
