/**
 * The real server without pages, on a free port, with a new data directory, an owner, an API key and a runner token.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Display } from "@tapedeck/contract/runner.ts";
import type { SignInAnswer } from "@tapedeck/contract/runner-protocol.ts";
import { readEnv } from "#lib/server/env.ts";
import { databaseOf } from "#lib/server/open-app.ts";
import { APP_DIR, type StartOptions, startServer } from "#lib/server/start-server.ts";
import { copyMigrated } from "./databases/migrated-sqlite.ts";
import { makePatient } from "./videos/patient-frames.ts";

export const TEST_API_KEY = "tdk_test_0123456789abcdef";
export const TEST_RUNNER_TOKEN = "tdr_test_0123456789abcdef";
export const TEST_EMAIL = "owner@example.com";
export const TEST_PASSWORD = "correct horse battery";

/** Settings that a dashboard on PostgreSQL requires. */
const SHARED = { TAPEDECK_SECRET_KEY: "5e".repeat(32), TAPEDECK_URL: "http://tapedeck.test" };

/** A response: status, headers and the parsed body (null when it is empty). */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Answer = { status: number; headers: Headers; body: any };
export type CallOptions = {
	headers?: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
	/** Sent unchanged. */
	raw?: string | Uint8Array;
	/** Bearer token; the test key if omitted, none if null. */
	token?: string | null;
	/** The handling of redirects; followed if omitted. */
	redirect?: "manual";
};
export type TestApi = Awaited<ReturnType<typeof startTestApi>>;

/**
 * @param variables more environment variables of the dashboard, such as TAPEDECK_DATABASE_URL.
 * @param options more options of the server, such as pages.
 */
export async function startTestApi(variables: Record<string, string> = {}, options: Partial<StartOptions> = {}) {
	const dataDir = await mkdtemp(join(tmpdir(), "tapedeck-api-"));
	const env = readEnv({
		PORT: "0",
		TAPEDECK_DATA_DIR: dataDir,
		TAPEDECK_LOG_LEVEL: "error",
		TAPEDECK_LIMIT_CALLS: "0",
		TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: "0",
		TAPEDECK_BOOTSTRAP_EMAIL: TEST_EMAIL,
		TAPEDECK_BOOTSTRAP_PASSWORD: TEST_PASSWORD,
		TAPEDECK_BOOTSTRAP_API_KEY: TEST_API_KEY,
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: TEST_RUNNER_TOKEN,
		...(variables.TAPEDECK_DATABASE_URL === undefined ? {} : SHARED),
		...variables,
	});
	if (env.databaseUrl === null && env.dataDir === dataDir) await copyMigrated(databaseOf(env), env.bootstrap);
	const server = await startServer(env, { appDir: APP_DIR, ...options });
	makePatient(server.app.frameGrabber);
	const url = `http://127.0.0.1:${server.port}`;
	const call = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
		const headers: Record<string, string> = {};
		const token = options.token === undefined ? TEST_API_KEY : options.token;
		if (token !== null) headers.authorization = `Bearer ${token}`;
		if (options.body !== undefined) headers["content-type"] = "application/json";
		const body = options.body === undefined ? options.raw : JSON.stringify(options.body);
		const response = await fetch(url + path, {
			method,
			headers: { ...headers, ...options.headers },
			body: body as string,
			redirect: options.redirect,
		});
		const text = await response.text();
		const isJson = response.headers.get("content-type")?.includes("json") === true;
		return {
			status: response.status,
			headers: response.headers,
			body: text === "" ? null : isJson ? JSON.parse(text) : text,
		};
	};
	/** Signs in a runner without a process behind it. */
	const signIn = async (
		name = "box",
		displays: Display[] = [{ id: ":99", width: 1280, height: 720 }],
		instanceId = `instance-${name}`,
	) => {
		const answer = await call("POST", "/v1/runner/sign-in", {
			token: TEST_RUNNER_TOKEN,
			body: { name, version: "test", instanceId, displays },
		});
		if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status}: ${JSON.stringify(answer.body)}`);
		return answer.body as SignInAnswer;
	};
	const stop = async () => {
		await server.stop();
		await rm(dataDir, { recursive: true, force: true });
	};
	return { ...server, env, url, dataDir, call, signIn, stop };
}
