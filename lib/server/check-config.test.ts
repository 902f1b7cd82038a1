/** The dashboard's variables, as its own process reads them. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { KNOWN_VARIABLES } from "@tapedeck/client-source/known-variables.ts";
import { RUNNER_VARIABLES } from "@tapedeck/machine/runner-variables.ts";
import { beforeEach, expect, test } from "vitest";
import { startChild } from "#test/processes/child.ts";
import { root } from "#test/stack.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { effectiveVariables, readEnv } from "./env.ts";

let dataDir: string;
beforeEach(async () => {
	dataDir = await temporaryFolder("config");
});

/** Runs `npm run dashboard -- …` with these variables only. */
async function dashboard(variables: Record<string, string>, ...args: string[]) {
	const env = { PATH: process.env.PATH, PORT: "0", TAPEDECK_DATA_DIR: dataDir, ...variables };
	const child = startChild(process.execPath, ["server.ts", ...args], {
		cwd: root,
		env: env as unknown as NodeJS.ProcessEnv,
	});
	const status = await child.exited;
	return { status, output: child.output() };
}

test("the dashboard does not start with variables that it doesn't know, and names what was probably meant", async () => {
	const { status, output } = await dashboard({
		TAPEDECK_LIMIT_ORGANISATION_GB: "500",
		TAPEDECK_SECRETKEY: "x",
		TAPEDECK_METRICS_ADRESSES: "10.0.0.1",
		TAPEDECK_TRUSTED_PROXY: "10.0.0.1",
		TAPEDECK_PORT: "8080",
		TAPEDECKURL: "https://tapedeck.example.com",
		tapedeck_host: "0.0.0.0",
		TAPEDECK_DISK_RESERVE: "100",
		TAPEDECK_UNLIKE_ANYTHING_ELSE: "1",
		TAPEDECK_DRAIN_SECONDS: "soon",
	});
	expect(status).toBe(1);
	expect(output.trim().split("\n").sort()).toEqual(
		[
			"TAPEDECK_LIMIT_ORGANISATION_GB is not a variable of Tapedeck. Did you mean TAPEDECK_LIMIT_ORGANIZATION_GB?",
			"TAPEDECK_SECRETKEY is not a variable of Tapedeck. Did you mean TAPEDECK_SECRET_KEY?",
			"TAPEDECK_METRICS_ADRESSES is not a variable of Tapedeck. Did you mean TAPEDECK_METRICS_ADDRESSES?",
			"TAPEDECK_TRUSTED_PROXY is not a variable of Tapedeck. Did you mean TAPEDECK_TRUSTED_PROXIES?",
			"TAPEDECK_PORT is not a variable of Tapedeck. Did you mean PORT?",
			"TAPEDECKURL is not a variable of Tapedeck. Did you mean TAPEDECK_URL?",
			"tapedeck_host is not a variable of Tapedeck. Did you mean HOST?",
			"TAPEDECK_DISK_RESERVE is not a variable of Tapedeck. Did you mean TAPEDECK_DISK_RESERVE_MB?",
			"TAPEDECK_UNLIKE_ANYTHING_ELSE is not a variable of Tapedeck. Remove it.",
			"TAPEDECK_DRAIN_SECONDS must be a whole number of seconds up to 999, such as 10.",
		].sort(),
	);
});

test("invalid values for an empty database are refused with every reason before anything is opened", async () => {
	const check = async (variables: Record<string, string>) => {
		const prefixed = Object.entries(variables).map(([name, value]) => [`TAPEDECK_BOOTSTRAP_${name}`, value]);
		return dashboard(Object.fromEntries(prefixed), "check-config");
	};
	const wrong = { EMAIL: "nobody", PASSWORD: "short", API_KEY: "short", RUNNER_TOKEN: "with space and more than 20" };
	const all = await check(wrong);
	expect([all.status, all.output]).toEqual([1, expect.stringMatching(/EMAIL.*PASSWORD.*API_KEY.*RUNNER_TOKEN/s)]);
	expect((await check({ EMAIL: "op@example.com" })).output).toContain("Set both");
	const same = "the-same-value-in-both-places";
	expect((await check({ API_KEY: same, RUNNER_TOKEN: same })).output).toContain("must not be the same");
});

/**
 * Other variables in the same environment: settings of a runner, of a recorded command, and of a Kubernetes Service.
 */
const OTHERS = {
	TAPEDECK_TOKEN: "tdr_0123456789abcdefghij",
	TAPEDECK_DISPLAY_ALLOW: ":99",
	TAPEDECK_JOB_ID: "7",
	TAPEDECK_API_KEY: "tdk_0123456789abcdefghij",
	TAPEDECK_SERVICE_HOST: "10.96.0.1",
	TAPEDECK_SERVICE_PORT: "80",
	TAPEDECK_SERVICE_PORT_HTTP: "80",
	TAPEDECK_PORT: "tcp://10.96.0.1:80",
	TAPEDECK_PORT_80_TCP: "tcp://10.96.0.1:80",
	TAPEDECK_PORT_80_TCP_PROTO: "tcp",
	TAPEDECK_PORT_80_TCP_PORT: "80",
	TAPEDECK_PORT_80_TCP_ADDR: "10.96.0.1",
	TAPEDECKDB_PORT_80_TCP: "tcp://10.96.0.1:80",
	TAPEDECKER_HOME: "/opt/another-program",
	TAPEDECK_DASHBOARD_SERVICE_HOST: "10.96.0.2",
	TAPEDECK_DASHBOARD_PORT: "tcp://10.96.0.2:80",
	TAPEDECK_TEST_DASHBOARDS: "2",
};

test("check-config prints the configuration without a secret, and ends with 0", async () => {
	const secrets = {
		TAPEDECK_SECRET_KEY: "1a".repeat(32),
		TAPEDECK_SECRET_KEY_PREVIOUS: "2b".repeat(32),
		TAPEDECK_METRICS_TOKEN: "metrics-token-of-many-letters",
		TAPEDECK_OIDC_CLIENT_SECRET: "client-secret",
		TAPEDECK_BOOTSTRAP_PASSWORD: "a long password",
		TAPEDECK_BOOTSTRAP_API_KEY: "tdk_bootstrap_0123456789",
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: "tdr_bootstrap_0123456789",
	};
	const { status, output } = await dashboard(
		{
			...OTHERS,
			...secrets,
			TAPEDECK_BOOTSTRAP_EMAIL: "owner@example.com",
			TAPEDECK_URL: "https://tapedeck.example.com",
			TAPEDECK_DATABASE_URL: "postgres://tapedeck:p@ss:w0rd@db.example/tapedeck?sslmode=require&sslpassword=hush",
			TAPEDECK_STORAGE_URL: "s3://videos/tapedeck?endpoint=https://u:hush@s3.example.com&region=eu-central-1",
			TAPEDECK_OIDC_ISSUER: "https://login.example.com",
			TAPEDECK_OIDC_CLIENT_ID: "tapedeck",
			TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "7",
			TAPEDECK_LIMIT_STREAMS: "",
		},
		"check-config",
	);
	expect(status, output).toBe(0);
	const lines = output.trim().split("\n");
	expect(lines[0]).toBe("The configuration is valid.");
	expect(lines).toEqual(
		expect.arrayContaining([
			"PORT=0",
			"HOST=127.0.0.1 (default)",
			`TAPEDECK_DATA_DIR=${dataDir}`,
			"TAPEDECK_URL=https://tapedeck.example.com",
			"TAPEDECK_DATABASE_URL=postgres://(hidden)@db.example/tapedeck?sslmode=require&sslpassword=(hidden)",
			"TAPEDECK_STORAGE_URL=s3://videos/tapedeck?endpoint=https://(hidden)@s3.example.com&region=eu-central-1",
			"TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS=7",
			"TAPEDECK_LIMIT_STREAMS=100 (default)",
			"TAPEDECK_INTERNAL_URL is not set",
			"TAPEDECK_SECRET_KEY=(hidden)",
			"TAPEDECK_TOKEN is for runners and commands; the dashboard ignores it",
		]),
	);
	for (const secret of [...Object.values(secrets), "hush", "w0rd"]) expect(output).not.toContain(secret);
});

test("check-config names everything that is wrong, and ends with 1", async () => {
	const variables = { TAPEDECK_DATABASE_URL: "postgres://db.example/tapedeck", TAPEDECK_LIMITS_CALLS: "1" };
	const wrong = await dashboard({ ...variables, PORT: "http", TAPEDECK_OIDC_CLIENT_ID: "x" }, "check-config");
	expect(wrong.status).toBe(1);
	for (const sentence of ["PORT must be", "Did you mean TAPEDECK_LIMIT_CALLS?"]) {
		expect(wrong.output).toContain(sentence);
	}
	const alone = await dashboard({ TAPEDECK_DATABASE_URL: variables.TAPEDECK_DATABASE_URL }, "check-config");
	expect(alone.status).toBe(1);
	expect(alone.output).toMatch(/set TAPEDECK_SECRET_KEY.*\n.*set TAPEDECK_URL/);
	const more = await dashboard({ TAPEDECK_OIDC_CLIENT_ID: "x", TAPEDECK_URLS: "x" }, "check-config");
	expect(more.output).toContain("TAPEDECK_URLS is not a variable of Tapedeck. Did you mean TAPEDECK_URL?");
	expect(more.output).toContain("Single sign-on also needs");
});

test("check-config finds variables that need PostgreSQL when the database is embedded, and a URL with a path", () => {
	const problemsOf = (variables: Record<string, string>) => {
		try {
			readEnv(variables);
		} catch (error) {
			return (error as Error).message.split("\n");
		}
		return [];
	};
	const direct = { TAPEDECK_DATABASE_DIRECT_URL: "postgres://db.example/tapedeck" };
	expect(problemsOf({ ...direct, TAPEDECK_INTERNAL_URL: "http://10.0.0.5:3000" })).toEqual([
		"TAPEDECK_DATABASE_DIRECT_URL is only for a dashboard on PostgreSQL. Set TAPEDECK_DATABASE_URL too, or remove it.",
		"TAPEDECK_INTERNAL_URL is only for a dashboard on PostgreSQL. Set TAPEDECK_DATABASE_URL too, or remove it.",
	]);
	expect(problemsOf({ ...direct, TAPEDECK_DATABASE_URL: "postgres://pooler.example/tapedeck" })).toEqual([]);
	for (const url of ["https://ci.example.com/tapedeck", "https://ci.example.com/?a=b", "https://ci.example.com/#a"]) {
		expect(problemsOf({ TAPEDECK_URL: url })).toEqual([expect.stringContaining("must be without a path")]);
	}
	expect(problemsOf({ TAPEDECK_URL: "https://ci.example.com//" })).toEqual([]);
});

test("the known variables are those that the dashboard, runners and commands read", () => {
	expect(KNOWN_VARIABLES).toEqual([...new Set([...effectiveVariables({}).keys(), ...RUNNER_VARIABLES])].sort());
});

/** Files that an operator copies into an environment, and files that set variables for others. */
const NAMES_IN = [
	"{README.md,docs/*,action.yml,action/**,bin/**,deploy/**,runner/**,lib/**,components/**}",
	"clients/{python,typescript,playwright}/{README.md,src/**}",
];

test("every variable that documents, manifests and programs of this repository name is known", async () => {
	const named = new Map<string, string>();
	for await (const file of glob(NAMES_IN, { cwd: root, exclude: ["**/node_modules", "**/*.test.ts"] })) {
		const text = await readFile(join(root, file), "utf8").catch(() => "");
		for (const [name] of text.matchAll(/\bTAPEDECK_[A-Z_]*[A-Z]\b(?!_)/g)) named.set(name, file);
	}
	// Placeholders: one names no particular variable, the other is a misspelling in the page about misspelled variables.
	for (const example of ["TAPEDECK_X", "TAPEDECK_ULR"]) named.delete(example);
	expect(named.size).toBeGreaterThan(40);
	// Known variables may still have invalid values.
	const variables = Object.fromEntries([...named.keys()].map((name) => [name, "?"]));
	const { status, output } = await dashboard(variables, "check-config");
	expect(status).toBe(1);
	expect(output).toContain("TAPEDECK_OIDC_ISSUER must be the provider's address");
	expect(output.split("\n").filter((line) => line.includes("is not a variable"))).toEqual([]);
});
