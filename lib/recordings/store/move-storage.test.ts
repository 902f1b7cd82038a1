/** A dashboard that goes from its disk to a bucket and back, each time while it is used. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir, uptime } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { readEnv } from "#lib/server/env.ts";
import { runOperatorCommand } from "#lib/server/operator-commands.ts";
import { startTestApi, type TestApi } from "#test/api-server.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { variants } from "#test/in-explore.ts";
import { type FakeS3, setFakeCredentials, startFakeS3 } from "#test/servers/fake-s3.ts";
import { type Kind, makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const DAY_MS = 86_400_000;
const KINDS = ["recorder.mp4", "plain.mp4", "vp8.webm"] as const;

let s3: FakeS3;
let dataDir: string;
beforeEach(async () => {
	setFakeCredentials();
	s3 = await startFakeS3();
	dataDir = await mkdtemp(join(tmpdir(), "tapedeck-move-"));
});
afterEach(async () => {
	await s3.stop();
	await rm(dataDir, { recursive: true, force: true });
});
afterAll(removeTestFolder);

const upload = async (api: TestApi, kind: Kind): Promise<number> => {
	const headers = { "content-type": kind.endsWith("webm") ? "video/webm" : "video/mp4" };
	const raw = await readFile(await makeVideo(kind));
	const { status, body } = await api.call("POST", `/v1/recordings?name=${kind}`, { headers, raw });
	expect(status).toBe(201);
	return body.id;
};

async function bytesOf(api: TestApi, id: number): Promise<Buffer> {
	const answer = await fetch(`${api.url}/v1/recordings/${id}/video`, {
		headers: { authorization: "Bearer tdk_test_0123456789abcdef" },
	});
	expect(answer.status).toBe(200);
	return Buffer.from(await answer.arrayBuffer());
}

/** Plays the videos over and over until it is stopped. */
function watch(api: TestApi, expected: ReadonlyMap<number, Buffer>): () => Promise<number> {
	let stopped = false;
	const playing = (async () => {
		let played = 0;
		while (!stopped || played < expected.size) {
			for (const [id, bytes] of expected) {
				expect((await bytesOf(api, id)).equals(bytes), `recording ${id}`).toBe(true);
				played += 1;
			}
		}
		return played;
	})();
	playing.catch(() => undefined);
	return () => {
		stopped = true;
		return playing;
	};
}

const videoFiles = async () =>
	(await readdir(join(dataDir, "videos"))).filter((name) => /^[0-9a-f]{32}(\.part)?$/.test(name));

describe.each(variants(["SQLite", "PostgreSQL"] as const, (database) => database === "SQLite"))("on %s", (database) => {
	test("recordings and attachments move to the bucket and back while they are watched, verified and byte by byte the same", async () => {
		const base: Record<string, string> = {
			TAPEDECK_DATA_DIR: dataDir,
			...(database === "PostgreSQL"
				? { TAPEDECK_DATABASE_URL: await createPostgresDatabase(), TAPEDECK_SECRET_KEY: "ab".repeat(32) }
				: {}),
		};
		const move = (variables: Record<string, string>) =>
			runOperatorCommand(readEnv({ ...base, TAPEDECK_LOG_LEVEL: "silent", ...variables }), ["move-storage"]);
		const attachment = async (api: TestApi) => (await api.call("GET", `/v1/attachments/${attachmentId}`)).body;
		const onDisk = await startTestApi(base);
		const ids: number[] = [];
		const expected = new Map<number, Buffer>();
		let attachmentId = 0;
		try {
			const run = (await onDisk.call("POST", "/v1/test-runs", { body: {} })).body.id;
			const raw = "the bank is closed";
			attachmentId = (await onDisk.call("POST", `/v1/test-runs/${run}/attachments?name=a.txt`, { raw })).body.id;
			for (const kind of KINDS) ids.push(await upload(onDisk, kind));
			for (const id of ids) expected.set(id, await bytesOf(onDisk, id));
			await expect(move({})).rejects.toThrow("No bucket is configured.");
		} finally {
			await onDisk.stop();
		}

		const toBucket = { TAPEDECK_STORAGE_URL: s3.url };
		const inBucket = await startTestApi({ ...base, ...toBucket });
		try {
			const stop = watch(inBucket, expected);
			// The first object that is read back is damaged, and stays where it was.
			let damaged = false;
			s3.fault = ({ kind, method, key }) => {
				if (damaged || kind !== "get" || method !== "GET" || !key.includes("/videos/")) return undefined;
				damaged = true;
				s3.objects.set(key, Buffer.alloc((s3.objects.get(key) as Buffer).length));
				return undefined;
			};
			await expect(move(toBucket)).rejects.toThrow(
				/1 recording \(\d\) could not be moved; .*run the same command again/,
			);
			s3.fault = () => undefined;
			expect(await move(toBucket)).toMatch(
				/^Moved \d recordings?(?: and 1 attachment)? \(0\.00 GB\) to s3:\/\/videos-of-tests\/tapedeck\/\. Nothing is left to move\.$/,
			);
			expect(await move(toBucket)).toContain("Moved 0 recordings");
			expect(await stop()).toBeGreaterThanOrEqual(ids.length);
			for (const [id, bytes] of expected) expect((await bytesOf(inBucket, id)).equals(bytes)).toBe(true);
			expect(await videoFiles()).toEqual([]);
			expect(await attachment(inBucket)).toBe("the bank is closed");
			// New ones go there at once.
			const id = await upload(inBucket, "faststart.mp4");
			expected.set(id, await bytesOf(inBucket, id));
			expect(await videoFiles()).toEqual([]);
		} finally {
			await inBucket.stop();
		}

		const toDisk = { TAPEDECK_STORAGE_URL_PREVIOUS: s3.url };
		const back = await startTestApi({ ...base, ...toDisk }, { sweepMs: 100 });
		try {
			const stop = watch(back, expected);
			expect(await move(toDisk)).toMatch(/^Moved 4 recordings and 1 attachment \(0\.00 GB\) to the disk\./);
			await stop();
			expect(await videoFiles()).toHaveLength(5);
			back.app.clock.now = () => Date.now() + DAY_MS;
			back.app.clock.uptimeMs = () => uptime() * 1_000 + DAY_MS;
			await expect.poll(() => [...s3.objects.keys()]).toEqual([]);
		} finally {
			await back.stop();
		}

		const again = await startTestApi(base);
		try {
			for (const [id, bytes] of expected) expect((await bytesOf(again, id)).equals(bytes)).toBe(true);
			expect(await attachment(again)).toBe("the bank is closed");
		} finally {
			await again.stop();
		}
	});
});

test("a dashboard does not start with a bucket that it cannot use, and says why", async () => {
	s3.fault = ({ kind }) => (kind === "delete" ? { status: 403, code: "AccessDenied" } : undefined);
	await expect(startTestApi({ TAPEDECK_DATA_DIR: dataDir, TAPEDECK_STORAGE_URL: s3.url })).rejects.toThrow(
		"The key may not do all that is needed in s3://videos-of-tests/tapedeck/: s3:DeleteObject.",
	);
	await expect(
		startTestApi({ TAPEDECK_STORAGE_URL: "s3://x", TAPEDECK_STORAGE_URL_PREVIOUS: "videos" }),
	).rejects.toThrow(/TAPEDECK_STORAGE_URL must name a bucket.*\nTAPEDECK_STORAGE_URL_PREVIOUS must be file:/);
});
