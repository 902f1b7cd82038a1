/** Recordings are found by labels and outcome, which people see and change. */
import type { Recording } from "#lib/contract/recording.ts";
import { addRecording, cards, namesIn } from "#test/pages/recordings-page.ts";
import type { Dashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

/** Adds a recording with what is given. */
async function add(tapedeck: Dashboard, name: string, changes: object): Promise<Recording> {
	await addRecording(tapedeck, name, await makeExternalVideo({ seconds: 2 }));
	const added = (await tapedeck.api.recordings()).find((one) => one.name === name);
	return tapedeck.api.call("PATCH", `/v1/recordings/${added?.id}`, changes);
}

test("a search by labels and outcome shows its filters, which can be taken away one by one", async ({
	page,
	tapedeck,
}) => {
	await add(tapedeck, "Pay by card", { labels: { build: "7", branch: "main" }, outcome: "failed" });
	await add(tapedeck, "Pay by bill", { labels: { build: "7", branch: "main" }, outcome: "passed" });
	await add(tapedeck, "Pay later", { labels: { build: "8", branch: "main" }, outcome: "failed" });
	await page.goto("/recordings?q=pay");
	await expect(cards(page)).toHaveCount(3);
	await expect(cards(page).filter({ hasText: "Pay by card" })).toContainText("build 7 · main");
	const search = page.getByRole("searchbox", { name: "Search recordings" });
	await search.fill("pay build:7 outcome:failed");
	await expect.poll(() => namesIn(page)).toEqual(["Pay by card"]);
	await expect(cards(page)).toContainText("Failed test");
	const filters = page.getByRole("list", { name: "Filters in the search" });
	await filters.getByRole("button", { name: "Remove outcome:failed" }).click();
	await expect.poll(() => namesIn(page)).toEqual(["Pay by bill", "Pay by card"]);
	await expect(search).toHaveValue("pay build:7");
	await expect(page).toHaveURL(/q=pay\+build%3A7$/);
	// What changes meanwhile comes in, and goes.
	const later = (await tapedeck.api.recordings()).find(({ name }) => name === "Pay later");
	await tapedeck.api.call("PATCH", `/v1/recordings/${later?.id}`, { labels: { build: "7" } });
	await expect(cards(page)).toHaveCount(3);
	await search.fill("pay biuld:7");
	await expect(page.getByText('There is no filter "biuld".')).toBeVisible();
	await expect(cards(page)).toHaveCount(3);
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
	await expect(cards(page)).toContainText(/Deleted in (1 h|59 min|60 min)/);
	await page.getByRole("button", { name: "Keep Going" }).click();
	await expect(page.getByText("The recording is kept.")).toBeVisible();
	await expect(cards(page)).not.toContainText("Deleted in");
	expect(await tapedeck.api.call("GET", `/v1/recordings/${id}`)).toMatchObject({ keep: "always", deleteAt: null });
});
