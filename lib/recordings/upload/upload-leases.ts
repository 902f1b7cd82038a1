/**
 * The dashboard that has the files of an upload. With one process it is always this one. With several on one PostgreSQL
 * each upload belongs to a node: the others pass its requests on, and take it over once that node's lease has expired.
 * A former holder that wakes up fails on the epoch, which every change of hands increases.
 */
import { type RawBuilder, sql } from "kysely";
import type { Context, Database } from "#lib/core/context.ts";
import { postgresNow } from "#lib/db/dialect.ts";
import { Refusal } from "./tus-handler.ts";

/** This dashboard among others (lib/nodes/dashboard-node.ts). */
export interface Node {
	readonly id: string;
	/** Whether no other dashboard can have taken this one's uploads. */
	readonly holds: boolean;
	/** Grows whenever it may have lost them. */
	readonly term: number;
}

/** The dashboard that has an upload's files. */
export type Whereabouts = "here" | "unknown" | { nodeId: string };

/** Another dashboard has the upload. */
export class UploadElsewhere extends Refusal {
	constructor() {
		super(503, "Another dashboard has this upload. Try again in a moment.");
	}
}

type Held = { epoch: number; term: number };
const KEPT_AT_MOST = 100_000;
/** Time that the node of an upload is remembered: this node passes half of the pieces on to it. */
const ELSEWHERE_MS = 10_000;

export class UploadLeases {
	readonly #db: Database;
	/** Null with SQLite, where there is one process. */
	readonly #node: Node | null;
	readonly #held = new Map<string, Held>();
	readonly #elsewhere = new Map<string, { nodeId: string; until: number }>();
	/** Number of uploads taken over from other dashboards. */
	takeovers = 0;

	constructor(db: Database, node: Node | null) {
		this.#db = db;
		this.#node = node;
	}

	/** Whether there can be other dashboards. */
	get shared(): boolean {
		return this.#node !== null;
	}

	/** Whether this dashboard surely holds the upload; costs no query. */
	isHeld(uploadId: string): boolean {
		return this.#node === null || this.#heldNow(uploadId) !== null;
	}

	/**
	 * Makes this dashboard the holder of an upload.
	 * @throws a refusal with 503 if another one that runs holds it, or has all of it.
	 */
	async take(uploadId: string): Promise<void> {
		const node = this.#node;
		if (node === null || this.#heldNow(uploadId) !== null) return;
		const { term } = node;
		const before = await this.#find(uploadId);
		if (before?.nodeId === node.id && before.storedAt !== null) return;
		const { rows } = await sql<{ epoch: number }>`
			insert into "uploadLease" ("uploadId", "nodeId", epoch) values (${uploadId}, ${node.id}, 1)
			on conflict ("uploadId") do update set "nodeId" = excluded."nodeId", epoch = "uploadLease".epoch + 1
			where "uploadLease"."storedAt" is null and ("uploadLease"."nodeId" = ${node.id} or not exists (
				select 1 from "dashboardNode" n where n.id = "uploadLease"."nodeId" and n.until > ${postgresNow}))
			returning epoch`.execute(this.#db);
		const [taken] = rows;
		if (taken === undefined) throw new UploadElsewhere();
		if (before !== undefined && before.nodeId !== node.id) this.takeovers += 1;
		this.#remember(uploadId, { epoch: Number(taken.epoch), term });
	}

	/** The dashboard that has an upload's files, without taking the upload. The answer of the cache may be out of date. */
	async find(uploadId: string): Promise<Whereabouts> {
		if (this.#node === null || this.#heldNow(uploadId) !== null) return "here";
		const known = this.#elsewhere.get(uploadId);
		if (known !== undefined && performance.now() < known.until) return known;
		this.#elsewhere.delete(uploadId);
		const lease = await this.#find(uploadId);
		if (lease === undefined) return "unknown";
		if (lease.nodeId === this.#node.id) return "here";
		const place = { nodeId: lease.nodeId, until: performance.now() + ELSEWHERE_MS };
		addTo(this.#elsewhere, uploadId, place);
		return place;
	}

	/** Forgets an outdated holder: another dashboard was found to hold the upload, or one that held it does not. */
	forget(uploadId: string): void {
		this.#held.delete(uploadId);
		this.#elsewhere.delete(uploadId);
	}

	/** The epoch to write with; null with SQLite, or if this dashboard does not hold the upload. */
	epochOf(uploadId: string): number | null {
		return this.#held.get(uploadId)?.epoch ?? null;
	}

	/** A condition on a write: this dashboard still holds the upload. @param uploadId and epoch as SQL */
	stillHeld(uploadId: RawBuilder<unknown>, epoch: RawBuilder<unknown>): RawBuilder<boolean> {
		if (this.#node === null) return sql<boolean>`1 = 1`;
		return sql<boolean>`exists (select 1 from "uploadLease" l
			where l."uploadId" = ${uploadId} and l."nodeId" = ${this.#node.id} and l.epoch = ${epoch})`;
	}

	/**
	 * Notes in a transaction that an upload is complete: if it is on this disk, nobody can take it over any more.
	 * @throws a refusal with 503 if another dashboard has.
	 */
	async complete(ctx: Pick<Context, "db" | "clock">, uploadId: string, { onDisk }: { onDisk: boolean }): Promise<void> {
		if (this.#node === null) return;
		const row = await ctx.db
			.updateTable("uploadLease")
			.set({ storedAt: onDisk ? ctx.clock.now() : null })
			.where("uploadId", "=", uploadId)
			.where("nodeId", "=", this.#node.id)
			.where("epoch", "=", this.epochOf(uploadId) ?? 0)
			.returning("uploadId")
			.executeTakeFirst();
		if (row !== undefined) return;
		this.forget(uploadId);
		throw new UploadElsewhere();
	}

	/**
	 * Keeps others from taking an upload over until the transaction ends.
	 * @throws a refusal with 503 if another dashboard has taken it.
	 */
	async assertHeld(db: Database, uploadId: string): Promise<void> {
		if (this.#node === null) return;
		const row = await db
			.selectFrom("uploadLease")
			.select("uploadId")
			.where("uploadId", "=", uploadId)
			.where("nodeId", "=", this.#node.id)
			.where("epoch", "=", this.epochOf(uploadId) ?? 0)
			.forShare()
			.executeTakeFirst();
		if (row !== undefined) return;
		this.forget(uploadId);
		throw new UploadElsewhere();
	}

	/** Notes in a transaction that a complete video was stored here. */
	async stored(ctx: Pick<Context, "db" | "clock">, uploadId: string, { onDisk }: { onDisk: boolean }): Promise<void> {
		if (this.#node === null) return;
		const { id, term } = this.#node;
		const values = { uploadId, nodeId: id, epoch: 1, storedAt: onDisk ? ctx.clock.now() : null };
		await ctx.db.insertInto("uploadLease").values(values).execute();
		this.#remember(uploadId, { epoch: 1, term });
	}

	/** The upload was deleted here, with its files. */
	async drop(uploadId: string): Promise<void> {
		if (this.#node === null) return;
		this.#held.delete(uploadId);
		await this.#db
			.deleteFrom("uploadLease")
			.where("uploadId", "=", uploadId)
			.where("nodeId", "=", this.#node.id)
			.execute();
	}

	/** Notes in a transaction that recordings were deleted: the dashboard that has their files deletes them. */
	async markDeleted(ctx: Pick<Context, "db" | "clock">, uploadIds: readonly string[]): Promise<void> {
		if (this.#node === null || uploadIds.length === 0) return;
		await ctx.db
			.updateTable("uploadLease")
			.set({ deletedAt: ctx.clock.now() })
			.where("uploadId", "in", uploadIds)
			.execute();
	}

	/** Uploads whose recordings were deleted and whose files are here. */
	async deletedHere(limit: number): Promise<string[]> {
		if (this.#node === null) return [];
		const rows = await this.#db
			.selectFrom("uploadLease")
			.select("uploadId")
			.where("nodeId", "=", this.#node.id)
			.where("deletedAt", "is not", null)
			.limit(limit)
			.execute();
		return rows.map(({ uploadId }) => uploadId);
	}

	/** Notes of recordings that were moved from SQLite that their files are here. */
	async adopt(uploadIds: readonly string[]): Promise<void> {
		if (this.#node === null || uploadIds.length === 0) return;
		const { id } = this.#node;
		await sql`insert into "uploadLease" ("uploadId", "nodeId", epoch, "storedAt")
			select r."uploadId", ${id}, 1, r."updatedAt" from recording r
			where r."uploadId" in (${sql.join(uploadIds)}) and r.state = 'ready' and r."objectKey" is null
			on conflict ("uploadId") do nothing`.execute(this.#db);
	}

	/** Condition on a row of `recording`: its files are on this dashboard's disk. */
	get filesAreHere(): RawBuilder<boolean> {
		if (this.#node === null) return sql`recording."objectKey" is null`;
		return sql`recording."objectKey" is null and exists (select 1 from "uploadLease" l
			where l."uploadId" = recording."uploadId" and l."nodeId" = ${this.#node.id})`;
	}

	/** @returns the uploads whose files are at other dashboards. */
	async elsewhere(uploadIds: readonly string[]): Promise<Set<string>> {
		if (this.#node === null || uploadIds.length === 0) return new Set();
		const rows = await this.#db
			.selectFrom("uploadLease")
			.select("uploadId")
			.where("uploadId", "in", uploadIds)
			.where("nodeId", "!=", this.#node.id)
			.execute();
		return new Set(rows.map((row) => row.uploadId));
	}

	#find(uploadId: string) {
		return this.#db
			.selectFrom("uploadLease")
			.select(["nodeId", "epoch", "storedAt"])
			.where("uploadId", "=", uploadId)
			.executeTakeFirst();
	}

	#heldNow(uploadId: string): Held | null {
		const held = this.#held.get(uploadId);
		return held !== undefined && this.#node?.holds === true && held.term === this.#node.term ? held : null;
	}

	#remember(uploadId: string, held: Held): void {
		this.#elsewhere.delete(uploadId);
		addTo(this.#held, uploadId, held);
	}
}

/** Keeps the youngest. */
function addTo<T>(map: Map<string, T>, uploadId: string, value: T): void {
	map.delete(uploadId);
	map.set(uploadId, value);
	const oldest = map.keys().next().value;
	if (map.size > KEPT_AT_MOST && oldest !== undefined) map.delete(oldest);
}
