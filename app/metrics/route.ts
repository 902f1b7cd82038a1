import { refusalOf } from "#lib/access/authorize.ts";
import { bearerToken } from "#lib/auth/credentials/authenticate.ts";
import { isCallerAt } from "#lib/auth/sign-in/client-address.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";
import { hashSecret } from "#lib/core/secret-box.ts";
import type { AppContext } from "#lib/server/app-context.ts";
import { unauthorized } from "#lib/server/problem.ts";
import { route } from "#lib/server/route.ts";

export const GET = route(
	{
		operationId: "getMetrics",
		summary:
			"Prometheus metrics: of the instance for TAPEDECK_METRICS_TOKEN or an address of TAPEDECK_METRICS_ADDRESSES, of one organization for its API keys with the scope metrics:read.",
		permission: "public",
		answers: { 200: ["text/plain"] },
	},
	async ({ ctx, app, request }) => {
		const whose = isOperator(app, request.headers) ? "instance" : ctx?.actor;
		const hasScope = whose === "instance" || (whose?.kind === "apiKey" && refusalOf("metrics:read", whose) === null);
		if (whose === undefined || !hasScope) throw unauthorized();
		const headers = { "content-type": app.metrics.contentType, "cache-control": "no-store" };
		return new Response(await app.metrics.text(whose), { headers });
	},
);

function isOperator({ env }: AppContext, headers: RequestHeaders): boolean {
	if (isCallerAt(headers, env.metricsAddresses)) return true;
	const token = bearerToken(headers);
	// Compares hashes, so that timing reveals nothing about the token.
	return token !== null && env.metricsToken !== null && hashSecret(token) === hashSecret(env.metricsToken);
}
