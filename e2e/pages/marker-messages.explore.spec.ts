/** The errors of tests, in full: on the page of failures, in the player, in the drawer and on a shared page. */
import type { Locator, Page } from "playwright/test";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording } from "#test/pages/recordings-page.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

const video = makeExternalVideo({ seconds: 12 });
const short = makeExternalVideo({ seconds: 2 });

const LABEL = "checkout.spec: three items";
const MESSAGE = [
	"AssertionError: expected 3 items, got 2 <b>&amp;</b>",
	"",
	"\t- Expected: 3",
	"\t+ Received: 2",
	"Call log:",
	...Array.from({ length: 20 }, (_, index) => `  - waiting for getByRole('listitem').nth(${index})`),
	`  at ${"very/long/path/without/any/break/".repeat(8)}cart.spec.ts:12:7`,
	"the last line",
].join("\n");

/** @param within the part of the page that shows it. @param label the label of the message's marker. */
async function expectMessage(page: Page, within: Locator, label: string): Promise<void> {
	const message = within.locator("pre").filter({ hasText: "AssertionError: expected 3 items" }).first();
	await expect(message).toHaveText(MESSAGE, { useInnerText: false });
	const isAllShown = () =>
		message.evaluate((element) => element.scrollHeight <= element.clientHeight + 1 && element.clientHeight > 0);
	expect(await isAllShown()).toBe(false);
	const all = within.getByRole("button", { name: `Show all of the message of ${label}` });
	await all.click();
	expect(await isAllShown()).toBe(true);
	expect(await message.evaluate((element) => getComputedStyle(element).whiteSpaceCollapse)).toBe("preserve");
	// Nothing of it is beyond the edge.
	expect(await message.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
	expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
	await within.getByRole("button", { name: `Show less of the message of ${label}` }).click();
}

test("the message of a failure is shown in full wherever its marker is, on every width, light and dark", async ({
	page,
	tapedeck,
	context,
}) => {
	await context.grantPermissions(["clipboard-read", "clipboard-write"]);
	const { id } = await addRecording(tapedeck, "Says more", await video);
	const path = `/v1/recordings/${id}`;
	const marker = { label: LABEL, kind: "fail", offsetSeconds: 6, message: MESSAGE };
	await tapedeck.api.call("POST", `${path}/markers`, marker);
	await tapedeck.api.call("POST", `${path}/markers`, { label: "Cart", kind: "step", offsetSeconds: 2 });
	const link = (await tapedeck.api.call("POST", `${path}/links`, { expiresAt: null })) as { url: string };
	const everything = page.locator("body");
	// A test is named after its recording, unless it has a name of its own.
	const places: [string, Locator, string][] = [
		["/failures", everything, "Says more"],
		[`/recordings/${id}`, page.getByRole("region", { name: "Test result" }), "Says more"],
		[`/recordings/${id}`, page.getByRole("list", { name: "Markers" }), LABEL],
		[new URL(link.url).pathname, everything, LABEL],
	];
	for (const [address, within, label] of places) {
		await page.goto(address);
		for (const width of [390, 1280, 1440]) {
			await page.setViewportSize({ width, height: width === 1280 ? 720 : 900 });
			await expectMessage(page, within, label);
		}
		await within
			.getByRole("button", { name: `Copy the message of ${label}` })
			.first()
			.click();
		await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(MESSAGE);
		expect(await violationsOf(page), address).toEqual([]);
		await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
		expect(await violationsOf(page, { onlyColors: true }), `${address} in the dark`).toEqual([]);
		await page.emulateMedia({ colorScheme: "light" });
	}
	// The message is no part of the link beneath it, which leads to the video.
	await page.goto("/failures");
	await page.locator("pre").first().click();
	await expect(page).toHaveURL(/\/failures/);
	// The group is named after what tells the failure apart.
	await page.getByRole("link", { name: "expected 3 items, got 2 <b>&amp;</b>", exact: true }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${id}\\?result=\\d+$`));
});

test("a marker after the end of a video is at its end and says so", async ({ page, tapedeck }) => {
	const runner = await scriptRunner(tapedeck, "runner of late markers");
	const bytes = await short;
	const jobId = await runner.record("Marked late");
	await runner.send(jobId, 0, bytes);
	const at = new Date(Date.now() + 4_000).toISOString();
	for (const marker of [
		{ label: "Torn down", kind: "fail", at },
		{ label: "Set up", at: "2026-01-01T00:00:00Z" },
	]) {
		await tapedeck.api.call("POST", `/v1/jobs/${jobId}/markers`, marker);
	}
	await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	await runner.send(jobId, bytes.length, Buffer.alloc(0), bytes.length);
	await tapedeck.api.waitFor(jobId, "playable");
	await runner.stop();
	await page.goto(`/jobs/${jobId}`);
	const markers = page.getByRole("list", { name: "Markers" }).getByRole("listitem");
	await expect(markers.filter({ hasText: "Set up" })).toContainText("Before the first frame");
	await expect(markers.filter({ hasText: "Torn down" })).toContainText("After the last frame");
	await expect(markers.filter({ hasText: "Torn down" })).toContainText("0:02");
});
