/** The list of recordings: searching, selecting and deleting. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright/test";
import { runSql } from "#test/databases/database.ts";
import { inExplore } from "#test/in-explore.ts";
import { withRole } from "#test/pages/people.ts";
import { addRecording, boxOf, cardOf, cards, namesIn } from "#test/pages/recordings-page.ts";
import { holdUndo } from "#test/pages/undo.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

let short: Buffer;
let long: Buffer;
test.beforeAll(async () => {
	[short, long] = await Promise.all([
		makeExternalVideo({ seconds: 2, bytes: 3_000_000 }),
		makeExternalVideo({ seconds: 5 }),
	]);
});

/** Makes recordings whose names begin with `prefix`, and opens the list of them. */
async function openWith(page: Page, tapedeck: Dashboard, prefix: string, count: number): Promise<string[]> {
	const names = Array.from({ length: count }, (_, index) => `${prefix} ${index + 1}`);
	for (const [index, name] of names.entries()) await addRecording(tapedeck, name, index % 2 === 0 ? short : long);
	await page.goto(`/recordings?q=${prefix}`);
	await expect(cards(page)).toHaveCount(count);
	return names;
}

const leftOf = async ({ api }: Dashboard, prefix: string): Promise<string[]> =>
	(await api.recordings()).flatMap(({ name }) => (name.startsWith(prefix) ? [name] : [])).sort();

test("recordings are sorted as chosen, and a new one appears in its place", async ({ page, tapedeck }) => {
	await openWith(page, tapedeck, "Sorted", 3);
	expect(await namesIn(page)).toEqual(["Sorted 3", "Sorted 2", "Sorted 1"]);
	await page.getByLabel("Sort by").selectOption({ label: "Longest" });
	await expect(page).toHaveURL(/sort=durationSeconds/);
	await expect.poll(() => namesIn(page)).toEqual(["Sorted 2", "Sorted 3", "Sorted 1"]);
	await page.getByLabel("Sort by").selectOption({ label: "Smallest" });
	await expect.poll(() => namesIn(page)).toEqual(["Sorted 2", "Sorted 1", "Sorted 3"]);
	await addRecording(tapedeck, "Sorted 4", long);
	await expect.poll(() => namesIn(page)).toEqual(["Sorted 2", "Sorted 4", "Sorted 1", "Sorted 3"]);
});

test("the URL holds filters and order: Back, Forward and a reload follow it", async ({ page, tapedeck }) => {
	await openWith(page, tapedeck, "Linked", 3);
	await page.getByLabel("Sort by").selectOption({ label: "Longest" });
	await expect.poll(() => namesIn(page)).toEqual(["Linked 2", "Linked 3", "Linked 1"]);
	await page.getByLabel("Sort by").selectOption({ label: "Smallest" });
	await expect.poll(() => namesIn(page)).toEqual(["Linked 2", "Linked 1", "Linked 3"]);
	await page.getByRole("button", { name: "Black video" }).click();
	await expect(page.getByText("No recordings match these filters")).toBeVisible();
	await page.goBack();
	await expect(cards(page)).toHaveCount(3);
	await page.goBack();
	await expect(page.getByLabel("Sort by")).toHaveValue("durationSeconds desc");
	await expect.poll(() => namesIn(page)).toEqual(["Linked 2", "Linked 3", "Linked 1"]);
	await page.goForward();
	await page.goForward();
	// A reload would end a step that is still under way.
	await expect(page).toHaveURL(/verdict=black/);
	await page.reload();
	await page.getByRole("button", { name: "Clear filters" }).click();
	await expect(page).toHaveURL(/\/recordings$/);
});

test("recordings are found by age, name and outcome together", async ({ page, tapedeck }) => {
	await openWith(page, tapedeck, "Sought", 2);
	const { id } = await addRecording(tapedeck, "Sought 3", long);
	await page.getByLabel("Filter by age").selectOption({ label: "Last hour" });
	const search = page.getByRole("searchbox", { name: "Search recordings" });
	await search.fill("sought 3");
	await expect(cards(page)).toHaveCount(1);
	await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { outcome: "passed" });
	await search.fill("sought");
	await expect(cards(page)).toHaveCount(3);
	// Outcomes are a part of the search.
	const outcomes = page.getByRole("group", { name: "Filter by outcome" });
	await outcomes.getByRole("button", { name: "Passed" }).click();
	await expect(search).toHaveValue("sought outcome:passed");
	await expect.poll(() => namesIn(page)).toEqual(["Sought 3"]);
	await outcomes.getByRole("button", { name: "Passed" }).click();
	await outcomes.getByRole("button", { name: "Failed test" }).click();
	await expect(page.getByText("No recordings match these filters")).toBeVisible();
});

test("deleted recordings disappear at once, and Undo restores them to their places", async ({ page, tapedeck }) => {
	await holdUndo(page);
	const names = await openWith(page, tapedeck, "Undone", 4);
	await boxOf(page, "Undone 3").check();
	await boxOf(page, "Undone 1").click({ modifiers: ["Shift"] });
	await boxOf(page, "Undone 2").uncheck();
	await expect(page.getByRole("region", { name: "Selected recordings" })).toContainText("2 selected");
	await page.getByRole("button", { name: "Delete", exact: true }).click();
	await expect.poll(() => namesIn(page)).toEqual(["Undone 4", "Undone 2"]);
	await expect(page.getByText("Deleted 2 recordings.")).toBeVisible();
	await expect.poll(() => leftOf(tapedeck, "Undone")).toEqual(["Undone 2", "Undone 4"]);
	await page.getByRole("button", { name: "Undo" }).click();
	await expect.poll(() => namesIn(page)).toEqual(names.toReversed());
	await expect(page.getByText("Deleted 2 recordings.")).toBeHidden();
	expect(await leftOf(tapedeck, "Undone")).toEqual(names);
});

inExplore(test)(
	"without a trash, a deletion asks first, because nothing could be restored",
	async ({ page, tapedeck }) => {
		await page.route("**/v1/retention", async (route) => {
			const answer = await route.fetch();
			await route.fulfill({ response: answer, json: { ...(await answer.json()), trashHours: 0 } });
		});
		await openWith(page, tapedeck, "For good", 2);
		await boxOf(page, "For good 1").check();
		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await expect(page.getByText("Without a trash, 1 recording can't be restored.")).toBeVisible();
		expect(await leftOf(tapedeck, "For good")).toEqual(["For good 1", "For good 2"]);
		await page.getByRole("button", { name: "Delete for good" }).click();
		await expect.poll(() => namesIn(page)).toEqual(["For good 2"]);
		await expect.poll(() => leftOf(tapedeck, "For good")).toEqual(["For good 2"]);
	},
);

inExplore(test)(
	"a recording that the server refuses to delete is restored with the reason; one that is already gone counts as deleted",
	async ({ page, tapedeck }) => {
		await openWith(page, tapedeck, "Undeletable", 2);
		const [one, other] = (await tapedeck.api.recordings()).filter(({ name }) => name.startsWith("Undeletable"));
		await page.route(`**/v1/recordings/${one?.id}`, (route) =>
			route.fulfill({ status: 409, json: { status: 409, code: "conflict", detail: "It is still being made." } }),
		);
		const { promise: gone, resolve: isGone } = Promise.withResolvers<void>();
		await page.route(`**/v1/recordings/${other?.id}`, async (route) => {
			if (route.request().method() === "DELETE") await gone;
			await route.continue();
		});
		for (const { name } of [one, other] as { name: string }[]) await boxOf(page, name).check();
		await page.keyboard.press("Delete");
		await expect(cards(page)).toHaveCount(0);
		await tapedeck.api.call("DELETE", `/v1/recordings/${other?.id}`);
		isGone();
		await expect(page.getByText(`Couldn't delete “${one?.name}”. It is still being made.`)).toBeVisible();
		await expect.poll(() => namesIn(page)).toEqual([one?.name]);
	},
);

inExplore(test)("the keyboard alone is enough to search, select, delete, undo and open", async ({ page, tapedeck }) => {
	await holdUndo(page);
	await openWith(page, tapedeck, "Clavier", 3);
	await page.keyboard.press("j");
	await expect(cardOf(page, "Clavier 3").getByRole("link")).toBeFocused();
	await page.keyboard.press("ArrowRight");
	await expect(cardOf(page, "Clavier 2").getByRole("link")).toBeFocused();
	await page.keyboard.press("x");
	await expect(boxOf(page, "Clavier 2")).toBeChecked();
	await page.keyboard.press("Delete");
	await expect.poll(() => namesIn(page)).toEqual(["Clavier 3", "Clavier 1"]);
	await expect(cardOf(page, "Clavier 1").getByRole("link")).toBeFocused();
	await page.keyboard.press("Control+z");
	await expect.poll(() => namesIn(page)).toEqual(["Clavier 3", "Clavier 2", "Clavier 1"]);
	await page.keyboard.press("Shift+ArrowLeft");
	await expect(boxOf(page, "Clavier 1")).toBeChecked();
	await page.keyboard.press("Escape");
	await expect(boxOf(page, "Clavier 1")).not.toBeChecked();
	await page.keyboard.press("/");
	await expect(page.getByRole("searchbox", { name: "Search recordings" })).toBeFocused();
	await cardOf(page, "Clavier 3").getByRole("link").focus();
	await page.keyboard.press("Enter");
	await expect(page).toHaveURL(/\/recordings\/\d+$/);
});

test("a label is added to all selected recordings, and Undo restores what each had", async ({ page, tapedeck }) => {
	await holdUndo(page);
	await openWith(page, tapedeck, "Tagged", 3);
	const labels = async () =>
		(await tapedeck.api.recordings())
			.filter(({ name }) => name.startsWith("Tagged"))
			.sort((a, b) => a.name.localeCompare(b.name))
			.map((one) => one.labels);
	const first = (await tapedeck.api.recordings()).find(({ name }) => name === "Tagged 1")?.id;
	await tapedeck.api.call("PATCH", `/v1/recordings/${first}`, { labels: { build: "1", branch: "main" } });
	await expect(cardOf(page, "Tagged 1")).toContainText("build 1");
	await boxOf(page, "Tagged 1").check();
	await boxOf(page, "Tagged 2").check();
	const label = page.getByRole("region", { name: "Selected recordings" }).getByRole("button", { name: "Label" });
	const dialog = page.getByRole("dialog", { name: "Label 2 recordings" });
	await label.click();
	await dialog.getByLabel("Label", { exact: true }).fill("build=7");
	await page.keyboard.press("Enter");
	await expect(page.getByText("Labeled 2 recordings build=7.")).toBeVisible();
	await expect(cardOf(page, "Tagged 2")).toContainText("build 7");
	expect(await labels()).toEqual([{ build: "7", branch: "main" }, { build: "7" }, {}]);
	await expect(label).toBeFocused();

	await page.getByRole("button", { name: "Undo" }).click();
	await expect.poll(labels).toEqual([{ build: "1", branch: "main" }, {}, {}]);

	await label.click();
	await dialog.getByLabel("Label", { exact: true }).fill("No Key=7");
	await dialog.getByRole("button", { name: "Add label" }).click();
	await expect(page.getByText(/^Couldn't change 2 of 2 recordings\. .*lower-case/)).toBeVisible();
	expect(await labels()).toEqual([{ build: "1", branch: "main" }, {}, {}]);
});

test("several selected recordings are saved as one zip, a single one as its video", async ({ page, tapedeck }) => {
	await openWith(page, tapedeck, "Zipped", 3);
	const saved = async () => {
		const download = page.waitForEvent("download");
		await page.getByRole("button", { name: "Download" }).click();
		return download;
	};
	await boxOf(page, "Zipped 1").check();
	expect((await saved()).suggestedFilename()).toBe("Zipped 1.mp4");
	await boxOf(page, "Zipped 2").check();
	const zip = await saved();
	await expect(page.getByText("Downloading 2 recordings as one zip.")).toBeVisible();
	expect(zip.suggestedFilename()).toMatch(/^recordings-\d{4}-\d\d-\d\d\.zip$/);
	const { stdout } = await promisify(execFile)("unzip", ["-t", await zip.path()]);
	expect(stdout).toMatch(/testing: Zipped 2_.*\.mp4 +OK\n.*testing: Zipped 1_.*\.mp4 +OK\nNo errors detected/s);
});

test("Shift J and Shift K lead through the list with the player open, and the way back leads to the same list", async ({
	page,
	tapedeck,
}) => {
	await openWith(page, tapedeck, "Stepwise", 3);
	await cardOf(page, "Stepwise 3").getByRole("link").click();
	const heading = page.getByRole("heading", { level: 1 });
	await expect(heading).toHaveText("Stepwise 3");
	await expect(page.getByRole("button", { name: "Previous recording" })).toHaveAttribute("aria-disabled", "true");
	await page.keyboard.press("Shift+J");
	await expect(heading).toHaveText("Stepwise 2");
	await expect
		.poll(() => page.locator("video").evaluate((video: HTMLVideoElement) => video.currentTime))
		.toBeGreaterThan(0);
	await page.getByRole("button", { name: "Next recording" }).click();
	await expect(heading).toHaveText("Stepwise 1");
	await expect(page.getByRole("button", { name: "Next recording" })).toHaveAttribute("aria-disabled", "true");
	await expect(page.getByRole("button", { name: "Next recording" })).toBeFocused();
	await page.keyboard.press("Shift+J");
	await page.keyboard.press("Shift+K");
	await expect(heading).toHaveText("Stepwise 2");
	await page.keyboard.press("?");
	await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toContainText("Switch the open recording");
	await page.keyboard.press("Escape");
	await page.getByRole("main").getByRole("link", { name: "Recordings", exact: true }).click();
	await expect(page).toHaveURL(/\/recordings\?q=Stepwise$/);

	// Opened by its address, a recording has no list.
	await cardOf(page, "Stepwise 2").getByRole("link").click();
	await expect(heading).toHaveText("Stepwise 2");
	await page.reload();
	await expect(heading).toHaveText("Stepwise 2");
	await expect(page.getByRole("button", { name: "Next recording" })).toHaveCount(0);
});

inExplore(test)(
	"only the visible ones of 10,000 recordings are in the document, however far the user scrolls",
	async ({ page, tapedeck }) => {
		await fill(tapedeck, 10_000);
		// There are no files for so many posters.
		await page.route("**/poster", (route) => route.fulfill({ status: 404 }));
		await page.goto("/recordings");
		await expect(cards(page).first()).toBeVisible();
		const list = page.getByRole("list", { name: "Recordings" });
		await list.hover();
		const place = async () => Number(await cards(page).first().getAttribute("aria-posinset"));
		await expect
			.poll(
				async () => {
					await page.mouse.wheel(0, 3_000);
					expect(await cards(page).count()).toBeLessThan(80);
					return place();
				},
				// Scrolling loads as many pages of the list, one after the other.
				{ intervals: [100], timeout: 120_000 },
			)
			.toBeGreaterThan(600);
		// When the user opens a recording and returns, the list is where it was at the click. Until then the wheel still moves
		// it.
		await page.evaluate(() => {
			const note = () => {
				const links = [...document.querySelectorAll("a[data-recording]")].filter((link) => {
					const { top, bottom } = link.getBoundingClientRect();
					return bottom > 0 && top < innerHeight;
				});
				Object.assign(window, { seenAtClick: links.map((link) => link.textContent ?? "") });
			};
			document.addEventListener("click", note, { capture: true, once: true });
		});
		await cards(page).nth(12).getByRole("link").click();
		await expect(page).toHaveURL(/\/recordings\/\d+$/);
		const seenAtClick = await page.evaluate(() => (window as unknown as { seenAtClick: string[] }).seenAtClick);
		expect(seenAtClick).not.toEqual([]);
		await page.goBack();
		await expect.poll(() => namesInView(page)).toEqual(seenAtClick);
		// A recording that is added at the top does not move the visible ones.
		const seen = await namesInView(page);
		await addRecording(tapedeck, "Crowd, the newest", short);
		await page.getByRole("button", { name: "1 new recording" }).click({ trial: true });
		expect(await namesInView(page)).toEqual(seen);
		await page.getByRole("button", { name: "1 new recording" }).click();
		await expect(cards(page).first()).toContainText("Crowd, the newest");
		await empty(tapedeck);
	},
);

/** The names that are on the screen: how many others are in the document depends on whether the list scrolls. */
const namesInView = (page: Page): Promise<string[]> =>
	cards(page)
		.locator("a[data-recording]")
		.evaluateAll((links) =>
			links.flatMap((link) => {
				const { top, bottom } = link.getBoundingClientRect();
				return bottom > 0 && top < innerHeight ? [link.textContent ?? ""] : [];
			}),
		);

/** Adds rows without videos, because the test opens none of them. */
const fill = (dashboard: Dashboard, count: number): Promise<void> =>
	runSql(
		dashboard,
		`insert into recording ("organizationId", name, state, "contentType", "uploadId", "durationSeconds", bytes, "createdAt", "updatedAt")
		with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
		select (select min(id) from organization), 'Crowd ' || i, 'ready', 'video/mp4', 'crowd-' || i, i, i, ${Date.now()} - i, ${Date.now()} from n`,
	);

const empty = (dashboard: Dashboard): Promise<void> =>
	runSql(dashboard, "delete from recording where name like 'Crowd %'");

inExplore(test)("viewers see no way to change anything", async ({ page, tapedeck }) => {
	await openWith(page, tapedeck, "Watched", 1);
	await withRole(page, tapedeck, "viewer", async () => {
		await page.reload();
		await expect(cardOf(page, "Watched 1")).toBeVisible();
		await expect(page.getByRole("button", { name: "Upload files" })).toHaveCount(0);
		await expect(page.getByRole("checkbox")).toHaveCount(0);
	});
});

inExplore(test)(
	"a file that is not a video is refused with the reason and leaves no recording",
	async ({ tapedeck }) => {
		const before = await tapedeck.api.recordings();
		const answer = await fetch(`${tapedeck.url}/v1/recordings?name=Nothing`, {
			method: "POST",
			headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": "video/mp4" },
			body: "this is no video",
		});
		expect(answer.status).toBe(422);
		expect(answer.headers.get("content-type")).toContain("application/problem+json");
		expect(await tapedeck.api.recordings()).toHaveLength(before.length);
	},
);
