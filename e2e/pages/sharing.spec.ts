/** What leaves the house: shared pages, and what the audit log tells of them. */
import { readFile } from "node:fs/promises";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { expect, test } from "../../test/tapedeck.ts";
import { expectPlaying } from "../../test/videos/video.ts";

test.afterAll(removeTestFolder);

test("a shared link plays one recording to a stranger until it is ended, and the audit log tells of it", async ({
	page,
	browser,
	tapedeck,
}) => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const made = await page.request.post(`${tapedeck.url}/v1/recordings?name=Shown`, {
		headers: { "content-type": "video/mp4", origin: tapedeck.url },
		data: video,
	});
	const { id, width, height } = await made.json();
	const marker = { label: "Order is placed", kind: "pass", offsetSeconds: 1.5 };
	const marked = await page.request.post(`${tapedeck.url}/v1/recordings/${id}/markers`, {
		headers: { origin: tapedeck.url },
		data: marker,
	});
	expect(marked.status()).toBe(201);
	await page.goto(`/recordings/${id}`);
	await page.getByRole("button", { name: "Share" }).click();
	const dialog = page.getByRole("dialog", { name: "Share this recording" });
	await dialog.getByLabel("Ends").selectOption("In 1 day");
	await dialog.getByRole("button", { name: "Create link" }).click();
	const url = (await dialog.getByText(/\/shared\/[\w-]{32}$/).textContent()) ?? "";

	const stranger = await browser.newContext();
	const visit = await stranger.newPage();
	const answer = await visit.goto(url);
	expect(answer?.headers()["x-robots-tag"]).toBe("noindex, nofollow");
	expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
	await expect(visit.getByRole("heading", { level: 1 })).toHaveText("Shown");
	const player = visit.locator("video");
	const seek = visit.getByRole("slider", { name: "Seek" });
	await expect(visit.getByRole("region", { name: "Player controls" })).toBeVisible();
	await expect(visit.getByRole("button", { name: "Add marker" })).toHaveCount(0);
	await expect(visit.getByRole("button", { name: /^(Share|Delete)/ })).toHaveCount(0);
	await visit.getByRole("list", { name: "Markers" }).getByRole("button", { name: "Order is placed" }).click();
	await expect(seek).toHaveValue(/^1\.5/);
	const first = await visit.request.get(`${new URL(url).origin}/v1${new URL(url).pathname}/video?download=1`);
	expect(first.headers()["content-disposition"]).toContain("Shown");
	await visit.goto(`${url}?t=1.2`);
	await expect(seek).toHaveValue(/^1\.2/);
	await player.evaluate((element: HTMLVideoElement) => {
		element.muted = true;
		return element.play();
	});
	await expectPlaying(player, { width, height });
	expect(await visit.content()).not.toContain("owner@");

	await dialog.getByRole("button", { name: /^End the link/ }).click();
	await expect(dialog.getByText("Nobody outside can see it.")).toBeVisible();
	await visit.reload();
	await expect(visit.getByRole("heading", { level: 1 })).toHaveText("This link leads nowhere");
	await stranger.close();

	await page.goto("/settings/audit");
	const rows = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
	// Others may have shared something of theirs before.
	const shown = rows.filter({ hasText: "Shown" });
	await expect(shown.filter({ hasText: "ended a shared link" })).toHaveCount(1);
	await page.getByLabel("What").selectOption("shared a recording");
	await expect(rows.filter({ hasNotText: "shared a recording" })).toHaveCount(0);
	await expect(shown).toHaveCount(1);
	await expect(rows.first()).toContainText("Shown");
	await page.getByLabel("What").selectOption("Anything");
	await rows.first().getByRole("button", { name: "Shown" }).click();
	await expect(rows).toHaveCount(3);
	const [download] = await Promise.all([
		page.waitForEvent("download"),
		page.getByRole("link", { name: "Export as JSON lines" }).click(),
	]);
	const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line).action)).toEqual(["recording.uploaded", "link.created", "link.revoked"]);
});
