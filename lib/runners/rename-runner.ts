/** `PATCH /v1/runners/{id}`: another name to show. What it signs in with stays, so that it comes back as the same. */
import type { Runner } from "../contract/runner.ts";
import { assertMayWrite } from "../core/access.ts";
import { audit } from "../core/audit.ts";
import type { Context } from "../core/context.ts";
import { invalid, notFound } from "../core/errors.ts";
import { inTransaction } from "../core/in-transaction.ts";
import { isUniqueViolation } from "../db/unique-violation.ts";
import { readRunner } from "./list-runners.ts";
import { publishRunner } from "./runner-session.ts";

/** @throws forbidden; not_found; validation_failed at `name` when another runner of the organization is called so. */
export async function renameRunner(ctx: Context, runnerId: number, name: string): Promise<Runner> {
	assertMayWrite(ctx);
	const before = await readRunner(ctx, runnerId);
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
		const message = `Send a name that no other runner here has: there is one called "${name}".`;
		throw invalid({ path: "name", code: "taken", message });
	}
	publishRunner(ctx, before);
	return readRunner(ctx, runnerId);
}
