import { isPeer } from "#lib/auth/peer.ts";
import { unauthorized } from "#lib/server/problem.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		summary:
			"Prometheus metrics, for an API key with the scope metrics:read or an address of TAPEDECK_METRICS_ADDRESSES.",
		open: true,
		answers: { 200: null },
	},
	async ({ ctx, app, request }) => {
		const hasScope = ctx?.actor.kind === "apiKey" && ctx.actor.scopes.includes("metrics:read");
		if (!hasScope && !isPeer(request.headers, app.env.metricsAddresses)) throw unauthorized();
		const headers = { "content-type": app.metrics.contentType, "cache-control": "no-store" };
		return new Response(await app.metrics.text(), { headers });
	},
);
