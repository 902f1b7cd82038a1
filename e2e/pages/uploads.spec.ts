import type { Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import {
	cardOf,
	chooseFiles,
	confirmUpload,
	dropFile,
	expectStored,
	limitSending,
	progressOf,
	tray,
} from "#test/pages/recordings-page.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

const SLOW = 1_500_000;
let large: Buffer;
test.beforeAll(async () => {
	large = await makeExternalVideo({ bytes: 12_000_000 });
});

const mp4 = (name: string, buffer: Buffer = large) => ({ name, mimeType: "video/mp4", buffer });

/** Begins a slow upload. @returns when some of it has been sent */
async function beginUpload(page: Page, name: string): Promise<void> {
	await page.goto("/recordings");
	await limitSending(page, SLOW);
	await dropFile(page, mp4(name));
	await confirmUpload(page);
	await expect.poll(() => progressOf(page, name)).toBeGreaterThan(5);
}

test("an upload can be paused, continues on other pages, and ends with every byte in its place", async ({
	page,
	tapedeck,
}) => {
	await beginUpload(page, "Paused.mp4");
	await page.getByRole("button", { name: "Pause upload of Paused.mp4" }).click();
	await expect(tray(page).getByText(/^Paused ·/)).toBeVisible();
	const stored = async () => (await tapedeck.api.recordings()).find((one) => one.name === "Paused")?.bytes ?? 0;
	await expect.poll(stored).toBeGreaterThan(0);
	const { length } = large;
	// The server stores new data about once a second: it is complete once two reads agree.
	let before = -1;
	await expect
		.poll(
			async () => {
				const now = await stored();
				const rests = now === before;
				before = now;
				return rests;
			},
			{ intervals: [1_500] },
		)
		.toBe(true);
	expect(before).toBeLessThan(length);

	await page.getByRole("button", { name: "Resume upload of Paused.mp4" }).click();
	await page.getByRole("navigation").getByRole("link", { name: "Jobs" }).click();
	await expect(page).toHaveURL(/\/jobs$/);
	await expect(tray(page).getByText(/ of 12 MB/)).toBeVisible();
	await limitSending(page, null);
	await expect(tray(page).getByText("Uploaded")).toBeVisible();
	await expectStored(tapedeck, "Paused", large);
});

inExplore(test)(
	"an upload continues by itself after the dashboard was killed and restarted",
	async ({ page, tapedeck }) => {
		await beginUpload(page, "Killed.mp4");
		await tapedeck.kill();
		await expect(tray(page).getByText(/^Retrying ·/)).toBeVisible();
		await tapedeck.startAgain();
		await limitSending(page, null);
		await expect(tray(page).getByText("Uploaded")).toBeVisible();
		await expectStored(tapedeck, "Killed", large);
	},
);

inExplore(test)(
	"the page of a video that still uploads says so, offers nothing live, and plays it once it is complete",
	async ({ page, context, tapedeck }) => {
		await beginUpload(page, "Awaited.mp4");
		const awaited = async () => (await tapedeck.api.recordings()).find(({ name }) => name === "Awaited");
		await expect.poll(async () => (await awaited())?.state).toBe("live");
		const beside = await context.newPage();
		await beside.goto(`/recordings/${(await awaited())?.id}`);
		await expect(beside.getByText("Still uploading. Playable when it finishes.")).toBeVisible();
		await expect(beside.getByText("Live", { exact: true })).toHaveCount(0);
		await expect(beside.getByRole("button", { name: "Go live" })).toHaveCount(0);
		await limitSending(page, null);
		await expectStored(tapedeck, "Awaited", large);
		await expect(beside.getByText("Upload complete.")).toBeVisible();
		await expectPlaying(beside.locator("video"), { width: 640, height: 360 });
		await beside.close();
	},
);

inExplore(test)(
	"leaving the page asks first, and dropping the same file again resumes its upload",
	async ({ page, tapedeck }) => {
		await beginUpload(page, "Left.mp4");
		const asked = page.waitForEvent("dialog");
		const reloaded = page.reload();
		const dialog = await asked;
		expect(dialog.type()).toBe("beforeunload");
		await dialog.accept();
		await reloaded;
		await expect(tray(page)).toBeHidden();
		await limitSending(page, null);
		const resumed = page.waitForRequest((request) => request.method() === "PATCH");
		await dropFile(page, mp4("Left.mp4"));
		// Labels entered now are added, although the upload began without them.
		await page.getByLabel("Labels").fill("build=7");
		await confirmUpload(page);
		expect(Number((await resumed).headers()["upload-offset"])).toBeGreaterThan(0);
		await expect(tray(page).getByText("Uploaded")).toBeVisible();
		await expectStored(tapedeck, "Left", large);
		expect((await tapedeck.api.recordings()).filter(({ name }) => name === "Left")).toMatchObject([
			{ labels: { build: "7" } },
		]);
	},
);

test("videos are uploaded with the labels, outcome and keep policy of the dialog, which shows the same as curl", async ({
	page,
	tapedeck,
}) => {
	const bytes = await makeExternalVideo();
	await page.goto("/recordings");
	await chooseFiles(page, [mp4("Pays.mp4", bytes), mp4("Ships.mp4", bytes)]);
	const dialog = page.getByRole("dialog", { name: "Upload 2 files" });
	await expect(dialog.getByRole("button", { name: "Upload" })).toBeFocused();
	await dialog.getByLabel("Labels").fill("build");
	await dialog.getByRole("button", { name: "Upload" }).click();
	await expect(dialog.getByText("Enter each label as key=value, on a line of its own.")).toBeVisible();
	await dialog.getByLabel("Labels").fill("test=Shop › pays\nbuild=8");
	await dialog.getByLabel("Outcome").selectOption("failed");
	await dialog.getByLabel("Keep", { exact: true }).selectOption("failed");
	const curl = dialog.getByRole("region", { name: "Equivalent curl command" });
	await expect(curl).toContainText(
		"name=Pays&label=test%3DShop%20%E2%80%BA%20pays&label=build%3D8&outcome=failed&keep=failed",
	);
	await confirmUpload(page);
	await expect(dialog).toBeHidden();
	await expect(tray(page).getByText("Uploaded")).toHaveCount(2);
	const labels = { test: "Shop › pays", build: "8" };
	for (const name of ["Pays", "Ships"]) {
		const id = await expectStored(tapedeck, name, bytes);
		expect((await tapedeck.api.recordings()).find((one) => one.id === id)).toMatchObject({
			...{ labels, outcome: "failed", keep: "failed" },
		});
		const { data } = await tapedeck.api.call<{ data: object[] }>("GET", `/v1/tests?recordingId=${id}`);
		expect(data).toMatchObject([{ test: "Shop › pays", outcome: "failed" }]);
	}
	// A cancelled upload sends nothing. The entered labels stay for the next videos.
	await chooseFiles(page, [mp4("Never.mp4", bytes)]);
	await expect(page.getByLabel("Labels")).toHaveValue("test=Shop › pays\nbuild=8");
	await page.getByRole("button", { name: "Cancel", exact: true }).click();
	await expect(tray(page).getByText("Never.mp4")).toHaveCount(0);
});

test("a cancelled upload is gone from the page and the server", async ({ page, tapedeck }) => {
	await beginUpload(page, "Cancelled.mp4");
	await expect.poll(async () => (await tapedeck.api.recordings()).map(({ name }) => name)).toContain("Cancelled");
	await page.getByRole("button", { name: "Cancel upload of Cancelled.mp4" }).click();
	await expect(tray(page)).toBeHidden();
	await expect.poll(async () => (await tapedeck.api.recordings()).map(({ name }) => name)).not.toContain("Cancelled");
	await expect(cardOf(page, "Cancelled")).toHaveCount(0);
});

inExplore(test)(
	"a file that is not a video, or does not fit, is refused before its first byte with the reason",
	async ({ page, tapedeck }) => {
		const sent: string[] = [];
		page.on("request", (request) => void (request.url().includes("/v1/uploads") && sent.push(request.method())));
		await page.goto("/recordings");
		await chooseFiles(page, [mp4("notes.mp4", Buffer.from("these are only words, whatever the name says"))]);
		await expect(page.getByText("“notes.mp4” isn't an MP4 or WebM video. Nothing was uploaded.")).toBeVisible();
		await page.route("**/v1/storage", async (route) => {
			const storage = await tapedeck.api.call<object>("GET", "/v1/storage");
			await route.fulfill({ json: { ...storage, state: "ok", freeBytes: 11_000_000, reserveBytes: 10_000_000 } });
		});
		await chooseFiles(page, [mp4("Too large.mp4")]);
		await expect(
			page.getByText(/“Too large.mp4” is 12 MB, but the dashboard's disk has only 1.0 MB left/),
		).toBeVisible();
		await expect(tray(page)).toBeHidden();
		expect(sent).toEqual([]);
	},
);
