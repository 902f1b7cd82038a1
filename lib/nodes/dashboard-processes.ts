/** The dashboard processes on one PostgreSQL: each announces itself while it runs. */
import { randomUUID } from "node:crypto";
import type { Clock, Database, Log } from "#lib/core/context.ts";
import type { BucketLocation } from "#lib/s3/storage-url.ts";

const ANNOUNCE_EVERY_MS = 5_000;
/** A process that was not seen for this long has died. */
const GONE_AFTER_MS = 20_000;

type Shared = { db: Database; clock: Clock; log: Log };

/** The announcement of each process to the others. */
export type ProcessConfiguration = {
	/** Identifies its secret key without revealing it. */
	secretKeyId: string;
	/** The address of a bucket, or `file:` for the disk. */
	storesIn: string;
	/** The bucket whose videos it can read, either its own or a previous one; or `file:`. */
	readsFrom: string;
};

/**
 * The locations of finished videos, as other dashboards see them. Videos on a disk are read from the dashboard that has
 * it.
 */
export function storageAddresses({
	current,
	previous,
}: {
	current: BucketLocation | null;
	previous: BucketLocation | null;
}): Pick<ProcessConfiguration, "storesIn" | "readsFrom"> {
	const address = (location: BucketLocation | null) => {
		if (location === null) return "file:";
		const { bucket, prefix, endpoint } = location;
		return `s3://${bucket}/${prefix}${endpoint === null ? "" : `?endpoint=${endpoint}`}`;
	};
	return { storesIn: address(current), readsFrom: address(current ?? previous) };
}

/**
 * @param keyIds identify this process's secret keys, the current one first.
 * @throws an Error with the remedy if another running process has a secret key that is none of these: sessions, signed
 *   URLs and stored passwords of one would be invalid at the other.
 */
export async function assertSameSecretKey({ db, clock }: Pick<Shared, "db" | "clock">, keyIds: readonly string[]) {
	const others = await running({ db, clock });
	if (others.every((other) => keyIds.includes(other.secretKeyId))) return;
	throw new Error(
		"Another dashboard on this database has another secret key. Set TAPEDECK_SECRET_KEY to the same value for all of them; to change it, stop all of them, then start each with the new key and the old one in TAPEDECK_SECRET_KEY_PREVIOUS. If it was killed just now, start again in 20 s.",
	);
}

/**
 * @throws an Error with the remedy if another running process stores videos where this one could not read them, or the
 *   other way round.
 */
export async function assertSameStorage(
	{ db, clock }: Pick<Shared, "db" | "clock">,
	own: Pick<ProcessConfiguration, "storesIn" | "readsFrom">,
) {
	const others = await running({ db, clock });
	const other = others.find(
		({ storesIn, readsFrom }) => !(canRead(own, storesIn) && canRead({ readsFrom }, own.storesIn)),
	);
	if (other === undefined) return;
	throw new Error(
		`Another dashboard on this database stores videos in ${other.storesIn}, and this one in ${own.storesIn}. Set TAPEDECK_STORAGE_URL to the same value for all of them. To change it while they run, first restart each with the bucket in TAPEDECK_STORAGE_URL_PREVIOUS, then each with the new TAPEDECK_STORAGE_URL. If it was killed just now, start again in 20 s.`,
	);
}

const canRead = ({ readsFrom }: Pick<ProcessConfiguration, "readsFrom">, storedIn: string): boolean =>
	storedIn === "file:" || storedIn === readsFrom;

const running = ({ db, clock }: Pick<Shared, "db" | "clock">) =>
	db
		.selectFrom("dashboardProcess")
		.select(["secretKeyId", "storesIn", "readsFrom"])
		.where("seenAt", ">", clock.now() - GONE_AFTER_MS)
		.execute();

/**
 * Announces this process until `stopping` aborts.
 * @returns what withdraws the announcement.
 */
export async function joinDashboards(
	{ db, urgent, clock, log }: Shared & { urgent: Database },
	configuration: ProcessConfiguration,
	stopping: AbortSignal,
): Promise<() => Promise<void>> {
	const id = randomUUID();
	const announce = async () => {
		const seenAt = clock.now();
		await db
			.insertInto("dashboardProcess")
			.values({ id, ...configuration, seenAt })
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
		await urgent.deleteFrom("dashboardProcess").where("id", "=", id).execute();
	};
}
