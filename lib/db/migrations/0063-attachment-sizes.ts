/** The sizes of images among attachments. Described in schema.ts. */
import { type Kysely, sql } from "kysely";

export async function addAttachmentSizes(db: Kysely<unknown>): Promise<void> {
	for (const column of ["width", "height"])
		await sql`alter table attachment add column ${sql.ref(column)} integer`.execute(db);
}
