/**
 * The first error lines of a job's tracks, by which searches find the job and its recording
 * (docs/decisions/0055-error-lines-in-searches.md). A trigger deletes them with a track of the job.
 */
import { withoutColours } from "@tapedeck/contract/plain-text.ts";
import { sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import type { StoredLine } from "./read-line.ts";

/** Maximum number of different error lines of a job, from all tracks, in the order of arrival. */
export const MAX_ERROR_LINES = 200;
/** Number of characters of each line that searches can find. */
export const MAX_ERROR_CHARACTERS = 200;

type StoreContext = Pick<Context, "db">;

/** Adds what these lines have of level error, up to the limits. In the transaction that stores them. */
export async function addErrorText({ db }: StoreContext, jobId: number, lines: readonly StoredLine[]): Promise<void> {
	const errors = lines.flatMap(({ level, text }) => (level === "error" ? [searchedPart(text)] : []));
	if (errors.length === 0) return;
	const known = await db
		.selectFrom("errorText")
		.select("lines")
		// Once it is full, its text is not read again.
		.select(({ eb }) => eb.case().when("lines", "<", MAX_ERROR_LINES).then(eb.ref("text")).else("").end().as("text"))
		.where("jobId", "=", jobId)
		.executeTakeFirst();
	const left = MAX_ERROR_LINES - (known?.lines ?? 0);
	const before = new Set(known?.text.split("\n"));
	const added = [...new Set(errors)].filter((line) => line !== "" && !before.has(line)).slice(0, Math.max(0, left));
	if (added.length === 0) return;
	await db
		.insertInto("errorText")
		.columns(["jobId", "lines", "named", "text"])
		.expression((eb) =>
			eb
				.selectFrom("job")
				.where("id", "=", jobId)
				.select([
					"id",
					eb.cast<number>(eb.val(added.length), "integer").as("lines"),
					sql<string>`lower(name || coalesce(${"\n"} || "searchText", ''))`.as("named"),
					eb.cast<string>(eb.val(added.join("\n")), "text").as("text"),
				]),
		)
		// Added, not replaced: another track of the job may have got lines meanwhile.
		.onConflict((conflict) =>
			conflict.column("jobId").doUpdateSet((eb) => ({
				lines: eb("errorText.lines", "+", eb.ref("excluded.lines")),
				text: sql<string>`${eb.ref("errorText.text")} || ${"\n"} || ${eb.ref("excluded.text")}`,
			})),
		)
		.execute();
}

/** In lower case, as searches compare it. */
const searchedPart = (text: string): string =>
	withoutColours(text).replaceAll(/\s+/g, " ").trim().toLowerCase().slice(0, MAX_ERROR_CHARACTERS).toWellFormed();
