/** Selectors: which runners fit a job that names none, and which of them takes it. */
import type { Selector } from "@tapedeck/contract/job.ts";
import type { Labels } from "@tapedeck/contract/labels.ts";
import type { Fault } from "@tapedeck/contract/problem.ts";
import { NEW_DISPLAY } from "@tapedeck/contract/recording-kinds.ts";
import type { Display } from "@tapedeck/contract/runner.ts";
import { type Selectable, sql } from "kysely";
import type { Context } from "#lib/core/context.ts";
import { invalid } from "#lib/core/errors.ts";
import type { RunnerTable } from "#lib/db/schema.ts";
import { readLabels } from "#lib/lifecycle/labels.ts";
import { gridUrlOf, isCapable, isGridAllowed, readLimits } from "#lib/lifecycle/token-limits.ts";

type RunnerRow = Selectable<RunnerTable>;

const labelText = ([key, value]: [string, string]): string => `${key}=${value}`;

/** @returns the selector in words: `pool=linux, display :99`. */
export function describeSelector({ labels, display }: Selector): string {
	const wantedDisplay = display === NEW_DISPLAY ? "a new display" : `display ${display}`;
	const wanted = [...Object.entries(labels).map(labelText), ...(display === "any" ? [] : [wantedDisplay])];
	return wanted.length === 0 ? "any runner" : wanted.join(", ");
}

const hasLabels = (has: Labels, wanted: Labels): boolean =>
	Object.entries(wanted).every(([key, value]) => has[key] === value);

/** The displays of a runner on which the job could run; NEW_DISPLAY stands for those that it makes. */
export function fittingDisplays(
	runner: Pick<RunnerRow, "labels" | "displays" | "virtualDisplays">,
	selector: Selector,
): string[] {
	if (!hasLabels(readLabels(runner), selector.labels)) return [];
	if (selector.display === NEW_DISPLAY) return runner.virtualDisplays === null ? [] : [NEW_DISPLAY];
	const displays = (JSON.parse(runner.displays) as Display[]).map(({ id }) => id);
	return selector.display === "any" ? displays : displays.filter((id) => id === selector.display);
}

/** A job's requirements of its runner, in addition to its selector. */
export interface Needs {
	/** The grid that it watches, which the tokens of runners may not allow. */
	gridUrl: string | undefined;
	/** Length of the past that it includes, which only runners with a buffer have. */
	preSeconds: number | undefined;
}

/**
 * The runners that fit, in order of their first sign-in.
 * @throws validation_failed at `selector.labels`, `selector.display`, `stopConditionConfig.gridUrl` or `preSeconds`, with
 *   what is missing, if there is none.
 */
export async function fittingRunners(
	ctx: Context,
	selector: Selector,
	{ gridUrl, preSeconds = 0 }: Needs,
): Promise<RunnerRow[]> {
	const runners = await ctx.db
		.selectFrom("runner")
		.selectAll()
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("removedAt", "is", null)
		.orderBy("id")
		.execute();
	const fitting = runners.filter(
		(runner) => fittingDisplays(runner, selector).length > 0 && isCapable(readLimits(runner), "record"),
	);
	const allowed = fitting.filter((runner) => mayUseGrid(runner, gridUrl));
	const able = allowed.filter((runner) => hasPast(runner, preSeconds));
	if (able.length > 0) return able;
	if (fitting.length === 0) throw invalid(whatIsMissing(runners, selector));
	if (allowed.length > 0) throw invalid(noBuffer("No runner that fits keeps"));
	throw invalid({
		path: "stopConditionConfig.gridUrl",
		code: "grid_not_allowed",
		message: `The tokens of the runners that fit do not allow the grid at ${gridUrl}. Give one of them a token that does.`,
	});
}

/** Whether a job that begins `preSeconds` ago can do so on a runner. How far the buffer reaches shows once it begins. */
export const hasPast = ({ bufferSeconds }: Pick<RunnerRow, "bufferSeconds">, preSeconds: number): boolean =>
	preSeconds === 0 || bufferSeconds !== null;

/** The fault of a job for which there is no buffer. @param who such as `box-1 keeps`. */
export const noBuffer = (who: string): Fault => ({
	path: "preSeconds",
	code: "no_buffer",
	message: `${who} nothing of what its displays have shown. Set TAPEDECK_BUFFER for the runner, such as to 2m, or leave preSeconds out.`,
});

/** The fault of a job that asks for a new display where none is made. @param who such as `box-1 does not`. */
export const makesNone = (who: string): Fault => ({
	path: "displayId",
	code: "no_virtual_displays",
	message: `${who} make virtual displays. Install Xvfb there and set TAPEDECK_VIRTUAL_DISPLAYS for the runner, such as to 8.`,
});

function mayUseGrid(runner: { limits: string | null }, gridUrl: string | undefined): boolean {
	const limits = readLimits(runner);
	if (!isCapable(limits, "record")) return false;
	return limits === null || gridUrl === undefined || isGridAllowed(limits, gridUrl);
}

function whatIsMissing(runners: readonly RunnerRow[], { labels, display }: Selector) {
	const remedy = "GET /v1/runners lists the runners with their labels and displays.";
	const labelled = runners.filter((runner) => hasLabels(readLabels(runner), labels));
	if (labelled.length === 0) {
		const isAlone = ([key, value]: [string, string]) => runners.some((runner) => readLabels(runner)[key] === value);
		const absent = Object.entries(labels).filter((label) => !isAlone(label));
		const what =
			runners.length === 0
				? "There is no runner."
				: absent.length > 0
					? `No runner has ${absent.map(labelText).join(" or ")}.`
					: `No runner has ${Object.entries(labels).map(labelText).join(" and ")} together.`;
		return { path: "selector.labels", code: "not_found", message: `${what} ${remedy}` };
	}
	const names = labelled.map(({ name }) => name).slice(0, 5);
	const fit = `${names.join(", ")} ${names.length === 1 ? "fits, but does" : "fit, but do"} not`;
	if (display === NEW_DISPLAY) return { ...makesNone(fit), path: "selector.display" };
	const what = display === "any" ? "a display" : `the display ${display}`;
	return { path: "selector.display", code: "not_found", message: `${fit} have ${what}. ${remedy}` };
}

/** Among how many jobs a runner with limited grids looks for one on a grid that it may use. */
const MAX_SEARCHED = 1_000;

/** A job that waits for any runner. `pool` is its selector as stored, which jobs with the same one share. */
export type WaitingJob = { id: number; pool: string; selector: Selector };

/** The first waiting job of each selector, oldest first. */
export async function firstWaiting(ctx: Context): Promise<WaitingJob[]> {
	const { rows } = await sql<{ id: number; selector: string }>`select selector, min(id) as id from job
		where "organizationId" = ${ctx.actor.organizationId} and selector is not null and status = 'queued'
		group by selector`.execute(ctx.db);
	return rows
		.map(({ id, selector }) => ({ id: Number(id), pool: selector, selector: JSON.parse(selector) as Selector }))
		.sort((a, b) => a.id - b.id);
}

/**
 * The oldest waiting job of a pool that this runner may take and no other one is taking at this moment. Without that, runners that become free
 * together would all wait for the transaction of the first, and then for that of the second.
 * @param ctx in a transaction, which alone may take the job until it ends.
 */
export async function lockWaiting(
	ctx: Context,
	pool: string,
	runner: Pick<RunnerRow, "limits" | "bufferSeconds">,
): Promise<number | undefined> {
	const isLimited = (readLimits(runner)?.grids ?? null) !== null;
	const jobs = await ctx.db
		.selectFrom("job")
		.select(["id", "stopConditionConfig"])
		.where("organizationId", "=", ctx.actor.organizationId)
		.where("selector", "=", pool)
		.where("status", "=", "queued")
		.$if(runner.bufferSeconds === null, (query) => query.where("preSeconds", "=", 0))
		.orderBy("id")
		.limit(isLimited ? MAX_SEARCHED : 1)
		// SQLite has one writer at a time.
		.$if(ctx.dialect === "postgres", (query) => query.forUpdate().skipLocked())
		.execute();
	return jobs.find((job) => mayUseGrid(runner, gridUrlOf(job)))?.id;
}

/**
 * The displays of a runner on which nothing is captured, nor about to be, and NEW_DISPLAY if it can make one more, apart from
 * those that programs of its machine have.
 */
export async function freeDisplays(
	ctx: Context,
	runner: Pick<RunnerRow, "id" | "displays" | "virtualDisplays"> & { lentDisplays: number },
): Promise<string[]> {
	const busy = await ctx.db
		.selectFrom("job")
		.select(["displayId", "newDisplay"])
		.where("runnerId", "=", runner.id)
		.where("status", "in", ["starting", "recording"])
		.execute();
	const taken = new Set(busy.map(({ displayId }) => displayId));
	const made = busy.filter(({ newDisplay }) => newDisplay !== null).length + runner.lentDisplays;
	const free = (JSON.parse(runner.displays) as Display[]).map(({ id }) => id).filter((id) => !taken.has(id));
	return made < (runner.virtualDisplays ?? 0) ? [...free, NEW_DISPLAY] : free;
}

/** The pool of the oldest waiting job that fits a free display of this runner, with the display. */
export function fittingPool(
	waiting: readonly WaitingJob[],
	runner: Pick<RunnerRow, "labels" | "displays" | "virtualDisplays">,
	free: readonly string[],
): { pool: string; displayId: string } | undefined {
	for (const { pool, selector } of waiting) {
		const displayId = fittingDisplays(runner, selector).find((each) => free.includes(each));
		if (displayId !== undefined) return { pool, displayId };
	}
	return undefined;
}
