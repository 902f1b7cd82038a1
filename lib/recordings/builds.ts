/** `GET /v1/builds` and `GET /v1/builds/{build}`: counted by triggers as recordings change. */
import type { Build, ListBuildsQuery } from "@tapedeck/contract/build.ts";
import type { Page } from "@tapedeck/contract/page.ts";
import { parseSearch } from "@tapedeck/contract/search.ts";
import { type Selectable, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { invalidCursor } from "#lib/core/cursor.ts";
import { notFound } from "#lib/core/errors.ts";
import { timestamp } from "#lib/core/times.ts";
import type { BuildTable } from "#lib/db/schema.ts";
import { contains } from "#lib/search/plan.ts";

type BuildRow = Selectable<BuildTable>;

/**
 * Builds with recordings, the one with the newest recording first.
 * @throws validation_failed at `cursor`
 */
export async function listBuilds(ctx: Context, { limit, cursor, q }: ListBuildsQuery): Promise<Page<Build>> {
	const after = cursor === undefined ? null : readPlace(cursor);
	const words = parseSearch(q ?? "").terms.flatMap((term) => (term.kind === "word" ? [term] : []));
	const rows = await buildsOf(ctx)
		// An empty name has no page of its own.
		.where("name", "<>", "")
		.where(({ and, not }) =>
			and(
				words.map((word) => {
					const found = contains(sql.ref("name"), word.text);
					return word.not ? not(found) : found;
				}),
			),
		)
		.$if(after !== null, (query) => query.where(sql<boolean>`("lastAt", name) < (${after?.lastAt}, ${after?.name})`))
		.orderBy("lastAt", "desc")
		.orderBy("name", "desc")
		.limit(limit + 1)
		.execute();
	const shown = rows.slice(0, limit);
	const last = shown.at(-1);
	const hasMore = rows.length > limit && last !== undefined;
	return { data: shown.map(buildView), nextCursor: hasMore ? cursorAt(last) : null };
}

/** @throws not_found if no recording has this label. */
export async function readBuild(ctx: Context, name: string): Promise<Build> {
	const row = await buildsOf(ctx).where("name", "=", name).executeTakeFirst();
	if (row === undefined) throw notFound("build");
	return buildView(row);
}

const buildsOf = (ctx: Context) =>
	ctx.db
		.selectFrom("build")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		// Literally: the index has only these.
		.where(sql<boolean>`recordings > 0`);

const cursorAt = ({ lastAt, name }: BuildRow): string => Buffer.from(`${lastAt}:${name}`).toString("base64url");

function readPlace(cursor: string): { lastAt: number; name: string } {
	const match = /^(\d{1,15}):(\P{Cc}{1,255})$/u.exec(Buffer.from(cursor, "base64url").toString("utf8"));
	if (match?.[2] === undefined) throw invalidCursor();
	return { lastAt: Number(match[1]), name: match[2] };
}

function buildView(row: BuildRow): Build {
	const { recordings, passed, failed, error, skipped, black, running } = row;
	const withoutOutcome = recordings - passed - failed - error - skipped;
	return {
		build: row.name,
		...{ recordings, passed, failed, error, skipped, withoutOutcome, black, running },
		durationSeconds: row.durationMs / 1_000,
		firstAt: timestamp(row.firstAt),
		lastAt: timestamp(row.lastAt),
	};
}
