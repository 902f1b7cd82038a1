/** Recordings as playable entries: from elsewhere, at a moment, and gone again. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "./fixtures/tapedeck.ts";
import { expectPlaying, expectSeek } from "./fixtures/video.ts";

/** Six seconds of a test picture in an ordinary MP4. @returns its path and a function that removes it. */
async function makeVideo() {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-video-"));
	const file = join(folder, "elsewhere.mp4");
	const source = ["-f", "lavfi", "-i", "testsrc2=size=640x360:rate=25", "-t", "6"];
	const codec = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25"];
	await promisify(execFile)("ffmpeg", ["-loglevel", "error", ...source, ...codec, file]);
	return { file, remove: () => rm(folder, { recursive: true }) };
}

test("a video from elsewhere becomes an entry that plays, seeks, opens at ?t= and can be deleted", async ({
	page,
	tapedeck,
}) => {
	const { file, remove } = await makeVideo();
	const bytes = await readFile(file);
	await remove();
	await page.goto("/recordings");
	const choosing = page.waitForEvent("filechooser");
	await page.getByRole("button", { name: "Upload video" }).click();
	await (await choosing).setFiles({ name: "From elsewhere.mp4", mimeType: "video/mp4", buffer: bytes });
	await expect(page.getByText("From elsewhere").first()).toBeVisible();
	const id = (await tapedeck.api.recordings()).find(({ name }) => name.startsWith("From elsewhere"))?.id ?? 0;

	await page
		.getByRole("link", { name: /From elsewhere/ })
		.first()
		.click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${id}`));
	const video = page.locator("video");
	await expectPlaying(video, { width: 640, height: 360 });
	await expectSeek(video, 4);
	await expectSeek(video, 1);

	await page.goto(`/recordings/${id}?t=3.5`);
	await expect
		.poll(() => page.locator("video").evaluate((element: HTMLVideoElement) => element.currentTime))
		.toBeCloseTo(3.5, 0);

	const download = page.waitForEvent("download");
	await page
		.getByRole("link", { name: /Download/ })
		.first()
		.click();
	const saved = await download;
	expect(saved.suggestedFilename()).toMatch(/From elsewhere.*\.mp4$/);
	expect(await readFile((await saved.path()) ?? "")).toEqual(bytes);

	await page
		.getByRole("button", { name: /Delete/ })
		.first()
		.click();
	await expect(page).toHaveURL(/\/recordings$/);
	await expect(page.getByText("From elsewhere")).toHaveCount(0);
	await expect.poll(async () => (await tapedeck.api.recordings()).some((one) => one.id === id)).toBe(false);
});

test("a file that is no video is refused in words and leaves no entry", async ({ tapedeck }) => {
	const before = await tapedeck.api.recordings();
	const answer = await fetch(`${tapedeck.url}/v1/recordings?name=Nothing`, {
		method: "POST",
		headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": "video/mp4" },
		body: "this is no video",
	});
	expect(answer.status).toBe(422);
	expect(answer.headers.get("content-type")).toContain("application/problem+json");
	expect(await tapedeck.api.recordings()).toHaveLength(before.length);
});
