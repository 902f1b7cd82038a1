/** A watched folder and a real dashboard. */
import { appendFileSync } from "node:fs";
import {
	appendFile,
	copyFile,
	mkdir,
	mkdtemp,
	readFile,
	rename,
	rm,
	symlink,
	utimes,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job } from "@tapedeck/contract/job.ts";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { makeVideo, removeTestFolder } from "../../test/videos/make-video.ts";
import { until } from "../../test/wait.ts";
import { lineLog } from "../base/log.ts";
import { DashboardClient } from "../dashboard/client.ts";
import { Connection } from "../dashboard/connection.ts";
import type { Displays } from "../displays/displays.ts";
import { type FoundFile, scanFolder } from "./scan-folder.ts";
import { FileChangedError, UnchangedFile } from "./unchanged-file.ts";
import { watchFolder } from "./watch-folder.ts";

/** Files of these tests are written whole: what is seen twice is complete. */
const PACE = { unchangedMs: 0, scanMs: 20 };
const SESSION = "0123456789abcdef0123456789abcdef";

let api: TestApi;
let video: string;
beforeAll(async () => {
	api = await startTestApi();
	video = await makeVideo("recorder.mp4");
});
afterAll(async () => {
	await api.stop();
	await removeTestFolder();
});

let folder: string;
let dataDir: string;
let lines: string[];
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "tapedeck-watched-"));
	dataDir = await mkdtemp(join(tmpdir(), "tapedeck-watcher-"));
	lines = [];
});
afterEach(async () => {
	for (const path of [folder, dataDir]) await rm(path, { recursive: true, force: true });
	for (const { id } of await recordings()) await api.call("DELETE", `/v1/recordings/${id}`);
});

const KINDS = "kind=video&kind=image&kind=document&kind=other";
const recordings = async (): Promise<Recording[]> =>
	(await api.call("GET", `/v1/recordings?${KINDS}&limit=100`)).body.data;
const failures = async (): Promise<Job[]> =>
	(await api.call("GET", "/v1/jobs?type=file_upload&status=failed")).body.data;
const said = (text: string) => until(() => lines.find((line) => line.includes(text)), `it says "${text}"`);

/** Watches for the time of `act`. */
async function watching(act: () => Promise<void>, config: object = {}, pace = PACE, name = "watcher"): Promise<void> {
	const stop = new AbortController();
	const log = lineLog((line) => lines.push(line));
	const client = new DashboardClient({ url: api.url, token: TEST_RUNNER_TOKEN });
	const displays = { list: () => [] } as unknown as Displays;
	const connection = new Connection(client, { name, instanceId: `instance-of-${name}` }, displays, log, stop.signal);
	const watched = { folder, excluded: [], maxBytes: null, ...config };
	const running = watchFolder(watched, { connection, log, dataDir }, stop.signal, pace);
	try {
		await Promise.race([act(), running]);
	} finally {
		stop.abort();
		await running;
		client.close();
	}
}

test("a complete file becomes a recording once, also under another name and after a restart", async () => {
	await copyFile(video, join(folder, "Checkout.mp4"));
	await watching(() => said("Checkout.mp4 is uploaded.").then(() => undefined));
	expect(await recordings()).toMatchObject([{ name: "Checkout", state: "ready", jobId: null }]);
	await copyFile(video, join(folder, "Copy.mp4"));
	await utimes(join(folder, "Checkout.mp4"), 1, 1);
	await writeFile(join(folder, "last.mp4"), "this is no video, whatever it says");
	await watching(() => said("last.mp4 is not uploaded").then(() => undefined));
	expect(await recordings()).toHaveLength(1);
});

test("a file that was uploaded just before the runner was killed is not uploaded again", async () => {
	await copyFile(video, join(folder, "Checkout.mp4"));
	await watching(() => said("Checkout.mp4 is uploaded.").then(() => undefined));
	const ledger = join(dataDir, "watched-files");
	const known = (await readFile(ledger, "utf8")).split("\n");
	expect(known.at(-1)).toContain('"sent"');
	// The kill came before that line was whole.
	await writeFile(ledger, [...known.slice(0, -1), '{"state":"se'].join("\n"));
	lines = [];
	await watching(() => said("Checkout.mp4 is uploaded.").then(() => undefined));
	expect(await recordings()).toHaveLength(1);
});

test("files with one content that are complete at the same moment are uploaded once, also if the upload of the first fails", async () => {
	const together = await mkdtemp(join(tmpdir(), "tapedeck-watched-"));
	for (const name of ["a.bin", "b.bin", "c.bin"])
		await writeFile(join(together, name), Buffer.alloc(30_000_000, "tapedeck"));
	await rename(together, join(folder, "together"));
	const noted = async (state: string) => {
		const text = await readFile(join(dataDir, "watched-files"), "utf8").catch(() => "");
		return text.split("\n").flatMap((line) => (line.includes(`"state":"${state}"`) ? [JSON.parse(line)] : []));
	};
	await watching(async () => {
		const [begun] = await until(async () => {
			const found = await noted("begun");
			return found.length > 0 ? found : null;
		}, "an upload begins");
		await utimes(begun.path, 1, 1);
		await until(async () => (await noted("sent")).length === 3, "all three are settled", 60_000);
	});
	expect(await recordings()).toHaveLength(1);
});

test("a video of docker-selenium is named after its test and has its session as a label", async () => {
	await copyFile(video, join(folder, `Pays by card_${SESSION}.mp4`));
	await watching(() => said("is uploaded.").then(() => undefined));
	const found = (await api.call("GET", `/v1/recordings?q=label:session=${SESSION}`)).body.data;
	expect(found).toMatchObject([{ name: "Pays by card", labels: { session: SESSION } }]);
});

test("a file that cannot become a recording is refused with one sentence, and uploaded once it has changed", async () => {
	const killed = `Pays by card_${SESSION}.mp4`;
	await writeFile(join(folder, killed), Buffer.alloc(28));
	await copyFile(video, join(folder, "large.mp4"));
	await watching(
		async () => {
			await said(`${killed} is not uploaded: it has no video in it.`);
			await said("large.mp4 is not uploaded: it has ");
			await copyFile(video, join(folder, "whole.mp4"));
			await rename(join(folder, "whole.mp4"), join(folder, killed));
			await until(
				() => lines.filter((line) => line.includes(`${killed} is not uploaded`)).length === 2,
				"the other file is refused, too",
			);
		},
		{ maxBytes: 100 },
	);
	expect(lines.filter((line) => line.includes("large.mp4"))).toHaveLength(1);
	expect(await recordings()).toEqual([]);
	// The recording that is missing is seen, and its session finds it.
	const sentence = `${killed} did not become a recording: it has no video in it. Its recorder was killed, or has not begun.`;
	// Newest first: other tests leave failed jobs.
	expect((await failures())[0]).toMatchObject({
		...{ name: "Pays by card", labels: { session: SESSION }, path: join(folder, killed), recording: null },
		...{ displayId: "", stopCondition: null, error: { code: "file_unavailable", message: sentence } },
	});
});

test("files of all kinds become recordings of their kinds, and a broken video a failed job", async () => {
	const png = Buffer.from(
		"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
		"base64",
	);
	await mkdir(join(folder, "reports"));
	const latin1 = Buffer.concat([Buffer.from(`${folder}/pr`), Buffer.from([0xfc]), Buffer.from("fung.log")]);
	await writeFile(join(folder, "Home page.png"), png);
	await writeFile(join(folder, "reports/run.json"), "{}");
	await writeFile(latin1, "a line");
	await writeFile(join(folder, "two\nlines.zip"), "PK");
	await writeFile(join(folder, "broken.mp4"), "this is no video, whatever its name says");
	await writeFile(join(folder, "empty.txt"), "");
	await watching(async () => {
		for (const name of ["Home page.png", "run.json", "pr\uFFFDfung.log", "two lines.zip"])
			await said(`${name} is uploaded.`);
		await said("empty.txt is not uploaded: it is empty.");
		await said("broken.mp4 is not uploaded: ");
	});
	const found = (await recordings()).map(({ name, kind, contentType }) => `${kind} ${contentType} ${name}`);
	expect(found.sort()).toEqual([
		"document application/json run.json",
		"document text/plain pr\uFFFDfung.log",
		"image image/png Home page",
		"other application/zip two lines.zip",
	]);
	const [broken] = await failures();
	expect(broken).toMatchObject({
		name: "broken",
		error: { message: expect.stringContaining("broken.mp4 did not become") },
	});
});

test("a file waits until it has been unchanged for long enough", async () => {
	await copyFile(video, join(folder, "growing.mp4"));
	await watching(
		async () => {
			await rm(folder, { recursive: true });
			// The scans before this one have seen the file, and did nothing with it.
			await said("cannot be read");
		},
		{},
		{ unchangedMs: 3_600_000, scanMs: 20 },
	);
	expect(await recordings()).toEqual([]);
});

test("a file that grows for ever is not uploaded, and holds back no other", async () => {
	const path = join(folder, "endless.log");
	// In the loop of the watcher, so that a pause of the machine is none of the file alone.
	const growing = setInterval(() => appendFileSync(path, "a line\n"), 10);
	try {
		await writeFile(join(folder, "done.log"), "a line");
		await watching(() => said("done.log is uploaded.").then(() => undefined), {}, { unchangedMs: 2_000, scanMs: 50 });
	} finally {
		clearInterval(growing);
	}
	expect((await recordings()).map(({ name }) => name)).toEqual(["done.log"]);
	expect(lines.filter((line) => line.includes("endless.log"))).toEqual([]);
});

test("a file that changes while it is read is read no further", async () => {
	const path = join(folder, "growing.mp4");
	await copyFile(video, path);
	const [found] = await scanFolder(folder, []);
	const file = await UnchangedFile.open(found as FoundFile);
	await appendFile(path, Buffer.alloc(1));
	await expect(file.refresh()).rejects.toThrow(FileChangedError);
	await expect(file.sha256(new AbortController().signal)).rejects.toThrow(FileChangedError);
	await file.close();
	await expect(UnchangedFile.open(found as FoundFile)).rejects.toThrow(FileChangedError);
	await rm(path);
	await symlink(video, path);
	await expect(UnchangedFile.open(found as FoundFile)).rejects.toThrow("ELOOP");
});

test("two runners on one folder each upload its files once, and do not disturb each other", async () => {
	for (const name of ["One", "Two"]) await copyFile(video, join(folder, `${name}.mp4`));
	await appendFile(join(folder, "Two.mp4"), Buffer.from("0000000866726565", "hex"));
	const both = () =>
		until(() => lines.filter((line) => line.includes("is uploaded.")).length === 4, "both upload both");
	const own = dataDir;
	const second = await mkdtemp(join(tmpdir(), "tapedeck-watcher-"));
	try {
		const first = watching(() => both().then(() => undefined));
		dataDir = second;
		await Promise.all([first, watching(() => both().then(() => undefined), {}, PACE, "another watcher")]);
	} finally {
		dataDir = own;
		await rm(second, { recursive: true });
	}
	expect((await recordings()).map(({ name }) => name).sort()).toEqual(["One", "One", "Two", "Two"]);
	expect(lines.filter((line) => line.includes("not uploaded") || line.includes("cannot"))).toEqual([]);
});

test("a folder that vanishes is reported once, and watched again when it is back", async () => {
	await rm(folder, { recursive: true });
	await watching(async () => {
		await said("The watched folder cannot be read: ENOENT");
		await copyFolderBack();
		await said("Back.mp4 is uploaded.");
	});
	expect(lines.filter((line) => line.includes("cannot be read"))).toHaveLength(1);
});

async function copyFolderBack(): Promise<void> {
	const beside = await mkdtemp(join(tmpdir(), "tapedeck-watched-"));
	await copyFile(video, join(beside, "Back.mp4"));
	await rename(beside, folder);
}
