import { refusalOf } from "#lib/access/authorize.ts";
import { isOperator } from "#lib/http/authenticate-request.ts";
import { unauthorized } from "#lib/http/problem.ts";
import { route } from "#lib/http/route.ts";

export const GET = route(
	{
		operationId: "getMetrics",
		summary:
			"Prometheus metrics: of the instance for TAPEDECK_METRICS_TOKEN or an address of TAPEDECK_METRICS_ADDRESSES, of one organization for its API keys with the scope metrics:read.",
		permission: "public",
		servesOperator: true,
		// Counted below: a call with the operator's token is none without valid credentials.
		rateLimit: false,
		answers: { 200: ["text/plain"] },
	},
	async ({ ctx, app, request }) => {
		const isOperators = isOperator(app, request.headers);
		const limits = isOperators ? {} : await app.limits.count(ctx?.actor ?? null, request.headers);
		const whose = isOperators ? "instance" : ctx?.actor;
		const hasScope = whose === "instance" || (whose?.kind === "apiKey" && refusalOf("metrics:read", whose) === null);
		if (whose === undefined || !hasScope) throw unauthorized();
		const headers = { "content-type": app.metrics.contentType, "cache-control": "no-store", ...limits };
		return new Response(await app.metrics.text(whose), { headers });
	},
);
