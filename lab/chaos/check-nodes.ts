/** Finds faults after a chaos run over dashboards, each described in one sentence. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Job } from "@tapedeck/contract/job.ts";
import pg from "pg";
import type { FakeS3 } from "#test/servers/fake-s3.ts";
import { AUTHORIZED, allJobs, type Cluster, call } from "./node-cluster.ts";

const VIDEO_MS = 30_000;
/**
 * The time after the last fault in which a dashboard may ask callers to retry: it looks for the others every few
 * seconds.
 */
const WHOLE_MS = 10_000;

/** Dashboards that do not answer again. */
export async function muteNodes({ nodes }: Cluster): Promise<string[]> {
	const problems = await Promise.all(
		nodes.map(({ url }) =>
			call(url, "GET", "/v1/jobs").then(
				() => [],
				(error: Error) => [`${url} does not answer: ${error.message}`],
			),
		),
	);
	return problems.flat();
}

/** Dashboards whose lease has lapsed, although nothing has been broken for a while. */
export async function lapsedNodes({ postgres, nodes }: Cluster): Promise<string[]> {
	const client = new pg.Client({ connectionString: postgres.url });
	await client.connect();
	try {
		for (const deadline = performance.now() + WHOLE_MS; ; await sleep(500)) {
			const { rows } = await client.query<{ id: string; lapsed: boolean }>(
				`select id, until < extract(epoch from clock_timestamp()) * 1000 as lapsed from "dashboardNode"`,
			);
			const problems = rows.flatMap(({ id, lapsed }) =>
				lapsed ? [`the lease of the dashboard ${id} has lapsed`] : [],
			);
			if (rows.length !== nodes.length)
				problems.push(`${rows.length} dashboards have leases instead of ${nodes.length}`);
			if (problems.length === 0 || performance.now() > deadline) return problems;
		}
	} finally {
		await client.end();
	}
}

/** Dashboards that ended without being asked to, even if they were started again. */
export const crashedNodes = ({ nodes }: Cluster): string[] => nodes.flatMap(({ crashes }) => crashes);

export function wrongsOfJobs(ids: readonly number[], jobs: readonly Job[]): string[] {
	const byId = new Map(jobs.map((job) => [job.id, job]));
	return ids.flatMap((id) => {
		const job = byId.get(id);
		if (job === undefined) return [`job ${id} was acknowledged and is gone`];
		if (job.status !== "completed") return [`job ${id} is ${job.status} (${job.stopReason})`];
		const { recording, deletedRecording } = job;
		if (recording?.state === "ready") return [];
		const instead =
			recording?.state ?? (deletedRecording === null ? "none" : `deleted at ${deletedRecording.deletedAt}`);
		return [`job ${id} has no complete recording, but: ${instead}`];
	});
}

/**
 * Checks that every dashboard plays the same complete video.
 * @param piecesOf returns the chunks that a job's runner uploaded; null if unknown.
 */
export async function wrongsOfVideos(
	{ nodes }: Cluster,
	jobs: readonly Job[],
	piecesOf: (jobId: number) => readonly Buffer[] | null,
): Promise<string[]> {
	const problems: string[] = [];
	const deadline = performance.now() + WHOLE_MS;
	for (const job of jobs) {
		if (job.recording === null) continue;
		const path = `/v1/recordings/${job.recording.id}/video`;
		const least = (piecesOf(job.id) ?? []).reduce((sum, piece) => sum + piece.length, 0);
		const sizes: (number | string)[] = await Promise.all(
			nodes.map(async ({ url }) => {
				for (;;) {
					const signal = AbortSignal.timeout(VIDEO_MS);
					const answer = await fetch(url + path, { headers: AUTHORIZED, signal });
					const { byteLength } = await answer.arrayBuffer();
					if (answer.status === 200) return byteLength;
					if (answer.status !== 503 || performance.now() > deadline) return -answer.status;
					await sleep(500);
				}
			}),
		).catch((error: Error) => [error.message, String(error.cause)]);
		// Played with a header of its own instead of many small ones.
		if (new Set(sizes).size > 1 || Number(sizes[0]) < least * 0.9) {
			problems.push(
				`recording ${job.recording.id} of job ${job.id} has at the dashboards, in bytes: ${sizes.join(", ")}`,
			);
		}
	}
	return problems;
}

/** Checks that ended work has left no rows and no objects. */
export async function wrongsOfRows({ postgres, s3 }: Cluster): Promise<string[]> {
	const client = new pg.Client({ connectionString: postgres.url });
	await client.connect();
	try {
		const count = async (what: string, from: string) => {
			const { rows } = await client.query<{ count: string }>(`select count(*) from ${from}`);
			return Number(rows[0]?.count) === 0 ? [] : [`${rows[0]?.count} ${what}`];
		};
		return [
			...(s3 === null ? [] : await count("recordings are not in the bucket", `recording where "objectKey" is null`)),
			...(await count("recordings are still live", `recording where state <> 'ready'`)),
			...(await count(
				"leases are of no recording",
				`"uploadLease" l where not exists (select 1 from recording r where r."uploadId" = l."uploadId")`,
			)),
			...(await count(
				"recordings on a disk have no lease",
				`recording r where "objectKey" is null and not exists (select 1 from "uploadLease" l where r."uploadId" = l."uploadId" and l."storedAt" is not null)`,
			)),
			...(s3 === null ? [] : await wrongsOfObjects(client, s3)),
		];
	} finally {
		await client.end();
	}
}

/** Objects that a dashboard writes to check the bucket at its start. They stay if it is killed in the meantime. */
const CHECKED = /^check-/;

/** Every object in the bucket must belong to a recording, or must be marked as unused so that the sweep deletes it. */
async function wrongsOfObjects(client: pg.Client, { objects, location, openUploads }: FakeS3): Promise<string[]> {
	const { rows } = await client.query<{ key: string; multipart: string | null }>(`
		select "objectKey" || suffix as key, null as multipart from recording, unnest(array['', '.jpg', '.frames']) as suffix
		where "objectKey" is not null
		union all select "objectKey", null from "videoSegment"
		union all select "objectKey", "multipartId" from "unusedObject"`);
	const keys = new Set(rows.map(({ key }) => key));
	const multiparts = new Set(rows.map(({ multipart }) => multipart));
	const keyIn = (key: string) => key.slice(location.prefix.length);
	const isUnknown = (key: string) => !keys.has(keyIn(key)) && !CHECKED.test(keyIn(key));
	return [
		...[...objects.keys()].filter(isUnknown).map((key) => `nothing knows the object ${key}`),
		...openUploads
			.filter(({ id, key }) => !multiparts.has(id) && !CHECKED.test(keyIn(key)))
			.map(({ id, key }) => `nothing knows the multipart upload ${id} of ${key}`),
	];
}

/** A page that is open all the time, as the browser's client behaves: it loads again when it may have missed something. */
export class Page {
	readonly #url: string;
	readonly #jobs = new Map<number, string>();
	readonly #closed = new AbortController();

	constructor(url: string) {
		this.#url = url;
	}

	open(): void {
		void this.#follow();
	}

	close(): void {
		this.#closed.abort();
	}

	async problems(jobs: readonly Job[]): Promise<string[]> {
		const differing = () => jobs.filter(({ id, status }) => this.#jobs.get(id) !== status);
		for (const deadline = performance.now() + 10_000; performance.now() < deadline && differing().length > 0; ) {
			await sleep(200);
		}
		return differing().map(({ id, status }) => `a page shows job ${id} as ${this.#jobs.get(id)} instead of ${status}`);
	}

	async #follow(): Promise<void> {
		while (!this.#closed.signal.aborted) {
			try {
				const stream = await fetch(`${this.#url}/v1/events`, { headers: AUTHORIZED, signal: this.#closed.signal });
				if (stream.status === 200) {
					await this.#load();
					await this.#read(stream.body as ReadableStream<Uint8Array>);
				}
			} catch {
				// Tries again, as browsers do.
			}
			await sleep(500);
		}
	}

	async #load(): Promise<void> {
		for (const { id, status } of await allJobs(this.#url)) this.#jobs.set(id, status);
	}

	async #read(body: ReadableStream<Uint8Array>): Promise<void> {
		const decoder = new TextDecoder();
		let text = "";
		for await (const chunk of body) {
			text += decoder.decode(chunk, { stream: true });
			const events = text.split("\n\n");
			text = events.pop() ?? "";
			for (const event of events) {
				const [, type, data] = /^event: (\w+)\ndata: (.*)$/m.exec(event) ?? [];
				if (type === "resync") await this.#load();
				if (type !== "job" || data === undefined) continue;
				const { id, status } = JSON.parse(data) as Job;
				this.#jobs.set(id, status);
			}
		}
	}
}
