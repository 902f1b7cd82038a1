import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createSecretBox } from "#lib/core/secret-box.ts";
import { contextFor } from "#lib/http/app-context.ts";
import { onEachDatabase } from "#test/databases/each-database.ts";
import { createJob } from "./create-job.ts";
import { sweepIdempotencyKeys } from "./idempotency.ts";

const DAY_MS = 86_400_000;

onEachDatabase((api) => {
	let runnerId: number;
	beforeAll(async () => {
		runnerId = (await api().signIn()).runnerId;
	});

	const [old, fresh] = [randomBytes(32), randomBytes(32)];
	const context = (secrets = api().app.secrets, later = 0) => ({
		...contextFor(api().app, { kind: "system", organizationId: 1 } as const),
		secrets,
		clock: { now: () => Date.now() + later },
	});
	const body = () =>
		({
			type: "recording",
			runnerId,
			displayId: ":99",
			name: "Nightly",
			stopCondition: "selenium_idle",
			stopConditionConfig: { gridUrl: "http://grid:4444", gridUsername: "u", gridPassword: "hunter2" },
		}) as const;
	const hashOf = async (key: string) => {
		const rows = api().app.db.selectFrom("idempotencyKey").select("bodyHash").where("key", "=", key);
		return (await rows.executeTakeFirst())?.bodyHash;
	};

	test("the stored hash of a body cannot be used to test password guesses without the instance's secret", async () => {
		await createJob(context(createSecretBox(old)), body(), "guess-old");
		await createJob(context(createSecretBox(fresh)), body(), "guess-fresh");
		expect(await hashOf("guess-old")).not.toBe(await hashOf("guess-fresh"));
	});

	test("the same key and body return the original response, even after the secret key is rotated", async () => {
		const first = await createJob(context(createSecretBox(old)), body(), "rotated");
		const rotated = context(createSecretBox(fresh, [old]));
		expect(await createJob(rotated, body(), "rotated")).toEqual(first);
		const other = createJob(rotated, { ...body(), name: "Other" }, "rotated");
		await expect(other).rejects.toMatchObject({ code: "conflict" });
	});

	test("keys are removed after 24 hours, and not before", async () => {
		await createJob(context(), body(), "swept");
		await sweepIdempotencyKeys(context(undefined, DAY_MS - 60_000));
		expect(await hashOf("swept")).toBeDefined();
		await sweepIdempotencyKeys(context(undefined, DAY_MS + 60_000));
		expect(await hashOf("swept")).toBeUndefined();
	});
});
