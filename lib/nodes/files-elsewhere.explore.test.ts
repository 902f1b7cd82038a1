/** Zips of recordings on the disks of two real dashboards on one PostgreSQL. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { cookieOf } from "#test/api-people.ts";
import { createPostgresDatabase } from "#test/databases/postgres.ts";
import { DASHBOARDS_API_KEY, type DashboardProcess, startDashboards } from "#test/servers/dashboards.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";
import { makeLargeVideo } from "#test/videos/large-video.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

const run = promisify(execFile);
const READ_ZIP = `
import hashlib, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as zip:
    names = zip.namelist()
    hashes = [hashlib.sha256(zip.read(name)).hexdigest() for name in names]
    notes = [zip.read(name).decode() for name in names if name == "Left out.txt"]
    json.dump({"names": names, "hashes": hashes, "notes": notes}, sys.stdout)
`;
const WITH_KEY = { authorization: `Bearer ${DASHBOARDS_API_KEY}` };

let [a, b] = [] as unknown as [DashboardProcess, DashboardProcess];
let stop: () => Promise<void>;
let atA: Recording;
let atB: Recording;
/** At B, of several of the ranges that it is read in. */
let large: Recording;

beforeAll(async () => {
	const dashboards = await startDashboards(2, await createPostgresDatabase());
	[a, b] = dashboards.nodes as [DashboardProcess, DashboardProcess];
	stop = dashboards.stop;
	const video = await readFile(await makeVideo("recorder.mp4"));
	[atA, atB] = [await upload(a, "At A", video), await upload(b, "At B", video)];
	large = await upload(b, "Large", await makeLargeVideo("recorder.mp4"));
});
afterAll(async () => {
	await stop?.();
	await removeTestFolder();
});

async function upload(node: DashboardProcess, name: string, video: Buffer): Promise<Recording> {
	const answer = await fetch(`${node.url}/v1/recordings?name=${encodeURIComponent(name)}`, {
		method: "POST",
		headers: { ...WITH_KEY, "content-type": "video/mp4" },
		body: new Uint8Array(video),
	});
	expect(answer.status).toBe(201);
	return (await answer.json()) as Recording;
}

const pathOf = (ids: readonly number[]) => `/v1/recordings/download?${ids.map((id) => `id=${id}`).join("&")}`;

interface Zip {
	names: string[];
	/** SHA-256 of each file. */
	hashes: string[];
	notes: string[];
}

/** Downloads a zip and checks that its length matches its header. */
async function download(
	node: DashboardProcess,
	ids: readonly number[],
	headers: Record<string, string> = WITH_KEY,
): Promise<Zip> {
	const answer = await fetch(node.url + pathOf(ids), { headers });
	expect(answer.status).toBe(200);
	const body = Buffer.from(await answer.arrayBuffer());
	expect(answer.headers.get("content-length")).toBe(String(body.length));
	const dir = await temporaryFolder("zip");
	await writeFile(join(dir, "zip"), body);
	await run("unzip", ["-tq", join(dir, "zip")]);
	return JSON.parse((await run("python3", ["-c", READ_ZIP, join(dir, "zip")])).stdout);
}

/** SHA-256 of a recording that is downloaded by itself. */
async function hashOf(node: DashboardProcess, { id }: Recording): Promise<string> {
	const answer = await fetch(`${node.url}/v1/recordings/${id}/video?download=1`, { headers: WITH_KEY });
	return createHash("sha256")
		.update(Buffer.from(await answer.arrayBuffer()))
		.digest("hex");
}

test("a zip has the videos on the disks of both dashboards, whichever of them is asked", async () => {
	const hashes = [await hashOf(a, atA), await hashOf(b, large)];
	const names = [expect.stringMatching(/^At A_/), expect.stringMatching(/^Large_/)];
	for (const node of [a, b]) expect(await download(node, [atA.id, large.id])).toEqual({ names, hashes, notes: [] });
});

test("a signed-in user gets them too", async () => {
	const signedIn = await fetch(`${a.url}/api/auth/sign-in/email`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: a.url },
		body: JSON.stringify({ email: "owner@example.com", password: "a password for tests" }),
	});
	const { hashes, notes } = await download(a, [atA.id, atB.id], { cookie: cookieOf(signedIn) });
	expect({ hashes, notes }).toEqual({ hashes: [await hashOf(a, atA), await hashOf(b, atB)], notes: [] });
});

test("a response whose video is on a dashboard that dies midway ends early instead of looking complete", async () => {
	onTestFinished(() => b.start());
	const answer = await new Promise<IncomingMessage>((resolve, reject) => {
		request(a.url + pathOf([large.id, atA.id]), { headers: WITH_KEY }, resolve)
			.on("error", reject)
			.end();
	});
	expect(answer.statusCode).toBe(200);
	await b.kill();
	let received = 0;
	const readAll = async () => {
		for await (const chunk of answer) received += (chunk as Buffer).length;
	};
	await expect(readAll()).rejects.toThrow("aborted");
	expect(received).toBeLessThan(Number(answer.headers["content-length"]));
});

test("a video on a dashboard that is away is named in the zip's text file, and alone it is answered with 404", async () => {
	onTestFinished(() => b.start());
	await b.kill();
	const { names, notes } = await download(a, [atB.id, atA.id]);
	expect(names).toEqual([expect.stringMatching(/^At A_/), "Left out.txt"]);
	const reason = `The dashboard that has recording ${atB.id} (At B) cannot be reached. Try again when it runs.`;
	expect(notes.join()).toContain(`${reason}\n`);
	const alone = await fetch(a.url + pathOf([atB.id]), { headers: WITH_KEY });
	expect([alone.status, ((await alone.json()) as { detail: string }).detail]).toEqual([
		404,
		expect.stringContaining(reason),
	]);
});
