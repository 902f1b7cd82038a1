/** An audit log so long that its export is not sent completely before the client reads it. */
import type { TestApi } from "./api-server.ts";

/** Adds 80 MB of entries: more than the buffers of an unread connection hold, which Linux grows to at most 36 MB. */
export async function lengthenAuditLog({ app: { db } }: TestApi): Promise<void> {
	const { id: _, ...copy } = await db.selectFrom("auditEntry").selectAll().executeTakeFirstOrThrow();
	const detail = JSON.stringify({ filler: "x".repeat(8_000) });
	for (let page = 0; page < 100; page++) {
		await db
			.insertInto("auditEntry")
			.values(Array.from({ length: 100 }, () => ({ ...copy, detail })))
			.execute();
	}
}
