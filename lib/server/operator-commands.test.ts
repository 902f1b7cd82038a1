/** Operator commands, run next to the running dashboard. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { PASSWORD, signIn, tokenOf } from "#test/api-people.ts";
import { TEST_EMAIL, TEST_PASSWORD, type TestApi } from "#test/api-server.ts";
import { onOneDatabase } from "#test/databases/each-database.ts";

const SERVER = fileURLToPath(new URL("../../server.ts", import.meta.url));

/** Runs `npm run dashboard -- …` with the environment of the running dashboard. */
async function operate(api: TestApi, ...args: string[]): Promise<{ status: number; text: string }> {
	const { env } = api;
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
	const variables = {
		...Object.fromEntries(inherited),
		TAPEDECK_DATA_DIR: api.dataDir,
		TAPEDECK_URL: "https://tapedeck.example.com/",
		...(env.databaseUrl === null ? {} : { TAPEDECK_DATABASE_URL: env.databaseUrl }),
	};
	try {
		const { stdout } = await promisify(execFile)(process.execPath, [SERVER, ...args], {
			env: variables as unknown as NodeJS.ProcessEnv,
		});
		return { status: 0, text: stdout };
	} catch (error) {
		const { code, stderr } = error as { code: number; stderr: string };
		return { status: code, text: stderr };
	}
}

onOneDatabase((api) => {
	test("an owner who lost the password gets a link that works once, and the audit log names the operator", async () => {
		const before = await signIn(api());
		const { status, text } = await operate(api(), "reset-password", TEST_EMAIL.toUpperCase());
		expect(status, text).toBe(0);
		const url = text.trim().split("\n").at(-1) ?? "";
		expect(url).toMatch(/^https:\/\/tapedeck\.example\.com\/reset-password#[\w-]{43}$/);
		const reset = () =>
			api().call("POST", "/v1/password-reset", { token: null, body: { token: tokenOf(url), password: PASSWORD } });
		expect((await before.call("GET", "/v1/me")).status).toBe(200);
		expect((await reset()).status).toBe(204);
		expect((await before.call("GET", "/v1/me")).status).toBe(401);
		expect((await reset()).status).toBe(410);
		await expect(signIn(api(), TEST_EMAIL, TEST_PASSWORD)).rejects.toThrow(/401/);
		const owner = await signIn(api(), TEST_EMAIL, PASSWORD);
		const entries = (await owner.call("GET", "/v1/audit-log?action=password.reset_link_created")).body.data;
		expect(entries).toMatchObject([{ actor: { kind: "system", name: "The operator" }, target: { kind: "user" } }]);
		expect(JSON.stringify(entries)).not.toContain(tokenOf(url));
	});

	test.each([
		[["reset-password", "nobody@example.com"], "No account has the email nobody@example.com."],
		[["reset-password"], "Wrong number of arguments: reset-password.\n\nusage: npm run dashboard"],
		[["reset"], "Unknown command: reset."],
	])("%j fails with a one-line error and exit code 1", async (args, sentence) => {
		const { status, text } = await operate(api(), ...args);
		expect(status).toBe(1);
		expect(text).toContain(sentence);
	});
});

test("commands create nothing where there is no dashboard", async () => {
	const env = { PATH: process.env.PATH, TAPEDECK_DATA_DIR: "/nowhere/at/all" } as unknown as NodeJS.ProcessEnv;
	const failed = promisify(execFile)(process.execPath, [SERVER, "reset-password", TEST_EMAIL], { env });
	await expect(failed).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringContaining("/nowhere/at/all/tapedeck.db"),
	});
});
