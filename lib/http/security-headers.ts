/** Security headers that keep pages and files from being used against their viewers. */

type Headers = Readonly<Record<string, string>>;

const STAY_WITH_TLS_SECONDS = 180 * 86_400;

/**
 * Headers of every response, files and JSON included: no content sniffing, no embedding in other sites, and no scripts
 * in a video or image that is opened directly.
 * @param tls whether TAPEDECK_URL uses https.
 */
export const securityHeaders = (tls: boolean): Headers => ({
	"x-content-type-options": "nosniff",
	"referrer-policy": "same-origin",
	"cross-origin-resource-policy": "same-origin",
	"x-frame-options": "DENY",
	"content-security-policy": "default-src 'none'; media-src 'self'; frame-ancestors 'none'; sandbox",
	...(tls ? { "strict-transport-security": `max-age=${STAY_WITH_TLS_SECONDS}` } : {}),
});

/** Headers of pages, in addition to those of every response. @param policy from contentSecurityPolicy. */
export const pageSecurityHeaders = (policy: string): Headers => ({
	"content-security-policy": policy,
	"cross-origin-opener-policy": "same-origin",
	"permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
});

/** Headers of pages whose URL is a secret, in addition to those of every page: no Referer, no indexing. */
export const sharedPageHeaders: Headers = {
	"referrer-policy": "no-referrer",
	"x-robots-tag": "noindex, nofollow",
};

/**
 * Allows scripts by the request's nonce only. Inline style attributes are allowed: positions and sizes use them.
 * @param framedBy origins whose pages may show the page in a frame.
 */
export const contentSecurityPolicy = (nonce: string, development: boolean, framedBy: readonly string[] = []): string =>
	[
		"default-src 'self'",
		`script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
		"style-src 'self' 'unsafe-inline'",
		"img-src 'self' blob: data:",
		"media-src 'self' blob:",
		"font-src 'self'",
		`connect-src 'self'${development ? " ws:" : ""}`,
		"object-src 'none'",
		"base-uri 'none'",
		"form-action 'self'",
		`frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(" ")}`,
	].join("; ");
