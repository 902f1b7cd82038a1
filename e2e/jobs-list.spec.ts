/** The list of jobs: selecting many, staying calm while it lives, fitting every width, its address. */

import type { Locator, Page } from "playwright/test";
import { runSql } from "#test/databases/database.ts";
import { inExplore } from "#test/in-explore.ts";
import { recordShortly } from "#test/jobs.ts";
import { actionsButton, rowOf } from "#test/pages/jobs-page.ts";
import { holdUndo } from "#test/pages/undo.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Stack } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";

/** A runner that signed out, so that its jobs wait. */
async function runnerAway(tapedeck: Stack, name: string): Promise<number> {
	const runner = await scriptRunner(tapedeck, name);
	await runner.stop();
	return runner.runnerId;
}

async function createJobs(tapedeck: Stack, runnerId: number, name: string, count: number): Promise<number[]> {
	const ids: number[] = [];
	for (let index = 0; index < count; index++) {
		const body = { runnerId, displayId: ":77", name: `${name} ${index}`, stopCondition: "interrupt" } as const;
		ids.push((await tapedeck.api.createJob(body)).id);
	}
	return ids;
}

const bar = (page: Page): Locator => page.getByRole("region", { name: "Selected jobs" });
const box = (page: Page, name: string): Locator => page.getByRole("checkbox", { name: `Select ${name}`, exact: true });
const scrolledTo = (page: Page): Promise<number | undefined> =>
	page.locator("table").evaluate((table) => table.closest(".overflow-auto")?.scrollTop);
const topOf = async (row: Locator): Promise<number> => (await row.boundingBox())?.y ?? Number.NaN;

test("keys and checkboxes select jobs, with Shift a range; a bulk cancel asks first, and refused jobs are restored", async ({
	page,
	tapedeck,
}) => {
	await createJobs(tapedeck, await runnerAway(tapedeck, "bulk-runner"), "Bulk", 6);
	await page.goto("/jobs?q=Bulk");
	await expect(rowOf(page, "Bulk 5")).toBeVisible();
	await page.keyboard.press("j");
	await page.keyboard.press("x");
	await page.keyboard.press("Shift+ArrowDown");
	await page.keyboard.press("Shift+J");
	await expect(bar(page).getByText("3 selected")).toBeVisible();
	await page.keyboard.press("Shift+ArrowUp");
	await expect(bar(page).getByText("2 selected")).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(bar(page)).toBeHidden();

	await box(page, "Bulk 5").click();
	await box(page, "Bulk 2").click({ modifiers: ["Shift"] });
	await expect(bar(page).getByText("4 selected")).toBeVisible();
	await box(page, "Bulk 3").click();
	await expect(bar(page).getByText("3 selected")).toBeVisible();
	await bar(page).getByRole("button", { name: "Cancel jobs" }).click();
	const question = page.getByRole("dialog", { name: "Cancel 3 jobs?" });
	await question.getByRole("button", { name: "Keep jobs" }).click();
	await expect(bar(page).getByRole("button", { name: "Cancel jobs" })).toBeFocused();
	for (const name of ["Bulk 5", "Bulk 4", "Bulk 2"]) await expect(rowOf(page, name)).toContainText("Queued");
	await bar(page).getByRole("button", { name: "Cancel jobs" }).click();
	await question.getByRole("button", { name: "Cancel jobs" }).click();
	await expect(page.getByText("Cancelled 3 jobs.")).toBeVisible();
	for (const name of ["Bulk 5", "Bulk 4", "Bulk 2"]) await expect(rowOf(page, name)).toContainText("Cancelled");
	await expect(rowOf(page, "Bulk 3")).toContainText("Queued");
	await expect(bar(page)).toBeHidden();

	await page.route("**/v1/jobs/*/cancel", async (route) => {
		await expect(rowOf(page, "Bulk 3")).toContainText("Cancelling…");
		await route.fulfill({ status: 503, json: { status: 503, code: "unavailable", detail: "Not today." } });
	});
	await box(page, "Bulk 3").click();
	await box(page, "Bulk 5").click();
	// In the meantime, only one of the two can still be cancelled.
	await bar(page).getByRole("button", { name: "Cancel jobs" }).click();
	await page.getByRole("dialog", { name: "Cancel 1 job?" }).getByRole("button", { name: "Cancel jobs" }).click();
	await expect(page.getByText("“Bulk 3” was not cancelled. Not today.")).toBeVisible();
	await expect(rowOf(page, "Bulk 3")).toContainText("Queued");
});

test("recordings of selected jobs are deleted together, and can be restored for a while", async ({
	page,
	tapedeck,
}) => {
	await Promise.all(["Film one", "Film two"].map((name) => recordShortly(tapedeck, name)));
	const kept = async () => (await tapedeck.api.recordings()).filter(({ name }) => name.startsWith("Film")).length;
	const select = async () => {
		await box(page, "Film one").check();
		await box(page, "Film two").check();
		await bar(page).getByRole("button", { name: "Delete recordings" }).click();
	};
	const letGo = await holdUndo(page);
	await page.goto("/jobs?q=Film");
	await select();
	await expect.poll(kept).toBe(0);
	await page.getByRole("button", { name: "Undo" }).click();
	await expect.poll(kept).toBe(2);
	await letGo();
	await select();
	await expect.poll(kept).toBe(0);
	await actionsButton(page, "Film one").click();
	await expect(page.getByRole("menuitem", { name: "View details" })).toBeVisible();
	await expect(page.getByRole("menuitem", { name: "Play video" })).toHaveCount(0);
});

test("new jobs wait and are counted while the list is scrolled down or in use, and show at once at its top", async ({
	page,
	tapedeck,
}) => {
	const runnerId = await runnerAway(tapedeck, "calm-runner");
	await createJobs(tapedeck, runnerId, "Calm", 40);
	await page.goto(`/jobs?runnerId=${runnerId}`);
	const top = rowOf(page, "Calm 39");
	await expect(top).toBeVisible();
	// At the top, with no hand on it, the list simply lives.
	await createJobs(tapedeck, runnerId, "Calm at the top", 1);
	await expect(rowOf(page, "Calm at the top 0")).toBeInViewport();

	// The pointer on a row, moving or not.
	await rowOf(page, "Calm 36").hover();
	const hovered = await topOf(rowOf(page, "Calm 36"));
	await createJobs(tapedeck, runnerId, "Calm by hand", 2);
	const chip = page.getByRole("button", { name: "2 new jobs" });
	await expect(chip).toBeVisible();
	expect(await topOf(rowOf(page, "Calm 36"))).toBe(hovered);
	await chip.click();
	await expect(rowOf(page, "Calm by hand 1")).toBeInViewport();
	await expect(rowOf(page, "Calm by hand 1")).toBeFocused();
	await expect(page.getByRole("button", { name: /new job/ })).toHaveCount(0);

	// An open menu of a row, and the keyboard's focus in one.
	await actionsButton(page, "Calm 36").click();
	await createJobs(tapedeck, runnerId, "Calm at a menu", 1);
	await expect(page.getByRole("button", { name: "1 new job" })).toBeAttached();
	await page.keyboard.press("Escape");
	await page.mouse.move(5, 5);
	await createJobs(tapedeck, runnerId, "Calm at a key", 1);
	await expect(page.getByRole("button", { name: "2 new jobs" })).toBeVisible();
	await expect(rowOf(page, "Calm at a menu 0")).toHaveCount(0);
	// Neither of them is active any longer.
	await page.getByRole("searchbox", { name: "Search jobs" }).focus();
	await expect(rowOf(page, "Calm at a key 0")).toBeInViewport();
	await expect(rowOf(page, "Calm at a menu 0")).toBeInViewport();

	await rowOf(page, "Calm 36").hover();
	await page.mouse.wheel(0, 800);
	await expect.poll(() => scrolledTo(page)).toBe(800);
	const seen = rowOf(page, "Calm 15");
	await expect(seen).toBeInViewport();
	await page.mouse.move(5, 5);
	const before = await topOf(seen);
	await createJobs(tapedeck, runnerId, "Calm below", 3);
	await expect(page.getByRole("button", { name: "3 new jobs" })).toBeVisible();
	expect(await topOf(seen)).toBe(before);
});

inExplore(test)(
	"a list that stays scrolled down takes so many new jobs and no more, and shows the newest at its top",
	async ({ page, tapedeck }) => {
		const runnerId = await runnerAway(tapedeck, "busy-runner");
		await createJobs(tapedeck, runnerId, "Busy", 40);
		await page.goto(`/jobs?runnerId=${runnerId}`);
		await expect(rowOf(page, "Busy 39")).toBeVisible();
		await rowOf(page, "Busy 36").hover();
		await page.mouse.wheel(0, 440);
		await expect.poll(() => scrolledTo(page)).toBe(440);
		const seen = rowOf(page, "Busy 20");
		await expect(seen).toBeInViewport();
		await page.mouse.move(5, 5);
		const before = await topOf(seen);
		await createJobs(tapedeck, runnerId, "Busy later", 620);
		const chip = page.getByRole("button", { name: "560+ new jobs" });
		await expect(chip).toBeVisible();
		expect(await topOf(seen)).toBe(before);
		await chip.click();
		await expect(rowOf(page, "Busy later 619")).toBeInViewport();
		await expect.poll(() => scrolledTo(page)).toBe(0);
		await expect(page.getByRole("table", { name: "Jobs" })).toHaveAttribute("aria-rowcount", "-1");
		await createJobs(tapedeck, runnerId, "Busy again", 1);
		await expect(rowOf(page, "Busy again 0")).toBeInViewport();
	},
);

inExplore(test)("rows do not change while the list scrolls, and update once it rests", async ({ page, tapedeck }) => {
	const runnerId = await runnerAway(tapedeck, "moving-runner");
	const ids = await createJobs(tapedeck, runnerId, "Moving", 40);
	await page.goto(`/jobs?runnerId=${runnerId}`);
	await expect(rowOf(page, "Moving 39")).toBeVisible();
	const moved = page.locator("table").evaluate(async (table, id) => {
		const box = table.closest(".overflow-auto");
		if (box === null) throw new Error("nothing scrolls");
		box.scrollTop = 400;
		let [lastMove, changed] = [0, 0];
		// Waits by frames: on a busy machine, the first one can take more than two seconds.
		for (let frame = 0; changed === 0; frame += 1) {
			await new Promise(requestAnimationFrame);
			const now = performance.now();
			if (document.querySelector(`tr[data-row="${id}"]`)?.textContent?.includes("Cancelled")) changed = now;
			else if (frame < 120) {
				box.scrollTop += box.scrollTop > 400 ? -4 : 4;
				lastMove = now;
				box.setAttribute("data-moves", String(frame + 1));
			}
		}
		return { lastMove, changed };
	}, ids[25]);
	await expect(page.locator("[data-moves]")).toBeAttached();
	await tapedeck.api.cancelJob(Number(ids[25]));
	const { lastMove, changed } = await moved;
	// The cancel took milliseconds; most of the 120 moves came after it.
	expect(lastMove).toBeGreaterThan(0);
	expect(changed - lastMove).toBeGreaterThan(100);
});

inExplore(test)(
	"while the pointer is on a row, a job that no longer matches the filters stays with its current status, and none comes in",
	async ({ page, tapedeck }) => {
		const runnerId = await runnerAway(tapedeck, "leaving-runner");
		const ids = await createJobs(tapedeck, runnerId, "Leaving", 3);
		await page.goto(`/jobs?status=queued&runnerId=${runnerId}`);
		await rowOf(page, "Leaving 1").hover();
		const place = await topOf(rowOf(page, "Leaving 1"));
		await tapedeck.api.cancelJob(Number(ids[2]));
		await expect(rowOf(page, "Leaving 2")).toContainText("Cancelled");
		expect(await topOf(rowOf(page, "Leaving 1"))).toBe(place);
		await createJobs(tapedeck, runnerId, "Leaving later", 1);
		await expect(page.getByRole("button", { name: "1 new job" })).toBeVisible();
		await expect(rowOf(page, "Leaving later 0")).toHaveCount(0);
		expect(await topOf(rowOf(page, "Leaving 1"))).toBe(place);
		await page.mouse.move(5, 5);
		await expect(rowOf(page, "Leaving later 0")).toBeVisible();
		await expect(rowOf(page, "Leaving 2")).toHaveCount(0);
	},
);

inExplore(test)(
	"at every width a job shows where it records, until when, since when and why it waits, and the page scrolls only vertically",
	async ({ page, tapedeck }) => {
		const runnerId = await runnerAway(tapedeck, "width-runner");
		await createJobs(tapedeck, runnerId, "Wide", 1);
		for (const width of [390, 820, 1000, 1440, 2560]) {
			await page.setViewportSize({ width, height: 844 });
			await page.goto("/jobs?q=Wide");
			const row = rowOf(page, "Wide 0");
			for (const words of ["Wide 0", "Queued", /Runner offline \d/, "width-runner", ":77", "Interrupt"]) {
				await expect(row.getByText(words).first()).toBeInViewport();
			}
			await expect(box(page, "Wide 0")).toBeInViewport();
			const overflow = () =>
				page.evaluate(() => {
					const scroller = document.querySelector("table")?.closest(".overflow-auto");
					return [document.documentElement, scroller].map((one) => (one?.scrollWidth ?? 0) - (one?.clientWidth ?? 0));
				});
			expect(await overflow()).toEqual([0, 0]);
		}
	},
);

test("the URL holds the filters and the open job, and Back undoes a filter and closes the drawer", async ({
	page,
	tapedeck,
}) => {
	const runnerId = await runnerAway(tapedeck, "address-runner");
	const [id] = await createJobs(tapedeck, runnerId, "Address", 1);
	await page.goto(`/jobs?status=queued&runnerId=${runnerId}&q=Address`);
	await expect(page.getByRole("button", { name: "Queued" })).toHaveAttribute("aria-pressed", "true");
	await expect(page.getByRole("combobox", { name: "Filter by runner" })).toHaveValue(String(runnerId));
	await expect(page.getByRole("searchbox", { name: "Search jobs" })).toHaveValue("Address");
	await rowOf(page, "Address 0").click();
	await expect(page).toHaveURL(new RegExp(`/jobs/${id}\\?status=queued`));
	await page.goBack();
	await expect(page.getByRole("dialog")).toHaveCount(0);
	await page.goForward();
	await expect(page.getByRole("dialog", { name: "Address 0" })).toBeVisible();
	await page.keyboard.press("Escape");
	await expect(page.getByRole("dialog")).toHaveCount(0);

	// The router has not taken the address of the drawer yet.
	await rowOf(page, "Address 0").evaluate((row) => {
		(row as HTMLElement).click();
		window.history.back();
	});
	await expect(page).toHaveURL(/\/jobs\?status=queued/);
	await expect(page.getByRole("dialog")).toHaveCount(0);

	await page.getByRole("button", { name: "Recording failed" }).click();
	await page.getByRole("button", { name: "Queued" }).click();
	await expect(page.getByText("No jobs match these filters")).toBeVisible();
	await page.goBack();
	await page.goBack();
	await expect(rowOf(page, "Address 0")).toBeVisible();
	await page.getByRole("button", { name: "Recording failed" }).click();
	await page.getByRole("button", { name: "Queued" }).click();
	await page.getByRole("button", { name: "Clear filters" }).click();
	await expect(rowOf(page, "Address 0")).toBeVisible();
	await expect(page).toHaveURL(/\/jobs$/);
});

inExplore(test)("Clear filters closes the date fields, with or without a date in them", async ({ page }) => {
	await page.goto("/jobs?q=no-job-has-this-name");
	const age = page.getByRole("combobox", { name: "Filter by age" });
	for (const day of ["", "2026-03-01"]) {
		await age.selectOption("Choose dates…");
		if (day !== "") await page.getByLabel("Created from").fill(day);
		await page.getByRole("button", { name: "Clear filters" }).click();
		await expect(page).toHaveURL(/\/jobs$/);
		await expect(page.getByLabel("Created from")).toHaveCount(0);
		await expect(age).toHaveValue("");
		await page.getByRole("searchbox", { name: "Search jobs" }).fill("no-job-has-this-name");
	}
});

/** Creates three jobs: one of March 1, one of March 2 and one of today. @returns their rows. */
async function datedJobs(page: Page, tapedeck: Stack, name: string, runnerId: number) {
	const ids = await createJobs(tapedeck, runnerId, name, 3);
	for (const [index, day] of ["2026-03-01", "2026-03-02"].entries()) {
		const noon = new Date(`${day}T12:00`).getTime();
		await runSql(tapedeck, `update job set "createdAt" = ${noon} where id = ${ids[index]}`);
	}
	const [first, second, today] = [0, 1, 2].map((index) => rowOf(page, `${name} ${index}`)) as [
		Locator,
		Locator,
		Locator,
	];
	return { first, second, today };
}

const ageFilter = (page: Page) => page.getByRole("combobox", { name: "Filter by age" });

test("jobs are filtered by their age, and a new job that matches appears by itself", async ({ page, tapedeck }) => {
	const runnerId = await runnerAway(tapedeck, "aged-runner");
	const { first, today } = await datedJobs(page, tapedeck, "Hourly", runnerId);
	await page.goto("/jobs?q=Hourly");
	await expect(first).toBeVisible();
	await ageFilter(page).selectOption("Last hour");
	await expect(page).toHaveURL(/\?q=Hourly&age=1h$/);
	await expect(first).toHaveCount(0);
	await expect(today).toBeVisible();
	await createJobs(tapedeck, runnerId, "Hourly later", 1);
	await expect(rowOf(page, "Hourly later 0")).toBeVisible();
});

test("jobs are filtered by dates", async ({ page, tapedeck }) => {
	const runnerId = await runnerAway(tapedeck, "dated-runner");
	const { first, second, today } = await datedJobs(page, tapedeck, "Dated", runnerId);
	await page.goto("/jobs?q=Dated");
	await ageFilter(page).selectOption("Choose dates…");
	await expect(first).toBeVisible();
	await page.getByLabel("Created to").fill("2026-03-02");
	await expect(today).toHaveCount(0);
	await expect(second).toBeVisible();
	await page.getByLabel("Created to").fill("2026-03-01");
	await expect(second).toHaveCount(0);
	await expect(first).toBeVisible();
	await page.getByLabel("Created from").fill("2026-03-02");
	await expect(page.getByText("No jobs match these filters")).toBeVisible();
});

inExplore(test)(
	"the URL holds the dates that jobs are filtered by: Back, a reload and Any age follow it",
	async ({ page, tapedeck }) => {
		const runnerId = await runnerAway(tapedeck, "linked-runner");
		const { second, today } = await datedJobs(page, tapedeck, "Linked", runnerId);
		await page.goto("/jobs?q=Linked");
		await ageFilter(page).selectOption("Choose dates…");
		await page.getByLabel("Created to").fill("2026-03-02");
		await expect(today).toHaveCount(0);
		await page.getByLabel("Created to").fill("2026-03-01");
		await expect(second).toHaveCount(0);
		await page.goBack();
		await expect(second).toBeVisible();
		await expect(page.getByLabel("Created to")).toHaveValue("2026-03-02");
		await page.reload();
		await expect(second).toBeVisible();
		await expect(today).toHaveCount(0);
		await expect(ageFilter(page)).toHaveValue("days");
		await ageFilter(page).selectOption("Any age");
		await expect(page).toHaveURL(/\?q=Linked$/);
		await expect(today).toBeVisible();
		await expect(page.getByLabel("Created to")).toHaveCount(0);
	},
);

test("a row shows a frame of its video, how its test ended, build and branch, and what is deleted when", async ({
	page,
	tapedeck,
}) => {
	const { id, recording } = await recordShortly(tapedeck, "Shown whole");
	await tapedeck.api.call("PATCH", `/v1/jobs/${id}`, {
		labels: { build: "4711", branch: "feature/rows" },
		outcome: "failed",
	});
	const row = rowOf(page, "Shown whole");
	for (const width of [1280, 1000, 390]) {
		await page.setViewportSize({ width, height: 800 });
		await page.goto("/jobs?q=Shown");
		await expect(row).toContainText("Failed test");
		await expect(row).toContainText("build 4711 · feature/rows");
		const frame = row.locator(`img[src="/v1/recordings/${recording?.id}/poster"]`);
		await expect.poll(() => frame.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
	}
	await page.setViewportSize({ width: 1280, height: 800 });
	await tapedeck.api.call("PATCH", `/v1/jobs/${id}`, { keep: "failed", outcome: "passed" });
	await expect(row).toContainText(/Deletes in (1 h|59 min|60 min) · Keep/);
	await page.getByRole("button", { name: "Keep Shown whole" }).click();
	await expect(row).not.toContainText("Deletes in");
	await expect(row).toContainText("Passed");
	await expect(page).toHaveURL(/\/jobs\?q=Shown$/);
	expect(await tapedeck.api.call("GET", `/v1/jobs/${id}`)).toMatchObject({ keep: "always" });
});

test("the list is sorted by age, at every width, and the URL and Back know the order", async ({ page, tapedeck }) => {
	const runnerId = await runnerAway(tapedeck, "sorted-runner");
	await createJobs(tapedeck, runnerId, "Aged", 3);
	const names = () => page.locator("a[data-job]").allTextContents();
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto(`/jobs?runnerId=${runnerId}`);
	await expect.poll(names).toEqual(["Aged 2", "Aged 1", "Aged 0"]);
	const head = page.getByRole("columnheader", { name: "Started" });
	await expect(head).toHaveAttribute("aria-sort", "descending");
	await head.getByRole("button").click();
	await expect(page).toHaveURL(/\?runnerId=\d+&order=asc$/);
	await expect(head).toHaveAttribute("aria-sort", "ascending");
	await expect.poll(names).toEqual(["Aged 0", "Aged 1", "Aged 2"]);
	// A new job comes in where it belongs, and keys and selection follow the order.
	await createJobs(tapedeck, runnerId, "Aged new", 1);
	await expect.poll(names).toEqual(["Aged 0", "Aged 1", "Aged 2", "Aged new 0"]);
	await page.keyboard.press("j");
	await page.keyboard.press("Shift+J");
	await expect(box(page, "Aged 0")).toBeChecked();
	await expect(box(page, "Aged 1")).toBeChecked();
	await expect(bar(page).getByText("2 selected")).toBeVisible();
	await page.goBack();
	await expect.poll(names).toEqual(["Aged new 0", "Aged 2", "Aged 1", "Aged 0"]);

	await page.setViewportSize({ width: 390, height: 800 });
	await page.getByLabel("Sort by").selectOption("Oldest first");
	await expect(page).toHaveURL(/order=asc$/);
	await expect.poll(names).toEqual(["Aged 0", "Aged 1", "Aged 2", "Aged new 0"]);
});

test("the chips count the jobs that each would show, and follow them", async ({ page, tapedeck }) => {
	const runnerId = await runnerAway(tapedeck, "counted-runner");
	const [first] = await createJobs(tapedeck, runnerId, "Counted", 3);
	await page.goto(`/jobs?runnerId=${runnerId}`);
	const chips = page.getByRole("group", { name: "Filter by status" });
	await expect(chips.getByRole("button")).toHaveText(["All", "Active3", "Recording failed0", "Completed0", "More"]);
	await tapedeck.api.cancelJob(Number(first));
	await expect(chips.getByRole("button", { name: "Active" })).toHaveText("Active2");
	await chips.getByRole("button", { name: "More" }).click();
	await chips.getByRole("button", { name: "Cancelled" }).click();
	await expect(rowOf(page, "Counted 0")).toBeVisible();
	await expect(rowOf(page, "Counted 1")).toHaveCount(0);
	await expect(chips.getByRole("button", { name: "Cancelled" })).toHaveText("Cancelled1");
	await chips.getByRole("button", { name: "Active" }).click();
	await expect(page).toHaveURL(/status=cancelled&status=queued&status=starting&status=recording&status=uploading&/);
	await expect(rowOf(page, "Counted 1")).toBeVisible();
	// An active filter is visible without opening the other ones.
	await page.goto(`/jobs?runnerId=${runnerId}&status=cancelled`);
	await expect(chips.getByRole("button", { name: "Cancelled" })).toHaveAttribute("aria-pressed", "true");
	// Words are not counted.
	await page.goto(`/jobs?runnerId=${runnerId}&q=Counted`);
	await expect(rowOf(page, "Counted 1")).toBeVisible();
	await expect(chips.getByRole("button", { name: "Recording failed" })).toHaveText("Recording failed");
});

test("chips of outcomes count their jobs, become a part of the search, and are taken away again", async ({
	page,
	tapedeck,
}) => {
	const runnerId = await runnerAway(tapedeck, "outcome-runner");
	const [skipped] = await createJobs(tapedeck, runnerId, "Ended", 2);
	await tapedeck.api.call("PATCH", `/v1/jobs/${skipped}`, { outcome: "skipped" });
	await page.goto("/jobs");
	const chip = page.getByRole("group", { name: "Filter by outcome" }).getByRole("button", { name: "Skipped" });
	await expect(chip).toHaveText("Skipped1");
	await chip.click();
	await expect(page).toHaveURL(/q=outcome%3Askipped/);
	await expect(chip).toHaveAttribute("aria-pressed", "true");
	await expect(rowOf(page, "Ended 0")).toContainText("Skipped");
	// The status says what the job is waiting for, which implies that it is queued.
	await expect(rowOf(page, "Ended 0")).toContainText("Runner offline");
	await expect(rowOf(page, "Ended 1")).toHaveCount(0);
	await chip.click();
	await expect(page).toHaveURL(/\/jobs$/);
	await expect(rowOf(page, "Ended 1")).toBeVisible();
});

inExplore(test)(
	"filters in a search for jobs can be taken away, and a mistake is shown with its place",
	async ({ page, tapedeck }) => {
		const [first] = await createJobs(tapedeck, await runnerAway(tapedeck, "search-runner"), "Sought", 2);
		await tapedeck.api.call("PATCH", `/v1/jobs/${first}`, { labels: { build: "12" } });
		await page.goto("/jobs?q=Sought+build%3A12");
		await expect(rowOf(page, "Sought 0")).toBeVisible();
		await expect(rowOf(page, "Sought 1")).toHaveCount(0);
		await page.getByRole("button", { name: "Remove build:12" }).click();
		await expect(rowOf(page, "Sought 1")).toBeVisible();
		await page.getByRole("searchbox", { name: "Search jobs" }).fill("Sought biuld:12");
		await expect(page.getByText('biuld:12 There is no filter "biuld".')).toBeVisible();
		await expect(rowOf(page, "Sought 1")).toBeVisible();
		await page.reload();
		await expect(page.getByText('There is no filter "biuld".')).toBeVisible();
	},
);
