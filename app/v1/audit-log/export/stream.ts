import { exportAuditQuerySchema } from "@tapedeck/contract/audit.ts";
import { serveAudit } from "#lib/audit/list-audit.ts";
import { stream } from "#lib/http/stream.ts";

export const GET = stream(
	{
		operationId: "exportAuditLog",
		summary: "Export the audit log as JSON lines, oldest first",
		permission: "organization:manage",
		download: true,
		query: exportAuditQuerySchema,
		answers: { 200: ["application/x-ndjson"] },
	},
	({ ctx, query, req, res }) => serveAudit(ctx, { filters: query, req, res }),
);
