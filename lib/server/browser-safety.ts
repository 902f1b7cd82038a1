/** What browsers are told, so that a page or a file of ours cannot be turned against those who look at it. */

type Headers = readonly (readonly [name: string, value: string])[];

const STAY_WITH_TLS_SECONDS = 180 * 86_400;

/**
 * For every answer, files and JSON included: no guessing of types, no drawing into pages of other sites, and nothing
 * of ours that is opened by itself (a video, a picture) can run a script or be a page.
 * @param tls whether people come by https, as TAPEDECK_URL says.
 */
export const browserSafety = (tls: boolean): Headers => [
	["x-content-type-options", "nosniff"],
	["referrer-policy", "same-origin"],
	["cross-origin-resource-policy", "same-origin"],
	["x-frame-options", "DENY"],
	["content-security-policy", "default-src 'none'; media-src 'self'; frame-ancestors 'none'; sandbox"],
	...(tls ? [["strict-transport-security", `max-age=${STAY_WITH_TLS_SECONDS}`] as const] : []),
];

/** For pages, over what every answer carries. @param policy contentSecurityPolicy's. */
export const pageSafety = (policy: string): Headers => [
	["content-security-policy", policy],
	["cross-origin-opener-policy", "same-origin"],
	["permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"],
];

/** For pages whose address is a secret, over what every page carries: it is not told on, and in no index. */
export const sharedPageSafety: Headers = [
	["referrer-policy", "no-referrer"],
	["x-robots-tag", "noindex, nofollow"],
];

/** Scripts run by the request's nonce alone. Styles may stand in attributes: positions and sizes do. */
export const contentSecurityPolicy = (nonce: string, development: boolean): string =>
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
		"frame-ancestors 'none'",
	].join("; ");
