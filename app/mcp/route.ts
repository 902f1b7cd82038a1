import { TapedeckError } from "#lib/core/errors.ts";
import { route } from "#lib/http/route.ts";

/** A call has a tool's name and its arguments. */
const MAX_BYTES = 256 * 1024;

export const POST = route(
	{
		operationId: "callMcp",
		summary: "Call the tools for agents by the Model Context Protocol (streamable HTTP, without sessions)",
		// Each tool checks the permission of the endpoint that does the same.
		permission: "identity:read",
		audit: ["job.created", "job.cancelled", "job.changed", "link.created", "link.signed"],
		answers: { 200: ["application/json", "text/event-stream"], 202: null },
	},
	async ({ app, ctx, request, signal }) => {
		assertOwnOrigin(request.headers.get("origin"), app.auth.trustedOrigins);
		const body = await request.body(MAX_BYTES);
		// Loaded by the first call: it is large, and few dashboards need it.
		const { answerMcp } = await import("#lib/mcp/answer-mcp.ts");
		return answerMcp({ app, ctx, request, body, signal });
	},
);

/** The protocol asks for it, also with a key: a page of another site could otherwise use a dashboard in a private network. */
function assertOwnOrigin(origin: string | null, trusted: readonly string[]): void {
	if (origin === null || trusted.includes(origin)) return;
	throw new TapedeckError("forbidden", "Pages of other sites cannot call /mcp. Call it from a program, or from here.");
}
