/** @type {import("next").NextConfig} */
export default {
	poweredByHeader: false,
	reactStrictMode: true,
	// The pages are served by server.ts; /v1 never reaches Next there.
	serverExternalPackages: [
		"pino",
		"better-auth",
		"@better-auth/core",
		"kysely",
		"pg",
		"prom-client",
		"@tus/server",
		"@tus/file-store",
	],
};
