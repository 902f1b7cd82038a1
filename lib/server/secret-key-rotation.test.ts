/** Another secret key: what goes on, what ends, and what is said when a key is missing. */
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { createSecretBox } from "../core/secret-box.ts";
import { loadSecretKeys, PREVIOUS_KEYS_FILE, rotateSecretKey, SECRET_KEY_FILE } from "../core/secret-key.ts";
import { resealPasswords } from "../jobs/reseal-passwords.ts";
import { readEnv } from "./env.ts";
import { runOperatorCommand } from "./operator-commands.ts";
import { startTestApi, type TestApi } from "../../test/api-server.ts";
import { type Person, signIn } from "../../test/api-people.ts";

const SECRET = "the secret of the grid";

describe.each(["SQLite", "PostgreSQL"] as const)("on %s", (database) => {
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
	/** The dashboard, started again. */
	async function start(): Promise<TestApi> {
		await api?.stop();
		api = null;
		api = await startTestApi(variables);
		return api;
	}
	async function order(dashboard: TestApi, runnerId: number, jobs = 1): Promise<void> {
		for (let job = 0; job < jobs; job++) {
			const stopConditionConfig = { gridUrl: "http://grid:4444", gridUsername: "me", gridPassword: SECRET };
			const body = { runnerId, displayId: ":99", stopCondition: "selenium_idle", stopConditionConfig };
			expect((await dashboard.call("POST", "/v1/jobs", { body })).status).toBe(201);
		}
	}
	const seals = async (dashboard: TestApi): Promise<(string | null)[]> =>
		(await dashboard.app.db.selectFrom("job").select("gridPasswordSealed").orderBy("id").execute()).map(
			(row) => row.gridPasswordSealed,
		);
	/** What the runner is told when it asks for the passwords of the jobs that it holds. */
	async function taken(dashboard: TestApi): Promise<unknown[]> {
		const { sessionId } = await dashboard.signIn();
		const answer = await dashboard.call("POST", "/v1/runner/sync", {
			token: "tdr_test_0123456789abcdef",
			body: { sessionId, jobs: [], waitSeconds: 0 },
		});
		expect(answer.status, JSON.stringify(answer.body)).toBe(200);
		return answer.body.start.map((job: { stopConditionConfig: { gridPassword: string } }) => job.stopConditionConfig);
	}

	test("after a rotation passwords reach their runner, sealed under the new key alone, and the old one can go", async () => {
		const first = await start();
		await order(first, (await first.signIn()).runnerId, 3);
		const before = await seals(first);
		await operate("rotate-key");
		const second = await start();
		const after = await seals(second);
		expect(after.map((sealed) => sealed?.startsWith(second.app.secrets.head))).toEqual([true, true, true]);
		expect(new Set([...before, ...after]).size).toBe(6);
		await rm(join(dataDir(), PREVIOUS_KEYS_FILE));
		const configs = await taken(await start());
		expect(configs).toHaveLength(3);
		for (const config of configs) expect(config).toMatchObject({ gridPassword: SECRET });
	});

	test("a rotation ends sessions and signed addresses; keys, passwords and runner tokens go on", async () => {
		const first = await start();
		const person: Person = await signIn(first);
		expect((await person.call("GET", "/v1/me")).status).toBe(200);
		const signature = first.app.links.sign(1, 4_000_000_000);
		await operate("rotate-key");
		const second = await start();
		expect((await second.call("GET", "/v1/me", { token: null, headers: { cookie: person.cookie() } })).status).toBe(
			401,
		);
		expect(second.app.links.sign(1, 4_000_000_000)).not.toBe(signature);
		expect((await second.call("GET", "/v1/jobs")).status).toBe(200);
		expect((await (await signIn(second)).call("GET", "/v1/me")).status).toBe(200);
		expect((await second.signIn()).runnerId).toBe(1);
	});

	test("a start that is killed half-way loses nothing, and the next one goes on", async () => {
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
		await expect(resealPasswords({ db: first.app.db, secrets: dying })).rejects.toThrow("killed");
		const half = (await seals(first)).map((sealed) => sealed?.startsWith(box.head));
		expect(half).toEqual([true, true, false, false, false]);
		// Two that go on at once do it once each.
		const both = await Promise.all([1, 2].map(() => resealPasswords({ db: first.app.db, secrets: box })));
		expect(both.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(3);
		for (const sealed of await seals(first)) expect(createSecretBox(current).open(sealed ?? "")).toBe(SECRET);
	});

	test("the environment's key takes the file's place, several older ones open, and all is sealed anew", async () => {
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
		for (const sealed of await seals(third))
			expect(createSecretBox(Buffer.from(b, "hex")).open(sealed ?? "")).toBe(SECRET);
		await expect(operate("rotate-key")).rejects.toThrow(/TAPEDECK_SECRET_KEY_PREVIOUS/);
	});

	test("a key that is missing is told at the start, with what to do; forgotten passwords let it start", async () => {
		const first = await start();
		await order(first, (await first.signIn()).runnerId, 2);
		const key = await readFile(join(dataDir(), SECRET_KEY_FILE), "utf8");
		await writeFile(join(dataDir(), SECRET_KEY_FILE), `${randomBytes(32).toString("hex")}\n`);
		await expect(start()).rejects.toThrow(/2 jobs \(1, 2\).*TAPEDECK_SECRET_KEY_PREVIOUS.*forget-passwords/);
		variables.TAPEDECK_SECRET_KEY_PREVIOUS = key.trim();
		expect(await taken(await start())).toHaveLength(2);
		await api?.stop();
		delete variables.TAPEDECK_SECRET_KEY_PREVIOUS;
		await writeFile(join(dataDir(), SECRET_KEY_FILE), `${randomBytes(32).toString("hex")}\n`);
		await expect(start()).rejects.toThrow(/forget-passwords/);
		expect(await operate("forget-passwords")).toContain("jobs 1, 2 are forgotten");
		expect(await seals(await start())).toEqual([null, null]);
	});

	test("a job that is over does not hold up the start", async () => {
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
])("a %s that is none is refused in words that do not tell it", (name, value) => {
	expect(() => readEnv({ [name]: value })).toThrow(new RegExp(`^${name} must be `));
	expect(() => readEnv({ [name]: value })).not.toThrow(value);
});
