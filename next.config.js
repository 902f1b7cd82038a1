/** @type {import("next").NextConfig} */
export default {
	poweredByHeader: false,
	reactStrictMode: true,
	// Pages and layouts only: server.ts calls the routes of /v1 itself (app/v1/**/route.ts), so Next must not build them.
	pageExtensions: ["tsx"],
	// Builds of the same sources are the same build: their pages go from one to the other without a reload.
	generateBuildId: async () => (await import("./bin/setup/build.mjs")).digestOfSources().slice(0, 20),
	// The types of the whole checkout are judged by one `tsc`, not once more by each build.
	typescript: { ignoreBuildErrors: true },
	// The pages are served by server.ts; /v1 never reaches Next there.
	serverExternalPackages: ["pino", "better-auth", "@better-auth/core", "kysely", "pg", "prom-client"],
};
