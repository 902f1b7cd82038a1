import { exportAudit } from "#lib/audit/list-audit.ts";
import { watchCredential } from "#lib/auth/credentials/watch-credential.ts";
import { exportAuditQuerySchema } from "#lib/contract/audit.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		operationId: "exportAuditLog",
		summary: "Export the audit log as JSON lines, oldest first",
		permission: "organization:manage",
		query: exportAuditQuerySchema,
		answers: { 200: ["application/x-ndjson"] },
	},
	async ({ ctx, app, query, request }) =>
		new Response(
			exportAudit(ctx, query, () => watchCredential(app, request.headers, ctx.actor)),
			{
				headers: {
					"content-type": "application/x-ndjson",
					"content-disposition": 'attachment; filename="tapedeck-audit-log.ndjson"',
					"cache-control": "no-store",
				},
			},
		),
);
