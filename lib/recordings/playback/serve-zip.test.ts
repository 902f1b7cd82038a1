/** Real recordings, downloaded as a zip and read by Python's zipfile. */

import { readdir, readFile, readlink } from "node:fs/promises";
import { connect } from "node:net";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { onOneStorage } from "#test/each-storage.ts";
import { inExplore } from "#test/in-explore.ts";
import { readZip } from "#test/read-zip.ts";
import type { TestRecordings } from "#test/recordings.ts";
import { beginUpload, patch } from "#test/tus-client.ts";
import { makeLargeVideo } from "#test/videos/large-video.ts";
import { type Kind, makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { deleteRecording } from "../deletion.ts";

afterAll(removeTestFolder);

onOneStorage((opened, kind) => {
	let t: TestRecordings;
	beforeEach(() => {
		t = opened().recordings;
	});

	async function upload(name: string, video: Kind | Buffer = "recorder.mp4"): Promise<Recording> {
		const answer = await t.call(`/v1/recordings?name=${encodeURIComponent(name)}`, {
			method: "POST",
			as: "key",
			headers: { "content-type": "video/mp4" },
			body: typeof video === "string" ? await readFile(await makeVideo(video)) : video,
		});
		return JSON.parse(answer.body.toString()) as Recording;
	}
	const pathOf = (ids: readonly number[]) => `/v1/recordings/download?${ids.map((id) => `id=${id}`).join("&")}`;
	const download = (ids: readonly number[], as = "key") => t.call(pathOf(ids), { as });
	/** Stored videos that this process has open. */
	async function openVideos(): Promise<string[]> {
		const links = (await readdir("/proc/self/fd")).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ""));
		return (await Promise.all(links)).filter((path) => path.startsWith(t.videosDir));
	}

	test("the zip has each video uncompressed and as its own download has it, and its length is known at once", async () => {
		const uploaded = [await upload("Login"), await upload("Logout", "vp8.webm"), await upload("Plain", "plain.mp4")];
		const ids = uploaded.map(({ id }) => id);
		const answer = await download([...ids, ids[0] as number]);
		expect(answer.status).toBe(200);
		expect(answer.headers).toMatchObject({
			"content-type": "application/zip",
			"content-length": String(answer.body.length),
			"content-disposition": expect.stringMatching(/^attachment; filename="recordings-\d{4}-\d\d-\d\d\.zip"/),
			"cache-control": "private, no-store",
			"x-content-type-options": "nosniff",
		});
		const head = await t.call(pathOf(ids), { method: "HEAD", as: "key" });
		expect([head.headers["content-length"], head.body.length]).toEqual([String(answer.body.length), 0]);
		const files = await readZip(answer.body);
		expect(files.map(({ method }) => method)).toEqual([0, 0, 0]);
		for (const [index, id] of ids.entries()) {
			const alone = await t.call(`/v1/recordings/${id}/video?download=1`, { as: "key" });
			expect(files[index]?.content.equals(alone.body)).toBe(true);
		}
	});

	// Names do not depend on the storage, and each upload is decoded.
	if (kind === "disk") {
		test("names in the zip are unique, and every operating system accepts them", async () => {
			const names = ["Login", "login", "../etc/CON: *?", "con", "録".repeat(200), "Größe 🔥", "a.", "a\\b"];
			const ids: number[] = [];
			for (const name of names) ids.push((await upload(name, "vp8.webm")).id);
			const files = await readZip((await download(ids)).body);
			const day = new Date().toISOString().slice(0, 10);
			expect(files[0]?.name).toBe(`Login_${day}_${ids[0]}.webm`);
			expect(files[5]?.name).toBe(`Größe 🔥_${day}_${ids[5]}.webm`);
			expect(new Set(files.map(({ name }) => name.toLowerCase())).size).toBe(names.length);
			for (const { name } of files) {
				// biome-ignore lint/suspicious/noControlCharactersInRegex: what file names cannot have
				expect(name).not.toMatch(/[\x00-\x1f<>:"/\\|?*]|^[. ]|[. ]$|^con[._]/i);
				expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
			}
		});
	}

	test("a text file in the zip names what could not be included, and nothing else is answered with 404", async () => {
		const [kept, deleted] = [await upload("Kept"), await upload("Deleted")];
		await deleteRecording(t.as("key"), deleted.id);
		const path = await beginUpload(t, { jobId: await t.addJob() });
		await patch(t, path, 0, (await readFile(await makeVideo("recorder.mp4"))).subarray(0, 30_000));
		const live = (await t.recordings()).find(({ state }) => state === "live")?.id as number;
		const answer = await download([live, deleted.id, kept.id]);
		expect(answer.headers["content-length"]).toBe(String(answer.body.length));
		const files = await readZip(answer.body);
		expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^Kept_/), "Left out.txt"]);
		const note = files[1]?.content.toString() ?? "";
		expect(note).toMatch(new RegExp(`Recording ${live} \\(.*\\) is still in progress\\.\n`));
		expect(note).toContain(`Recording ${deleted.id} does not exist. It may have been deleted.\n`);

		const none = await download([live, deleted.id]);
		expect(none.status).toBe(404);
		expect(JSON.parse(none.body.toString()).detail).toContain("still in progress");
		const foreign = await download([kept.id], "foreignKey");
		expect(foreign.status).toBe(404);
		expect(foreign.body.toString()).not.toContain("Kept");
	});

	inExplore(test)(
		"a caller who leaves midway leaves no file open, and one who does not read takes no memory",
		async () => {
			const large = await makeLargeVideo("recorder.mp4");
			const ids = [(await upload("One", large)).id, (await upload("Two", large)).id];
			const before = process.memoryUsage().arrayBuffers;
			const sockets = Array.from({ length: 2 }, () => connect(t.port, "127.0.0.1"));
			for (const socket of sockets) {
				socket.on("error", () => undefined);
				socket.write(`GET ${pathOf(ids)} HTTP/1.1\r\nHost: x\r\nX-As: key\r\n\r\n`);
			}
			for (const socket of sockets) await new Promise((resolve) => socket.once("readable", resolve));
			if (kind === "disk") {
				expect(await openVideos()).toHaveLength(sockets.length);
				expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(large.length);
			}
			for (const socket of sockets) socket.destroy();
			await expect.poll(openVideos).toEqual([]);
			const whole = await download(ids);
			expect(whole.body.length).toBe(Number(whole.headers["content-length"]));
			expect(whole.body.length).toBeGreaterThan(large.length);
			await expect.poll(openVideos).toEqual([]);
		},
	);

	inExplore(test)(
		"a response whose video disappears before its turn ends early instead of looking complete",
		async () => {
			const ids = [(await upload("Long", await makeLargeVideo("recorder.mp4"))).id, (await upload("Gone")).id];
			const socket = connect(t.port, "127.0.0.1");
			socket.write(`GET ${pathOf(ids)} HTTP/1.1\r\nHost: x\r\nX-As: key\r\nConnection: close\r\n\r\n`);
			await new Promise((resolve) => socket.once("readable", resolve));
			await deleteRecording(t.as("key"), ids[1] as number);
			const chunks: Buffer[] = [];
			for await (const chunk of socket) chunks.push(chunk as Buffer);
			const answer = Buffer.concat(chunks);
			const promised = Number(/content-length: (\d+)/i.exec(answer.toString("latin1", 0, 2_000))?.[1]);
			expect(answer.length - answer.indexOf("\r\n\r\n") - 4).toBeLessThan(promised);
			expect(await openVideos()).toEqual([]);
		},
	);
});
