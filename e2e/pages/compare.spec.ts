/** A failed recording next to the last one in which its test passed: two videos, one time line. */

import type { Recording } from "@tapedeck/contract/recording.ts";
import type { Page } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { areLoaded, positions } from "#test/pages/compare-page.ts";
import { addRecording } from "#test/pages/recordings-page.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo, TEST_PICTURE } from "#test/videos/external-video.ts";

interface Wanted {
	seconds: number;
	outcome: "passed" | "failed";
	labels?: Record<string, string>;
	markers?: Record<string, number>;
	/** The second from which on a box hides a part of the picture. */
	boxFrom?: number;
}

async function add(tapedeck: Dashboard, name: string, wanted: Wanted): Promise<Recording> {
	const { seconds, outcome, labels = {}, markers = {}, boxFrom } = wanted;
	const box = `drawbox=x=200:y=100:w=240:h=160:color=white:t=fill:enable='gte(t,${boxFrom})'`;
	const source = boxFrom === undefined ? TEST_PICTURE : `${TEST_PICTURE},${box}`;
	const { id } = await addRecording(tapedeck, name, await makeExternalVideo({ seconds, source }));
	for (const [label, offsetSeconds] of Object.entries(markers)) {
		await tapedeck.api.call("POST", `/v1/recordings/${id}/markers`, { label, kind: "step", offsetSeconds });
	}
	return tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { outcome, labels });
}

/** The positions of both videos, in tenths of a second. */
const times = async (page: Page): Promise<number[]> =>
	(await positions(page)).map((seconds) => Math.round(seconds * 10) / 10);
const arePaused = (page: Page): Promise<boolean[]> =>
	page.locator("video").evaluateAll((videos) => videos.map((video) => (video as HTMLVideoElement).paused));

test("both videos play, seek and step together, aligned at their starts, at a marker of both, or by hand", async ({
	page,
	tapedeck,
}) => {
	const labels = { test: "cart.spec: pays", branch: "main" };
	await add(tapedeck, "Passed before", { seconds: 8, outcome: "passed", labels, markers: { Cart: 2 } });
	const failed = await add(tapedeck, "Fails now", {
		...{ seconds: 10, outcome: "failed", labels },
		markers: { Cart: 3.5, Payment: 6 },
	});
	await page.goto(`/recordings/${failed.id}`);
	await page.getByRole("link", { name: "Compare with last passed" }).click();
	await expect(page).toHaveURL(new RegExp(`/recordings/${failed.id}/compare\\?result=\\d+$`));
	await expect(page.getByRole("heading", { level: 1 })).toHaveText("cart.spec: pays");
	await expect(page.getByRole("main").getByRole("region", { name: "Fails now" })).toContainText("Failed test");
	await expect(page.getByRole("main").getByRole("region", { name: "Passed before" })).toContainText("Passed");
	await expect.poll(() => areLoaded(page)).toBe(true);
	for (const width of [390, 1440]) {
		await page.setViewportSize({ width, height: 900 });
		expect(await violationsOf(page), `at ${width} px`).toEqual([]);
	}
	const [left, right] = await Promise.all(
		["Fails now", "Passed before"].map((name) => page.getByRole("region", { name }).locator("video").boundingBox()),
	);
	expect(left?.y).toBe(right?.y);
	// A window of 1440 × 900 at a zoom of 200 %: the controls do not cover the videos.
	await page.setViewportSize({ width: 720, height: 450 });
	await page.reload();
	const controls = page.getByRole("region", { name: "Player controls" });
	for (const name of ["Fails now", "Passed before"]) {
		await expect
			.poll(async () => {
				const [video, bar] = [
					await page.getByRole("region", { name }).locator("video").boundingBox(),
					await controls.boundingBox(),
				];
				return (
					video !== null && bar !== null && video.y >= 0 && video.y + video.height <= bar.y && bar.y + bar.height <= 450
				);
			})
			.toBe(true);
	}
	expect(await violationsOf(page), "at 200 %").toEqual([]);
	await page.setViewportSize({ width: 1440, height: 900 });
	await expect.poll(() => areLoaded(page)).toBe(true);

	await page.getByRole("slider", { name: "Seek" }).fill("4");
	await expect.poll(() => times(page)).toEqual([4, 4]);
	await page.keyboard.press("ArrowRight");
	await page.locator("body").press("l");
	// The shorter one has ended.
	await expect.poll(() => times(page)).toEqual([10, 8]);
	await page.locator("body").press("0");
	await expect.poll(() => times(page)).toEqual([0, 0]);

	await page.getByLabel("Align at").selectOption("Cart");
	await page.getByRole("slider", { name: "Seek" }).fill("3.5");
	await expect.poll(() => times(page)).toEqual([3.5, 2]);
	await page.getByRole("button", { name: "Shift the right video 0.1 s later" }).click();
	await expect.poll(() => times(page)).toEqual([3.5, 2.1]);
	await expect(page.getByLabel("Align at")).toHaveValue("own");

	await page.getByRole("button", { name: "Play", exact: true }).click();
	await expect.poll(() => arePaused(page)).toEqual([false, false]);
	await expect.poll(async () => (await times(page))[0]).toBeGreaterThan(4.5);
	await page.getByRole("button", { name: "Pause", exact: true }).click();
	expect(await arePaused(page)).toEqual([true, true]);
	await expect
		.poll(async () => {
			const [one = 0, other = 0] = await times(page);
			return Math.round((one - other) * 10) / 10;
		})
		.toBe(1.4);
	const [before = 0] = await times(page);
	for (let step = 0; step < 3; step += 1) await page.getByRole("button", { name: "Next frame" }).click();
	await expect.poll(async () => Math.round(((await times(page))[0] ?? 0) * 10 - before * 10)).toBe(2);
});

test("a key and a button jump to the first difference between the two videos, or say that there is none", async ({
	page,
	tapedeck,
}) => {
	const labels = { test: "cart.spec: looks right" };
	await add(tapedeck, "Looked right", { seconds: 8, outcome: "passed", labels });
	const failed = await add(tapedeck, "Looks wrong", { seconds: 8, outcome: "failed", labels, boxFrom: 4.2 });
	await page.goto(`/recordings/${failed.id}/compare`);
	await expect.poll(() => areLoaded(page)).toBe(true);
	const isThere = async () => (await times(page)).every((seconds) => seconds >= 4.2 && seconds <= 4.3);
	await page.locator("body").press("d");
	await expect.poll(isThere).toBe(true);
	await page.getByRole("slider", { name: "Seek" }).fill("1");
	await expect.poll(() => times(page)).toEqual([1, 1]);
	await page.getByRole("button", { name: "Jump to the first difference" }).click();
	await expect.poll(isThere).toBe(true);
	expect(await violationsOf(page)).toEqual([]);

	const same = await add(tapedeck, "Looks the same", { seconds: 8, outcome: "failed", labels });
	await page.goto(`/recordings/${same.id}/compare`);
	await expect.poll(() => areLoaded(page)).toBe(true);
	await page.locator("body").press("d");
	await expect(page.getByText("No difference from 0:00.0 to 0:08.0.")).toBeVisible();
});

inExplore(test)(
	"without a passed recording the page says what to do; with one of another branch it says so",
	async ({ page, tapedeck }) => {
		const lonely = await add(tapedeck, "Never passed", { seconds: 2, outcome: "failed" });
		await page.goto(`/recordings/${lonely.id}/compare`);
		await expect(page.getByRole("heading", { name: "No passed recording to compare with" })).toBeVisible();
		await expect(page.getByRole("main")).toContainText("No earlier recording named “Never passed” passed.");
		expect(await violationsOf(page)).toEqual([]);
		await page.goto(`/recordings/${lonely.id}`);
		await expect(page.getByRole("region", { name: "Test result" })).toBeVisible();
		await expect(page.getByRole("link", { name: "Compare with last passed" })).toHaveCount(0);
		await page.goto(`/recordings/${lonely.id}/compare?with=999999999`);
		await expect(page.getByRole("heading", { name: "Recording not found" })).toBeVisible();

		const test = { test: "login" };
		const passed = await add(tapedeck, "On main", {
			seconds: 2,
			outcome: "passed",
			labels: { ...test, branch: "main" },
		});
		const mine = await add(tapedeck, "On mine", { seconds: 2, outcome: "failed", labels: { ...test, branch: "mine" } });
		await page.goto(`/recordings/${mine.id}/compare`);
		await expect(page.getByRole("region", { name: "On main" })).toContainText("No passing recording on this branch");
		await page.goto(`/recordings/${lonely.id}/compare?with=${passed.id}`);
		await expect(page.getByRole("region", { name: "On main" })).toBeVisible();
		await expect(page.getByText("No passing recording on this branch")).toBeHidden();
	},
);
