/** Labels, outcome and keep policy of a job and its recording, which always have the same. */
import { type Labels, MAX_LABELS } from "@tapedeck/contract/labels.ts";
import type { Keep, Outcome } from "@tapedeck/contract/recording-kinds.ts";
import { DEFAULT_RECORDING_SETTINGS, type RecordingSettings } from "@tapedeck/contract/recording-settings.ts";
import type { VideoFormat, VideoOptions } from "@tapedeck/contract/video-options.ts";
import type { Selectable } from "kysely";
import type { Context } from "#lib/core/context.ts";
import type { JobTable, RunnerTable } from "#lib/db/schema.ts";

export const readLabels = (row: { labels: string }): Labels => JSON.parse(row.labels) as Labels;

/** The columns that store labels. @param otherTexts texts that a search matches in addition to the values of its labels. */
export function labelColumns(labels: Labels, otherTexts: readonly string[] = []) {
	const texts = [...new Set([...Object.values(labels), ...otherTexts])].filter((text) => text !== "");
	return { labels: JSON.stringify(labels), searchText: texts.length === 0 ? null : texts.join("\n") };
}

/** The requested video options. */
export const readVideoOptions = ({ video }: { video: string | null }): VideoOptions =>
	video === null ? {} : (JSON.parse(video) as VideoOptions);

/** The frame rate of a recording; null if unknown. */
export const frameRateOf = ({ video }: { video: string | null }): number | null =>
	readVideoFormat(video)?.framesPerSecond ?? null;

/** The encoding of a video. */
export const readVideoFormat = (video: string | null): VideoFormat | null =>
	video === null ? null : (JSON.parse(video) as VideoFormat);

export async function recordingSettings(
	{ db }: Pick<Context, "db">,
	organizationId: number,
): Promise<RecordingSettings> {
	const row = await db
		.selectFrom("recordingSettings")
		.select(["keep", "graceSeconds", "maxDurationSeconds", "commitUrlTemplate", "video"])
		.where("organizationId", "=", organizationId)
		.executeTakeFirst();
	return row === undefined ? DEFAULT_RECORDING_SETTINGS : { ...row, video: readVideoOptions(row) };
}

/** Options of a job itself. Those of its runner, and then of its organization, apply to the rest. */
export type OwnRules = { labels?: Labels; keep?: Keep | null; maxDurationSeconds?: number | null };

/** The columns of a job that this runner takes. A label of the job beats the runner's of the same key. */
export function rulesOnRunner(
	own: OwnRules & { stopCondition: string },
	runner: Pick<Selectable<RunnerTable>, "labels" | "keep" | "maxDurationSeconds">,
	settings: RecordingSettings,
) {
	const labels = Object.entries({ ...readLabels(runner), ...own.labels });
	const isOwn = ([key]: [string, string]) => Object.hasOwn(own.labels ?? {}, key);
	const ownFirst = [...labels.filter(isOwn), ...labels.filter((label) => !isOwn(label))].slice(0, MAX_LABELS);
	const cap = own.maxDurationSeconds ?? runner.maxDurationSeconds ?? settings.maxDurationSeconds;
	return {
		...labelColumns(Object.fromEntries(ownFirst)),
		keep: own.keep ?? runner.keep ?? settings.keep,
		maxDurationSeconds: own.stopCondition === "duration" ? null : cap,
	};
}

/** When a recording is to be deleted because its test passed. */
export function deleteAtOf(
	state: { keep: Keep | null; outcome: Outcome | null },
	{ graceSeconds }: RecordingSettings,
	now: number,
): number | null {
	return state.keep === "failed" && state.outcome === "passed" ? now + graceSeconds * 1000 : null;
}

/** Columns that a job's recording copies from its job. Select them under the job's lock. */
export const sharedColumnsOf = ({
	labels,
	searchText,
	outcome,
	keep,
	pinned,
}: Pick<Selectable<JobTable>, "labels" | "searchText" | "outcome" | "keep" | "pinned">) => ({
	labels,
	searchText,
	outcome,
	keep,
	pinned,
});
