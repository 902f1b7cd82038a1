/** `PATCH /v1/runners/{id}`: changes the display name. The sign-in name stays, so that it remains the same runner. */
import type { Runner } from "@tapedeck/contract/runner.ts";
import { audit } from "#lib/audit/write-audit.ts";
import { type Context, inTransaction } from "#lib/core/context.ts";
import { invalid, notFound } from "#lib/core/errors.ts";
import { isUniqueViolation } from "#lib/db/database-errors.ts";
import type { RunnerDownloads } from "./install/runner-downloads.ts";
import { readRunner } from "./list-runners.ts";
import { publishRunner } from "./runner-session.ts";

/** @throws not_found; validation_failed at `name` if another runner of the organization has that name. */
export async function renameRunner(
	ctx: Context,
	downloads: RunnerDownloads,
	runnerId: number,
	name: string,
): Promise<Runner> {
	const before = await readRunner(ctx, downloads, runnerId);
	if (before.name === name) return before;
	try {
		await inTransaction(ctx, async (ctx) => {
			const renamed = await ctx.db
				.updateTable("runner")
				.set({ name })
				.where("id", "=", runnerId)
				.where("organizationId", "=", ctx.actor.organizationId)
				.where("removedAt", "is", null)
				.returning("id")
				.executeTakeFirst();
			if (renamed === undefined) throw notFound("runner");
			const target = { kind: "runner", id: runnerId, name } as const;
			await audit(ctx, { action: "runner.renamed", target, detail: { before: before.name } });
		});
	} catch (error) {
		if (!isUniqueViolation(error)) throw error;
		const message = `Another runner is named "${name}". Send a different name.`;
		throw invalid({ path: "name", code: "taken", message });
	}
	publishRunner(ctx, before);
	return readRunner(ctx, downloads, runnerId);
}
