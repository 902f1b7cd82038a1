/** Decides by Fetch Metadata and Origin which web pages may act with a visitor's cookie: only our own. */
import { TapedeckError } from "#lib/core/errors.ts";
import type { RequestHeaders } from "#lib/core/request-headers.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Whether this origin is ours: it is listed, or it has the host that the request was sent to. The second rule lets
 * people use a dashboard by its IP address. Pages of other hosts cannot exploit it, because cookies belong to a host
 * and a browser does not let a page choose its Host or Origin.
 */
export function isTrustedOrigin(origin: string, headers: RequestHeaders, trustedOrigins: readonly string[]): boolean {
	if (trustedOrigins.includes(origin)) return true;
	const host = headers.get("host");
	return host !== null && (origin === `http://${host}` || origin === `https://${host}`);
}

/**
 * Refuses a state-changing call that another site made with our visitor's cookie. Safe methods pass. A call without
 * Fetch Metadata and without Origin does not come from a browser's page, and passes.
 * @throws forbidden
 */
export function assertSameOrigin(headers: RequestHeaders, method: string, trustedOrigins: readonly string[]): void {
	if (SAFE_METHODS.has(method.toUpperCase())) return;
	const site = headers.get("sec-fetch-site");
	if (site === "same-origin" || site === "none") return;
	const origin = headers.get("origin");
	if (origin === null ? site === null : isTrustedOrigin(origin, headers, trustedOrigins)) return;
	throw new TapedeckError(
		"forbidden",
		"This call came from another site. Open the dashboard at its own URL (TAPEDECK_URL), or send an API key.",
	);
}
