/** Whether uploads have space, as pages show it and events say it. */
import type { Storage, WaitsFor } from "@tapedeck/contract/storage.ts";
import { inTransaction, quotasOf } from "#lib/core/context.ts";
import { noteEvents } from "#lib/lifecycle/outbox.ts";
import type { RecordingContext } from "../recording-context.ts";
import type { Disk } from "./disk-space.ts";
import { isUsedUp, usedBytes, usedUpOrganizations } from "./storage-quota.ts";

/** `GET /v1/storage`: the disk, and the storage used by the actor's organization. */
export async function getStorage(ctx: RecordingContext): Promise<Storage> {
	const { state, ...disk } = await ctx.diskSpace.poll();
	const used = await usedBytes(ctx, ctx.actor.organizationId);
	const waitsFor = state === "full" ? "disk" : isUsedUp(ctx, used) ? "quota" : null;
	return {
		state: waitsFor === null ? "ok" : "full",
		waitsFor,
		...disk,
		usedBytes: used,
		quotaBytes: quotasOf(ctx).organizationBytes || null,
		maxUploadBytes: quotasOf(ctx).uploadBytes || null,
	};
}

/**
 * Creates the function that a timer calls to publish changes of an organization's storage state. It compares with what
 * was last published, because the state may have changed between reading and publishing.
 * @returns a function for a context with any actor.
 */
export function storageWatch(): (ctx: RecordingContext) => Promise<void> {
	let disk: Disk["state"] = "ok";
	const published = new Map<number, WaitsFor>();
	const publish = async (ctx: RecordingContext, organizationId: number) => {
		const storage = await getStorage({ ...ctx, actor: { kind: "system", organizationId } });
		if (storage.waitsFor === "quota" && published.get(organizationId) !== "quota") {
			ctx.log.warn({ organizationId }, "storage quota reached");
		}
		if (storage.waitsFor === null) published.delete(organizationId);
		else published.set(organizationId, storage.waitsFor);
		await noteFull(ctx, organizationId, storage.state === "full");
		ctx.events.publish({ type: "storage", organizationId, storage });
	};
	return async (ctx) => {
		const now = await ctx.diskSpace.poll();
		if (now.state !== disk) {
			if (now.state === "full") ctx.log.warn(now, "disk full: uploads are waiting");
			else ctx.log.info(now, "disk space available again: uploads continue");
			for (const { id } of await ctx.db.selectFrom("organization").select("id").execute()) await publish(ctx, id);
			disk = now.state;
			return;
		}
		const usedUp = await usedUpOrganizations(ctx);
		for (const id of new Set([...published.keys(), ...usedUp])) {
			const waitsFor = disk === "full" ? "disk" : usedUp.has(id) ? "quota" : undefined;
			if (published.get(id) !== waitsFor) await publish(ctx, id);
		}
	};
}

/** Tells webhooks that an organization's storage is full: once, whichever dashboards notice it. */
async function noteFull(ctx: RecordingContext, organizationId: number, isFull: boolean): Promise<void> {
	const saidFull = Number(isFull);
	await inTransaction(ctx, async (ctx) => {
		await ctx.db
			.insertInto("organizationUse")
			.values({ organizationId, bytes: 0 })
			.onConflict((conflict) => conflict.column("organizationId").doNothing())
			.execute();
		const changed = await ctx.db
			.updateTable("organizationUse")
			.set({ saidFull })
			.where("organizationId", "=", organizationId)
			.where("saidFull", "!=", saidFull)
			.returning("organizationId")
			.executeTakeFirst();
		if (changed !== undefined && isFull) await noteEvents(ctx, "storage.full", organizationId, [organizationId]);
	});
}
