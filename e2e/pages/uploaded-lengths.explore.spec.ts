/** The length of uploaded videos: the dashboard reports the length that Chromium plays. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Page } from "playwright/test";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeVideo, removeTestFolder, testFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

let made = 0;
async function ffmpeg(extension: string, ...args: string[]): Promise<string> {
	made += 1;
	const path = join(await testFolder(), `played-${made}.${extension}`);
	await promisify(execFile)("ffmpeg", ["-v", "error", "-y", ...args, path]);
	return path;
}

const PICTURE = ["-f", "lavfi", "-t", "4", "-i", "testsrc2=size=160x120:rate=15"];
const SOUND = ["-f", "lavfi", "-t", "5", "-i", "sine"];
const H264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-bf", "2", "-g", "1000"];
const VP8 = ["-c:v", "libvpx", "-deadline", "realtime", "-b:v", "200k"];

/** Uploads without a type, so that the content decides. */
async function add({ url, apiKey }: Dashboard, name: string, file: Uint8Array): Promise<Recording> {
	const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/octet-stream" };
	const answer = await fetch(`${url}/v1/recordings?name=${encodeURIComponent(name)}`, {
		method: "POST",
		headers,
		body: new Uint8Array(file),
	});
	expect(answer.status, name).toBe(201);
	return answer.json();
}

/** The length and size that the page's player reports once it has played to the end. */
async function playedTo(page: Page, { id }: Recording) {
	await page.goto(`/recordings/${id}`);
	return page.locator("video").evaluate(async (video: HTMLVideoElement) => {
		video.muted = true;
		const at = (event: string) => new Promise((resolve) => video.addEventListener(event, resolve, { once: true }));
		if (video.readyState < 1) {
			const loaded = at("loadedmetadata");
			video.load();
			await loaded;
		}
		// A video that states no length has one once its end was reached.
		const ended = at("ended");
		video.playbackRate = 8;
		await video.play();
		await ended;
		return { seconds: video.currentTime, width: video.videoWidth, height: video.videoHeight };
	});
}

test("a video is as long and as large as Chromium plays it, whatever wrote it", async ({ page, tapedeck }) => {
	test.slow();
	const long = await ffmpeg("mp4", ...PICTURE, ...SOUND, ...H264, "-c:a", "aac");
	const videos: Record<string, string> = {
		"the first frames hidden": await ffmpeg("mp4", "-ss", "1.5", "-i", long, "-c", "copy"),
		"the first frames hidden, fragmented": await ffmpeg(
			...(["mp4", "-ss", "1.5", "-i", long, "-an", "-c", "copy"] as const),
			...["-movflags", "+frag_keyframe+empty_moov+delay_moov"],
		),
		"longer sound": long,
		"longer sound, fragmented": await ffmpeg(
			...(["mp4", ...PICTURE, ...SOUND, ...H264, "-c:a", "aac"] as const),
			...["-movflags", "+frag_keyframe+empty_moov+default_base_moof"],
		),
		"later picture": await ffmpeg(
			...(["mp4", "-itsoffset", "1.5", ...PICTURE, ...SOUND, "-map", "0:v", "-map", "1:a"] as const),
			...[...H264, "-c:a", "aac"],
		),
		QuickTime: await ffmpeg("mov", ...PICTURE, ...SOUND, ...H264, "-c:a", "aac"),
		"samples and fragments": await ffmpeg("mp4", ...PICTURE, ...H264, "-g", "15", "-movflags", "+frag_keyframe"),
		rotated: await ffmpeg("mp4", "-i", long, "-c", "copy", "-metadata:s:v:0", "rotate=90"),
		"rotated, fragmented": await ffmpeg(
			...(["mp4", "-i", long, "-an", "-c", "copy", "-metadata:s:v:0", "rotate=270"] as const),
			...["-movflags", "+frag_keyframe+empty_moov"],
		),
		"live WebM": await ffmpeg("webm", ...PICTURE, ...VP8, "-f", "webm", "-live", "1"),
		WebM: await makeVideo("vp8.webm"),
	};
	const wrong: string[] = [];
	const files = Object.entries(videos).map(async ([name, path]) => [name, await readFile(path)] as const);
	const trailing = Buffer.concat([await readFile(await makeVideo("plain.mp4")), Buffer.from("</html>\n".repeat(99))]);
	for (const [name, file] of [...(await Promise.all(files)), ["bytes after the end", trailing] as const]) {
		const recording = await add(tapedeck, name, file);
		const played = await playedTo(page, recording);
		const isSame =
			Math.abs(played.seconds - recording.durationSeconds) < 0.2 &&
			played.width === recording.width &&
			played.height === recording.height;
		const { durationSeconds: seconds, width, height } = recording;
		if (!isSame) wrong.push(`${name}: ${JSON.stringify({ seconds, width, height })}, played ${JSON.stringify(played)}`);
	}
	expect(wrong).toEqual([]);
});

test("a recording of MediaRecorder has a length, seeks and takes markers at once", async ({ page, tapedeck }) => {
	await page.goto("/recordings");
	const recorded = await page.evaluate(async () => {
		const canvas = document.createElement("canvas");
		Object.assign(canvas, { width: 160, height: 120 });
		const pen = canvas.getContext("2d");
		let frame = 0;
		const timer = setInterval(() => {
			frame += 1;
			if (pen === null) return;
			pen.fillStyle = `hsl(${frame * 9} 80% 50%)`;
			pen.fillRect(0, 0, 160, 120);
		}, 50);
		const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: "video/webm;codecs=vp8" });
		const parts: Blob[] = [];
		recorder.ondataavailable = ({ data }) => parts.push(data);
		recorder.start(500);
		await new Promise((resolve) => setTimeout(resolve, 3_000));
		const stopped = new Promise((resolve) => (recorder.onstop = resolve));
		recorder.stop();
		await stopped;
		clearInterval(timer);
		return [...new Uint8Array(await new Blob(parts).arrayBuffer())];
	});
	const recording = await add(tapedeck, "MediaRecorder", Uint8Array.from(recorded));
	expect(recording.durationSeconds).toBeGreaterThan(2);
	const path = `/v1/recordings/${recording.id}/markers`;
	await tapedeck.api.call("POST", path, { label: "in the middle", offsetSeconds: 1.5 });
	await page.goto(`/recordings/${recording.id}`);
	const bar = page.getByRole("slider", { name: "Seek" });
	expect(Number(await bar.getAttribute("max"))).toBeGreaterThan(2);
	await page
		.getByRole("button", { name: /in the middle/ })
		.first()
		.click();
	const secondsOf = () => page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime);
	await expect.poll(secondsOf).toBeGreaterThanOrEqual(1.4);
	const played = await playedTo(page, recording);
	expect(Math.abs(played.seconds - recording.durationSeconds)).toBeLessThan(0.3);
});
