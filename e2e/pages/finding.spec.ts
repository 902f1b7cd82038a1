/** Recordings are found by labels and outcome, which people see and change. */

import { readFile } from "node:fs/promises";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { SEARCH_KEYS } from "@tapedeck/contract/search.ts";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording, boxOf, cards, namesIn } from "#test/pages/recordings-page.ts";
import { holdUndo } from "#test/pages/undo.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";
import { makeVideo } from "#test/videos/make-video.ts";

/** Adds a recording and applies these changes. */
async function add(tapedeck: Dashboard, name: string, changes: object): Promise<Recording> {
	await addRecording(tapedeck, name, await makeExternalVideo({ seconds: 2 }));
	const added = (await tapedeck.api.recordings()).find((one) => one.name === name);
	return tapedeck.api.call("PATCH", `/v1/recordings/${added?.id}`, changes);
}

test("a search by labels and outcome shows its filters, which can be taken away one by one", async ({
	page,
	tapedeck,
}) => {
	await add(tapedeck, "Voucher by card", { labels: { build: "7", branch: "main" }, outcome: "failed" });
	await add(tapedeck, "Voucher by bill", { labels: { build: "7", branch: "main" }, outcome: "passed" });
	await add(tapedeck, "Voucher later", { labels: { build: "8", branch: "main" }, outcome: "failed" });
	await page.goto("/recordings?q=voucher");
	await expect(cards(page)).toHaveCount(3);
	await expect(cards(page).filter({ hasText: "Voucher by card" })).toContainText("build 7 · main");
	const search = page.getByRole("searchbox", { name: "Search recordings" });
	await search.fill("voucher build:7 outcome:failed");
	await expect.poll(() => namesIn(page)).toEqual(["Voucher by card"]);
	await expect(cards(page)).toContainText("Failed test");
	const filters = page.getByRole("list", { name: "Filters in the search" });
	await filters.getByRole("button", { name: "Remove outcome:failed" }).click();
	await expect.poll(() => namesIn(page)).toEqual(["Voucher by bill", "Voucher by card"]);
	await expect(search).toHaveValue("voucher build:7");
	await expect(page).toHaveURL(/q=voucher\+build%3A7$/);
	// Changes in the meantime add rows and remove them.
	const later = (await tapedeck.api.recordings()).find(({ name }) => name === "Voucher later");
	await tapedeck.api.call("PATCH", `/v1/recordings/${later?.id}`, { labels: { build: "7" } });
	await expect(cards(page)).toHaveCount(3);
	await search.fill("voucher biuld:7");
	await expect(page.getByText('There is no filter "biuld".')).toBeVisible();
	await expect(cards(page)).toHaveCount(3);
});

test("a row that a search found by an error line says which, and stays when it changes; an empty result names the word that finds nothing", async ({
	page,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of lines");
	const jobId = await runner.record("Museum visit");
	await runner.send(jobId, 0, await readFile(await makeVideo("recorder.mp4", 12)));
	const { recording } = await tapedeck.api.readJob(jobId);
	const line = { at: new Date().toISOString(), level: "error", text: "Error: connect ECONNREFUSED museum:5432" };
	const answer = await fetch(`${tapedeck.url}/v1/jobs/${jobId}/tracks/log`, {
		method: "POST",
		headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": "application/x-ndjson" },
		body: `${JSON.stringify(line)}\n`,
	});
	expect(answer.status).toBe(200);
	const main = page.getByRole("main");
	for (const [list, renamed, path] of [
		["/jobs", "Museum job", `/v1/jobs/${jobId}`],
		["/recordings", "Museum recording", `/v1/recordings/${recording?.id}`],
	] as const) {
		await page.goto(`${list}?q=econnrefused`);
		await expect(main.getByText("Found in: “error: connect econnrefused museum:5432”")).toBeVisible();
		await tapedeck.api.call("PATCH", path, { name: renamed });
		await expect(main.getByRole("link", { name: renamed, exact: true })).toBeVisible();
		await expect(main.getByText("Found in: “error: connect econnrefused museum:5432”")).toBeVisible();
		await page.goto(`${list}?q=museum%20nothing-is-called-so`);
		await expect(main.getByText(/Nothing is found by \W*nothing-is-called-so\W*\. Try without it\./)).toBeVisible();
	}
	await runner.stop();
});

test("labels and the outcome are changed on the recording's page, and a label leads to what else has it", async ({
	page,
	tapedeck,
}) => {
	const { id } = await add(tapedeck, "Labelled", { labels: { branch: "feature/a b" } });
	await page.goto(`/recordings/${id}`);
	await page.getByRole("combobox", { name: "Outcome" }).selectOption("error");
	await expect(page.getByTitle("Outcome: error")).toBeVisible();
	await page.getByRole("button", { name: "Add label" }).click();
	await page.getByRole("textbox", { name: "New label" }).fill("team=web=1");
	await page.keyboard.press("Enter");
	const labels = page.getByRole("list", { name: "Labels" });
	await expect(labels).toContainText("web=1");
	await page.getByRole("button", { name: "Add label" }).click();
	await page.getByRole("textbox", { name: "New label" }).fill("Team=x");
	await page.keyboard.press("Enter");
	await expect(page.getByText(/lower-case letters/)).toBeVisible();
	await labels.getByRole("button", { name: "Remove label team" }).click();
	await expect(labels).not.toContainText("web=1");
	expect(await tapedeck.api.call("GET", `/v1/recordings/${id}`)).toMatchObject({
		labels: { branch: "feature/a b" },
		outcome: "error",
	});
	await labels.getByRole("link", { name: "branch feature/a b" }).click();
	await expect.poll(() => namesIn(page)).toEqual(["Labelled"]);
	await expect(page.getByRole("button", { name: 'Remove branch:"feature/a b"' })).toBeVisible();
});

test("a recording that goes because its test passed says when, and Keep keeps it", async ({ page, tapedeck }) => {
	const { id } = await add(tapedeck, "Going", { keep: "failed", outcome: "passed" });
	await page.goto("/recordings?q=going");
	await expect(cards(page)).toContainText(/Deletes in (1 h|59 min|60 min)/);
	// The live stream may be faster than the answer, and takes the button that was pressed away.
	await page.route(`**/v1/recordings/${id}`, async (route) => {
		const response = await route.fetch();
		await expect(cards(page)).not.toContainText("Deletes in");
		await route.fulfill({ response });
	});
	await page.getByRole("button", { name: "Keep Going" }).click();
	await expect(page.getByText("Recording kept.")).toBeVisible();
	await expect(cards(page)).not.toContainText("Deletes in");
	expect(await tapedeck.api.call("GET", `/v1/recordings/${id}`)).toMatchObject({ keep: "always", deleteAt: null });
});

test("a filtered list is saved as a view, which is opened, renamed, deleted and restored from the menu", async ({
	page,
	tapedeck,
}) => {
	await holdUndo(page);
	await add(tapedeck, "Viewed failing", { labels: { build: "v1" }, outcome: "failed" });
	await add(tapedeck, "Viewed passing", { labels: { build: "v1" }, outcome: "passed" });
	await page.goto("/recordings");
	await expect(cards(page).filter({ hasText: "Viewed failing" })).toBeVisible();
	await expect(page.getByRole("button", { name: "Save view" })).toHaveCount(0);
	await page.getByRole("searchbox", { name: "Search recordings" }).fill("build:v1 outcome:failed");
	await expect.poll(() => namesIn(page)).toEqual(["Viewed failing"]);
	await page.getByRole("button", { name: "Save view" }).click();
	const form = page.getByRole("dialog", { name: "Save view" });
	await form.getByRole("button", { name: "Save view" }).click();
	await expect(form.getByText("Use a name of 1 to 80 characters.")).toBeVisible();
	await form.getByLabel("Name").fill("Failures of v1");
	await form.getByLabel("For everyone in the organization").check();
	await form.getByRole("button", { name: "Save view" }).click();
	await expect(form).toBeHidden();

	await page.goto("/recordings");
	const views = page.getByRole("button", { name: "Views" });
	await views.click();
	await expect(page.getByRole("menu")).toContainText("The organization's views");
	await page.getByRole("menuitem", { name: "Failures of v1" }).click();
	await expect(page).toHaveURL(/\/recordings\?q=build%3Av1\+outcome%3Afailed$/);
	await expect.poll(() => namesIn(page)).toEqual(["Viewed failing"]);
	await page.goBack();
	await expect(page).toHaveURL(/\/recordings$/);

	await views.click();
	await page.getByRole("menuitem", { name: "Manage views" }).click();
	const dialog = page.getByRole("dialog", { name: "Views" });
	await dialog.getByRole("button", { name: "Rename Failures of v1" }).click();
	await dialog.getByRole("textbox", { name: "New name of Failures of v1" }).fill("v1, failed");
	await page.keyboard.press("Enter");
	await expect(dialog.getByRole("listitem")).toHaveText("v1, failed · organization");
	await dialog.getByRole("button", { name: "Delete v1, failed" }).click();
	await expect(dialog.getByText("No views yet.")).toBeVisible();
	await page.getByRole("button", { name: "Undo" }).click();
	await expect(dialog.getByRole("listitem")).toHaveText("v1, failed · organization");
	await page.keyboard.press("Escape");
	await expect(views).toBeFocused();
	// It is a view of recordings, not of jobs.
	await page.goto("/jobs?status=failed");
	await views.click();
	await expect(page.getByRole("menu")).toContainText("No views yet.");
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "Save view" }).click();
	await page.getByLabel("Name", { exact: true }).fill("Failed jobs");
	await page.keyboard.press("Enter");
	await expect(page.getByText("Saved the view “Failed jobs”.")).toBeVisible();
});

test("the search box completes keys and the values that there are, by keyboard and by pointer", async ({
	page,
	tapedeck,
}) => {
	await add(tapedeck, "Completed one", { labels: { build: "c-1", team: "web apps" }, outcome: "failed" });
	await add(tapedeck, "Completed two", { labels: { build: "c-2" }, outcome: "passed" });
	await page.goto("/recordings");
	const search = page.getByRole("searchbox", { name: "Search recordings" });
	const options = page.getByRole("listbox", { name: "Suggestions" }).getByRole("option");
	await search.click();
	// No list covers the page until the user types or opens it.
	await expect(search).toHaveAttribute("aria-autocomplete", "list");
	await expect(options).toHaveCount(0);
	await page.keyboard.press("ArrowDown");
	await expect(options).toHaveText(SEARCH_KEYS.map((key) => `${key}:`));
	await page.keyboard.press("Escape");
	await expect(options).toHaveCount(0);
	await page.keyboard.type("bu");
	await expect(options).toHaveText(["build:"]);
	await page.keyboard.press("ArrowDown");
	await expect(options.first()).toHaveAttribute("aria-selected", "true");
	await expect(search).toHaveAttribute("aria-activedescendant", (await options.first().getAttribute("id")) ?? "");
	await page.keyboard.press("Enter");
	await expect(search).toHaveValue("build:");
	await page.keyboard.type("c-");
	await expect(options).toHaveText(["c-1", "c-2"]);
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("Enter");
	await expect(search).toHaveValue("build:c-2 ");
	await expect.poll(() => namesIn(page)).toEqual(["Completed two"]);
	await search.fill("label:te");
	await options.filter({ hasText: "team" }).click();
	await options.filter({ hasText: "web apps" }).click();
	await expect(search).toHaveValue('label:team="web apps" ');
	await expect(search).toBeFocused();
	await expect.poll(() => namesIn(page)).toEqual(["Completed one"]);
	await page.keyboard.type("outcome:");
	await expect(options).toHaveText(["passed", "failed", "error", "skipped", "none"]);
	expect(await violationsOf(page)).toEqual([]);
	await page.keyboard.press("Tab");
	await expect(options).toHaveCount(0);
});

inExplore(test)(
	"selected recordings that would be deleted are kept together, which can be undone",
	async ({ page, tapedeck }) => {
		await holdUndo(page);
		const ids: number[] = [];
		for (const name of ["Departing one", "Departing two"]) {
			ids.push((await add(tapedeck, name, { keep: "failed", outcome: "passed" })).id);
		}
		await add(tapedeck, "Departing never", { outcome: "failed" });
		const keeps = async () => {
			const all = await Promise.all(ids.map((id) => tapedeck.api.call("GET", `/v1/recordings/${id}`)));
			return all.map((one) => (one as Recording).keep);
		};
		await page.goto("/recordings?q=departing");
		await boxOf(page, "Departing never").check();
		const bar = page.getByRole("region", { name: "Selected recordings" });
		// There is nothing to keep.
		await expect(bar.getByRole("button", { name: "Delete" })).toBeVisible();
		await expect(bar.getByRole("button", { name: "Keep" })).toHaveCount(0);
		await boxOf(page, "Departing one").check();
		await boxOf(page, "Departing two").check();
		await bar.getByRole("button", { name: "Keep" }).click();
		await expect(page.getByText("Kept 2 recordings.")).toBeVisible();
		expect(await keeps()).toEqual(["always", "always"]);
		await expect(cards(page).filter({ hasText: "Deletes in" })).toHaveCount(0);
		await page.getByRole("button", { name: "Undo" }).click();
		await expect.poll(keeps).toEqual(["failed", "failed"]);
		await expect(cards(page).filter({ hasText: "Deletes in" })).toHaveCount(2);
	},
);
