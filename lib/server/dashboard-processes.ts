/** The dashboard processes on one PostgreSQL: each announces itself while it runs. */
import { randomUUID } from "node:crypto";
import type { Clock, Database, Log } from "#lib/core/context.ts";

const ANNOUNCE_EVERY_MS = 5_000;
/** One that was not seen for so long has died. */
const GONE_AFTER_MS = 20_000;

type Shared = { db: Database; clock: Clock; log: Log };

/**
 * @param keyIds identify this process's secret keys, the current one first.
 * @throws an Error with the remedy if another running process has a secret key that is none of these: sessions, signed
 *   URLs and stored passwords of one would be invalid at the other.
 */
export async function assertSameSecretKey({ db, clock }: Pick<Shared, "db" | "clock">, keyIds: readonly string[]) {
	const others = await db
		.selectFrom("dashboardProcess")
		.select("secretKeyId")
		.where("seenAt", ">", clock.now() - GONE_AFTER_MS)
		.execute();
	if (others.every((other) => keyIds.includes(other.secretKeyId))) return;
	throw new Error(
		"Another dashboard on this database has another secret key. Set TAPEDECK_SECRET_KEY to the same value for all of them; to change it, restart each with the new key and the old one in TAPEDECK_SECRET_KEY_PREVIOUS. If it was killed just now, start again in 20 s.",
	);
}

/**
 * Announces this process until `stopping` aborts.
 * @returns what withdraws the announcement.
 */
export async function joinDashboards(
	{ db, clock, log }: Shared,
	secretKeyId: string,
	stopping: AbortSignal,
): Promise<() => Promise<void>> {
	const id = randomUUID();
	const announce = async () => {
		const seenAt = clock.now();
		await db
			.insertInto("dashboardProcess")
			.values({ id, secretKeyId, seenAt })
			.onConflict((conflict) => conflict.column("id").doUpdateSet({ seenAt }))
			.execute();
	};
	await announce();
	await db
		.deleteFrom("dashboardProcess")
		.where("seenAt", "<", clock.now() - 10 * GONE_AFTER_MS)
		.execute();
	const timer = setInterval(() => {
		announce().catch((error) => log.debug({ err: error }, "could not announce this dashboard to the others"));
	}, ANNOUNCE_EVERY_MS).unref();
	stopping.addEventListener("abort", () => clearInterval(timer));
	return async () => {
		clearInterval(timer);
		await db.deleteFrom("dashboardProcess").where("id", "=", id).execute();
	};
}
