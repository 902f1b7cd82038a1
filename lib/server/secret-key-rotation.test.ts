/** Changing the secret key: what keeps working, what stops, and what is reported when a key is missing. */

import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSecretBox } from "#lib/core/secret-box.ts";
import {
	loadSecretKey,
	loadSecretKeys,
	PREVIOUS_KEYS_FILE,
	rotateSecretKey,
	SECRET_KEY_FILE,
} from "#lib/core/secret-key.ts";
import { reencryptPasswords } from "#lib/jobs/reencrypt-passwords.ts";
import { cookieOf, type Person, signIn } from "#test/api-people.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { variants } from "#test/in-explore.ts";
import { nextTotpOf, totpOf } from "#test/totp.ts";
import { readEnv } from "./env.ts";
import { runOperatorCommand } from "./operator-commands.ts";

const SECRET = "the secret of the grid";

describe.each(variants(["SQLite", "PostgreSQL"] as const, (database) => database === "SQLite"))("on %s", (database) => {
	let variables: Record<string, string>;
	let api: TestApi | null;
	beforeEach(async () => {
		variables = { TAPEDECK_DATA_DIR: await mkdtemp(join(tmpdir(), "tapedeck-keys-")) };
		if (database === "PostgreSQL") variables.TAPEDECK_DATABASE_URL = await createPostgresDatabase();
	});
	afterEach(async () => {
		await api?.stop();
		await rm(dataDir(), { recursive: true, force: true });
	});

	const dataDir = () => variables.TAPEDECK_DATA_DIR ?? "";
	const operate = (...words: string[]) => runOperatorCommand(readEnv(variables), words);
	/** Starts the dashboard again. */
	async function start(): Promise<TestApi> {
		await api?.stop();
		api = null;
		// PostgreSQL requires the key in the environment; an operator sets it to the file's content.
		const given = database === "PostgreSQL" && variables.TAPEDECK_SECRET_KEY === undefined;
		const TAPEDECK_SECRET_KEY = given ? (await loadSecretKey(dataDir())).toString("hex") : "";
		api = await startTestApi(given ? { ...variables, TAPEDECK_SECRET_KEY } : variables);
		return api;
	}
	async function order(dashboard: TestApi, runnerId: number, jobs = 1): Promise<void> {
		for (let job = 0; job < jobs; job++) {
			const stopConditionConfig = { gridUrl: "http://grid:4444", gridUsername: "me", gridPassword: SECRET };
			const body = { runnerId, displayId: ":99", stopCondition: "selenium_idle", stopConditionConfig };
			expect((await dashboard.call("POST", "/v1/jobs", { body })).status).toBe(201);
		}
	}
	const sealedPasswords = async (dashboard: TestApi): Promise<(string | null)[]> =>
		(await dashboard.app.db.selectFrom("job").select("gridPasswordSealed").orderBy("id").execute()).map(
			(row) => row.gridPasswordSealed,
		);
	/** The passwords that the runner gets for the jobs that it holds. */
	async function passwordsForRunner(dashboard: TestApi): Promise<unknown[]> {
		const { sessionId } = await dashboard.signIn();
		const answer = await dashboard.call("POST", "/v1/runner/sync", {
			token: "tdr_test_0123456789abcdef",
			body: { sessionId, jobs: [], waitSeconds: 0 },
		});
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		return answer.body.start.map((job: { stopConditionConfig: { gridPassword: string } }) => job.stopConditionConfig);
	}

	test("after a rotation passwords still reach their runner, are encrypted with the new key only, and the old key can be removed", async () => {
		const first = await start();
		await order(first, (await first.signIn()).runnerId, 3);
		const before = await sealedPasswords(first);
		await operate("rotate-key");
		const second = await start();
		const after = await sealedPasswords(second);
		expect(after.map((sealed) => sealed?.startsWith(second.app.secrets.head))).toEqual([true, true, true]);
		expect(new Set([...before, ...after]).size).toBe(6);
		await rm(join(dataDir(), PREVIOUS_KEYS_FILE));
		const configs = await passwordsForRunner(await start());
		expect(configs).toHaveLength(3);
		for (const config of configs) expect(config).toMatchObject({ gridPassword: SECRET });
	});

	test("a rotation ends sessions and signed URLs; API keys, passwords and runner tokens keep working", async () => {
		const first = await start();
		const person: Person = await signIn(first);
		expect((await person.call("GET", "/v1/me")).status).toBe(200);
		const video = { file: "video of recording", row: { id: 1, uploadId: "first", createdAt: 1 } } as const;
		const signature = first.app.links.sign(video, 4_000_000_000);
		await operate("rotate-key");
		const second = await start();
		expect((await second.call("GET", "/v1/me", { token: null, headers: { cookie: person.cookie() } })).status).toBe(
			401,
		);
		expect(second.app.links.sign(video, 4_000_000_000)).not.toBe(signature);
		expect((await second.call("GET", "/v1/jobs")).status).toBe(200);
		expect((await (await signIn(second)).call("GET", "/v1/me")).status).toBe(200);
		expect((await second.signIn()).runnerId).toBe(1);
	});

	test("second factors work after a rotation, and those of a missing key are named and can be removed", async () => {
		const first = await start();
		const owner = await signIn(first);
		const as = (dashboard: TestApi, cookie: string) => (path: string, body: object) =>
			dashboard.call("POST", path, { token: null, headers: { origin: dashboard.url, cookie }, body });
		const begun = await as(first, owner.cookie())("/v1/me/second-factor", { password: owner.password });
		const { uri, backupCodes } = begun.body;
		const code = totpOf(uri);
		expect((await as(first, owner.cookie())("/v1/me/second-factor/confirmation", { code })).status).toBe(204);
		await operate("rotate-key");
		const second = await start();
		const password = { email: owner.email, password: owner.password };
		const half = cookieOf(await as(second, "")("/api/auth/sign-in/email", password));
		const withBackupCode = { code: backupCodes[0] };
		expect((await as(second, half)("/api/auth/two-factor/verify-backup-code", withBackupCode)).status).toBe(200);
		expect((await as(second, half)("/api/auth/two-factor/verify-totp", { code: nextTotpOf(uri) })).status).toBe(401);
		const again = cookieOf(await as(second, "")("/api/auth/sign-in/email", password));
		expect((await as(second, again)("/api/auth/two-factor/verify-totp", { code: nextTotpOf(uri) })).status).toBe(200);
		await operate("rotate-key");
		await rm(join(dataDir(), PREVIOUS_KEYS_FILE));
		const third = await start();
		expect(await operate("remove-second-factor", owner.email)).toContain("is removed");
		await expect(operate("remove-second-factor", owner.email)).rejects.toThrow("has no second factor");
		expect((await signIn(third)).userId).toBe(owner.userId);
	});

	test("a start killed halfway loses nothing, and the next one finishes the work", async () => {
		const first = await start();
		await order(first, (await first.signIn()).runnerId, 5);
		await rotateSecretKey(dataDir());
		const { current, previous } = await loadSecretKeys(dataDir(), { current: null, previous: [] });
		const box = createSecretBox(current, previous);
		let left = 2;
		const dying = {
			...box,
			seal: (plain: string) => {
				if (left-- === 0) throw new Error("killed");
				return box.seal(plain);
			},
		};
		await expect(reencryptPasswords({ db: first.app.db, secrets: dying })).rejects.toThrow("killed");
		const half = (await sealedPasswords(first)).map((sealed) => sealed?.startsWith(box.head));
		expect(half).toEqual([true, true, false, false, false]);
		// Two processes that finish the work at once re-encrypt each password once.
		const both = await Promise.all([1, 2].map(() => reencryptPasswords({ db: first.app.db, secrets: box })));
		expect(both.reduce((sum, { reencrypted }) => sum + reencrypted, 0)).toBe(3);
		for (const sealed of await sealedPasswords(first)) expect(createSecretBox(current).open(sealed ?? "")).toBe(SECRET);
	});

	test("a key in the environment replaces the file's, older keys still decrypt, and everything is re-encrypted", async () => {
		const first = await start();
		const { runnerId } = await first.signIn();
		await order(first, runnerId);
		const [a, b] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
		variables.TAPEDECK_SECRET_KEY = a;
		const second = await start();
		await order(second, runnerId);
		await rm(join(dataDir(), SECRET_KEY_FILE));
		variables.TAPEDECK_SECRET_KEY = b;
		variables.TAPEDECK_SECRET_KEY_PREVIOUS = `${randomBytes(32).toString("hex")}, ${a}`;
		const third = await start();
		for (const sealed of await sealedPasswords(third))
			expect(createSecretBox(Buffer.from(b, "hex")).open(sealed ?? "")).toBe(SECRET);
		await expect(operate("rotate-key")).rejects.toThrow(/TAPEDECK_SECRET_KEY_PREVIOUS/);
	});

	test("a missing key is reported at startup with the remedy; forgetting the passwords lets the dashboard start", async () => {
		const first = await start();
		await order(first, (await first.signIn()).runnerId, 2);
		const key = await readFile(join(dataDir(), SECRET_KEY_FILE), "utf8");
		await writeFile(join(dataDir(), SECRET_KEY_FILE), `${randomBytes(32).toString("hex")}\n`);
		await expect(start()).rejects.toThrow(/2 jobs \(1, 2\).*TAPEDECK_SECRET_KEY_PREVIOUS.*forget-passwords/);
		variables.TAPEDECK_SECRET_KEY_PREVIOUS = key.trim();
		expect(await passwordsForRunner(await start())).toHaveLength(2);
		await api?.stop();
		delete variables.TAPEDECK_SECRET_KEY_PREVIOUS;
		await writeFile(join(dataDir(), SECRET_KEY_FILE), `${randomBytes(32).toString("hex")}\n`);
		await expect(start()).rejects.toThrow(/forget-passwords/);
		expect(await operate("forget-passwords")).toContain("jobs 1, 2 were removed");
		expect(await sealedPasswords(await start())).toEqual([null, null]);
	});

	test("the password of an ended job does not block startup", async () => {
		const first = await start();
		await order(first, (await first.signIn()).runnerId);
		expect((await first.call("POST", "/v1/jobs/1/cancel")).status).toBe(202);
		await writeFile(join(dataDir(), SECRET_KEY_FILE), `${randomBytes(32).toString("hex")}\n`);
		expect((await (await start()).call("GET", "/v1/jobs/1")).body.status).toBe("cancelled");
	});
});

test.each([
	["TAPEDECK_SECRET_KEY", "short"],
	["TAPEDECK_SECRET_KEY", `${"a".repeat(64)},${"b".repeat(64)}`],
	["TAPEDECK_SECRET_KEY_PREVIOUS", `${"a".repeat(64)},x`],
])("an invalid %s is refused without revealing its value", (name, value) => {
	expect(() => readEnv({ [name]: value })).toThrow(new RegExp(`^${name} must be `));
	expect(() => readEnv({ [name]: value })).not.toThrow(value);
});
