/** The vectors that every client replays, by the commands: see test/vectors/README.md. */
import { describe, expect, onTestFinished, test } from "vitest";
import { tapedeck } from "#test/processes/tapedeck-command.ts";
import { readVectors } from "#test/vectors/read-vectors.ts";
import { startReplayServer, VECTOR_KEY, type Vector } from "#test/vectors/replay-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: the arguments of any operation
type Arguments = any;

const flags = (values: Record<string, unknown>): string[] =>
	Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, String(value)]));
const pairs = (labels: Record<string, string | null> = {}): string[] =>
	Object.entries(labels).map(([key, value]) => (value === null ? `${key}-` : `${key}=${value}`));

/** The commands of an operation; those without one of their own are called by `tapedeck api`. */
const COMMANDS: Record<string, (given: Arguments) => string[]> = {
	createJob: ({ body: { runnerId, displayId, name, labels, stopConditionConfig } }) => [
		...["jobs", "create", ...flags({ runner: runnerId, display: displayId, name })],
		...pairs(labels).flatMap((pair) => ["--label", pair]),
		...flags({ duration: stopConditionConfig && `${stopConditionConfig.durationSeconds}s` }),
	],
	getJob: ({ jobId, waitFor, timeoutSeconds }) =>
		waitFor === undefined
			? ["jobs", "get", String(jobId)]
			: ["jobs", "wait", String(jobId), ...flags({ for: waitFor, timeout: `${timeoutSeconds}s` })],
	listJobs: ({ q, limit, cursor }) => ["jobs", "list", ...flags({ query: q, limit, cursor })],
	updateJob: ({ jobId, body: { labels, outcome } }) => [
		...["jobs", "label", String(jobId), ...pairs(labels), ...flags({ outcome })],
	],
	cancelJob: ({ jobId }) => ["jobs", "cancel", String(jobId)],
	createJobMarker: ({ jobId, body: { label, kind, at } }) => ["mark", label, ...flags({ job: jobId, kind, at })],
	createRecordingMarker: ({ recordingId, body: { label, kind, message, offsetSeconds } }) => [
		...["mark", label, ...flags({ recording: recordingId, kind, at: offsetSeconds, message })],
	],
	getRecording: ({ recordingId }) => ["recordings", "get", String(recordingId)],
	listRecordings: ({ q, limit, cursor }) => ["recordings", "list", ...flags({ query: q, limit, cursor })],
	createShareLink: ({ recordingId }) => ["recordings", "share", String(recordingId), "--expires", "never"],
	deleteRecording: ({ recordingId }) => ["recordings", "delete", String(recordingId)],
	listRunners: ({ limit }) => ["runners", ...flags({ limit })],
};

function wordsOf({ operation, arguments: given = {}, exchanges }: Vector, cursor: string | null): string[] {
	const words = COMMANDS[operation];
	if (words !== undefined) return words({ ...given, cursor: cursor ?? undefined });
	const { method = "", path = "", query, body } = exchanges[0]?.request ?? {};
	const search = query === undefined ? "" : `?${new URLSearchParams(query as Record<string, string>)}`;
	return ["api", method, path + search, ...(body === undefined ? [] : ["--body", JSON.stringify(body)])];
}

/** What no flag says: a job that is never valid. */
const isSaid = ({ operation, error }: Vector): boolean => !(operation === "createJob" && error !== undefined);

describe.each(Object.entries(await readVectors()))("%s", (_file, vectors) => {
	// Another try is the caller's to make.
	const own = vectors.filter((vector) => vector.retries === undefined && isSaid(vector));
	test.each(own.map((vector) => [vector.title, vector] as const))("%s", async (_title, vector) => {
		const server = await startReplayServer(vector.exchanges);
		onTestFinished(() => server.stop());
		const env = { TAPEDECK_URL: server.url, TAPEDECK_API_KEY: VECTOR_KEY };
		const isList = vector.operation.startsWith("list") && vector.error === undefined;
		const entries: unknown[] = [];
		let answer: Record<string, unknown> = {};
		// A list is printed page by page.
		for (let cursor: string | null = null; ; ) {
			answer = (await tapedeck([...wordsOf(vector, cursor), "--json"], env)).data();
			if (!isList) break;
			entries.push(...(answer.data as unknown[]));
			cursor = answer.nextCursor as string | null;
			if (cursor === null) break;
		}
		expect(server.complaints()).toEqual([]);
		if (vector.error !== undefined) expect(answer).toMatchObject({ error: { code: vector.error.code } });
		else if (isList) expect(entries).toEqual(vector.result);
		else if (vector.operation.endsWith("Markers")) expect(answer).toEqual({ data: vector.result });
		else if (vector.result !== null) expect(answer).toEqual(vector.result);
	});
});
