/** After an item was added or removed, the keyboard's focus is at a neighbor, never at the top of the page. */
import type { Locator, Page } from "playwright/test";
import { invite, newBrowser, PASSWORD, signIn, signUp } from "#test/pages/people.ts";
import { addRecording, boxOf, cardOf, cards } from "#test/pages/recordings-page.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, ownDashboardTest, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

const video = makeExternalVideo({ seconds: 2 });

/** Presses a button by keyboard. */
async function press(button: Locator): Promise<void> {
	await button.focus();
	await button.press("Enter");
}

const createKey = (page: Page, kind: "api-keys" | "runner-tokens", name: string, origin: string) =>
	page.request.post(`/v1/${kind}`, {
		headers: { origin },
		data: kind === "api-keys" ? { name, scopes: ["jobs:read"], expiresAt: null } : { name },
	});

test("labels: the next one's button, the one before, then the button that adds; after adding, that button", async ({
	page,
	tapedeck,
}) => {
	const { id } = await addRecording(tapedeck, "With labels", await video);
	await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { labels: { a: "1", b: "2", c: "3" } });
	await page.goto(`/recordings/${id}`);
	const remove = (key: string) => page.getByRole("button", { name: `Remove label ${key}` });
	const addLabel = page.getByRole("button", { name: "Add label" });
	await press(remove("b"));
	await expect(remove("b")).toHaveCount(0);
	await expect(remove("c")).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(remove("a")).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(addLabel).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(page.getByLabel("New label")).toBeFocused();
	await page.keyboard.type("team=web");
	await page.keyboard.press("Enter");
	await expect(page.getByRole("list", { name: "Labels" })).toContainText("web");
	await expect(addLabel).toBeFocused();
	await page.keyboard.press("Enter");
	await page.keyboard.press("Escape");
	await expect(addLabel).toBeFocused();
});

test("markers: the next one's button; after adding or cancelling, what had the focus before", async ({
	page,
	tapedeck,
}) => {
	const { id } = await addRecording(tapedeck, "With markers", await video);
	for (const [label, offsetSeconds] of [
		["first", 0.2],
		["second", 0.6],
		["third", 1],
	] as const) {
		await tapedeck.api.call("POST", `/v1/recordings/${id}/markers`, { label, kind: "step", offsetSeconds });
	}
	await page.goto(`/recordings/${id}`);
	const remove = (label: string) => page.getByRole("button", { name: `Delete marker ${label}` });
	await press(remove("second"));
	await expect(remove("third")).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(remove("first")).toBeFocused();
	const add = page.getByRole("button", { name: "Add marker" });
	await press(add);
	await expect(page.getByLabel("Marker label")).toBeFocused();
	await page.keyboard.type("new");
	await page.keyboard.press("Enter");
	await expect(remove("new")).toBeVisible();
	await expect(add).toBeFocused();
	await page.getByRole("button", { name: "Play", exact: true }).focus();
	await page.keyboard.press("a");
	await page.keyboard.press("Escape");
	await expect(page.getByRole("button", { name: "Play", exact: true })).toBeFocused();
});

/** A dashboard of their own, because these tests remove all keys and all views. */
const emptyTest = ownDashboardTest();
for (const [kind, list, create] of [
	["api-keys", "API keys", "Create API key"],
	["runner-tokens", "Runner tokens", "Create runner token"],
] as const) {
	emptyTest(
		`${list}: the next one's button, then the button that creates; after creating, that button`,
		async ({ page, tapedeck }) => {
			for (const name of ["One", "Two"]) await createKey(page, kind, `${kind} ${name}`, tapedeck.url);
			await page.goto("/settings");
			const section = page.getByRole("region", { name: list });
			const revoke = (name: string) => section.getByRole("button", { name: `Revoke ${kind} ${name}` });
			const buttons = section.getByRole("button", { name: /^Revoke / });
			await expect(revoke("Two")).toBeVisible();
			const names = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
			while (names.length > 0) {
				const name = names.shift() ?? "";
				await press(section.getByRole("button", { name, exact: true }));
				await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).press("Enter");
				await expect(page.getByRole("dialog")).toHaveCount(0);
				await expect(section.getByRole("button", { name, exact: true })).toHaveCount(0);
				const next = names[0] ?? create;
				await expect(section.getByRole("button", { name: next, exact: true })).toBeFocused();
			}
			await page.keyboard.press("Enter");
			const dialog = page.getByRole("dialog", { name: create });
			await dialog.getByLabel("Name", { exact: true }).fill("New");
			await page.keyboard.press("Enter");
			await dialog.getByRole("button", { name: "Done" }).press("Enter");
			await expect(section.getByRole("button", { name: create })).toBeFocused();
		},
	);
}

test("a rotated token's row, whose button is gone, still has the focus", async ({ page, tapedeck }) => {
	await createKey(page, "runner-tokens", "Rotating", tapedeck.url);
	await page.goto("/settings");
	await press(page.getByRole("button", { name: "Rotate Rotating" }));
	const dialog = page.getByRole("dialog");
	await press(dialog.getByRole("button", { name: "Create new token" }));
	await press(dialog.getByRole("button", { name: "Done" }));
	await expect(dialog).toHaveCount(0);
	await expect(page.getByRole("list", { name: "Runner tokens" }).locator(":focus")).toHaveCount(1);
});

test("members and invitations: a neighbour's button", async ({ page, browser, tapedeck }) => {
	for (const name of ["Anna", "Bert"]) {
		const guest = await newBrowser(browser, tapedeck.url);
		await signUp(guest, await invite(page, "member"), name);
		await guest.context().close();
	}
	await invite(page, "viewer", "first@example.com");
	await invite(page, "viewer", "second@example.com");
	await page.goto("/settings/members");
	await press(page.getByRole("button", { name: "Remove Anna" }));
	await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).press("Enter");
	await expect(page.getByRole("button", { name: "Remove Anna" })).toHaveCount(0);
	await expect(page.getByRole("list", { name: "Members" }).locator(":focus")).toHaveCount(1);

	const second = page.getByRole("button", { name: "Revoke invitation of second@example.com" });
	const first = page.getByRole("button", { name: "Revoke invitation of first@example.com" });
	await press(second);
	await expect(second).toHaveCount(0);
	await expect(first).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(first).toHaveCount(0);
	await expect(page.getByRole("region", { name: "Invitations" }).locator(":focus")).toHaveCount(1);
});

test("sessions: a neighbour's button", async ({ page, browser, tapedeck }) => {
	const here = await newBrowser(browser, tapedeck.url);
	await signUp(here, await invite(page, "viewer"), "Dora");
	const others = [await newBrowser(browser, tapedeck.url), await newBrowser(browser, tapedeck.url)];
	for (const other of others) await signIn(other, "dora@example.com", PASSWORD);
	await here.goto("/settings/account");
	const revoke = here.getByRole("button", { name: /^Revoke session/ });
	await expect(revoke).toHaveCount(2);
	await press(revoke.first());
	await expect(revoke).toHaveCount(1);
	await expect(revoke).toBeFocused();
	await here.keyboard.press("Enter");
	await expect(revoke).toHaveCount(0);
	await expect(here.getByRole("region", { name: "Sessions" }).locator(":focus")).toHaveCount(1);
	for (const one of [here, ...others]) await one.context().close();
});

emptyTest("saved views: the renamed one's button, the next one's, then the dialog's", async ({ page, tapedeck }) => {
	for (const name of ["Alpha", "Beta", "Gamma"]) {
		const headers = { origin: tapedeck.url };
		await page.request.post("/v1/views", {
			headers,
			data: { page: "jobs", name, query: "status=failed", shared: false },
		});
	}
	await page.goto("/jobs");
	await press(page.getByRole("button", { name: "Views" }));
	await page.getByRole("menuitem", { name: "Manage views" }).press("Enter");
	const dialog = page.getByRole("dialog", { name: "Views" });
	await press(dialog.getByRole("button", { name: "Rename Beta" }));
	await page.keyboard.type("Beta two");
	await page.keyboard.press("Enter");
	await expect(dialog.getByRole("button", { name: "Rename Beta two" })).toBeFocused();
	await press(dialog.getByRole("button", { name: "Delete Beta two" }));
	await expect(dialog.getByRole("button", { name: "Delete Gamma" })).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(dialog.getByRole("button", { name: "Delete Alpha" })).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(dialog.getByText("No views yet.")).toBeVisible();
	await expect(dialog.locator(":focus")).toHaveCount(1);
	await page.keyboard.press("Escape");
	await expect(page.getByRole("button", { name: "Views" })).toBeFocused();
});

for (const [where, box] of [
	["/jobs", "Search jobs"],
	["/recordings", "Search recordings"],
] as const) {
	test(`filters of ${where}: the next one, then the search; and the search after all were cleared`, async ({
		page,
	}) => {
		await page.goto(`${where}?q=${encodeURIComponent("build:1 branch:main nothing-is-called-so")}`);
		const search = page.getByRole("searchbox", { name: box });
		await press(page.getByRole("button", { name: "Remove build:1" }));
		await expect(page.getByRole("button", { name: "Remove branch:main" })).toBeFocused();
		await page.keyboard.press("Enter");
		await expect(search).toBeFocused();
		await expect(search).toHaveValue("nothing-is-called-so");
		await press(page.getByRole("button", { name: "Clear filters" }));
		await expect(search).toBeFocused();
		await expect(search).toHaveValue("");
	});
}

test("filters of the audit log: a neighbour", async ({ page }) => {
	await page.goto("/settings/audit");
	const log = page.getByRole("list", { name: "Audit log" });
	await press(log.getByRole("button", { name: "Test Owner" }).or(log.getByRole("button")).first());
	const filter = page.getByRole("button", { name: /^Remove the filter / });
	await expect(filter).toBeVisible();
	await press(filter);
	await expect(filter).toHaveCount(0);
	await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("links of a recording: the next one's button; a cleared selection: a card", async ({ page, tapedeck }) => {
	const { id } = await addRecording(tapedeck, "Shared twice", await video);
	for (const _ of [1, 2]) await tapedeck.api.call("POST", `/v1/recordings/${id}/links`, { expiresAt: null });
	await page.goto(`/recordings/${id}`);
	await press(page.getByRole("button", { name: "Share" }));
	const revoke = page.getByRole("dialog").getByRole("button", { name: /^Revoke the link/ });
	await expect(revoke).toHaveCount(2);
	await press(revoke.first());
	await expect(revoke).toHaveCount(1);
	await expect(revoke).toBeFocused();
	await page.keyboard.press("Enter");
	await expect(revoke).toHaveCount(0);
	await expect(page.getByRole("dialog").locator(":focus")).toHaveCount(1);
	await page.keyboard.press("Escape");
	await expect(page.getByRole("button", { name: "Share" })).toBeFocused();

	await page.goto("/recordings?q=Shared");
	await expect(cards(page)).toHaveCount(1);
	await boxOf(page, "Shared twice").check();
	await press(page.getByRole("button", { name: "Clear selection" }));
	await expect(cardOf(page, "Shared twice").locator(":focus")).toHaveCount(1);
});

test("a video that is kept: its card; a runner that is removed: a neighbour", async ({ page, tapedeck }) => {
	const { id } = await addRecording(tapedeck, "Kept by key", await video);
	await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { keep: "failed", outcome: "passed" });
	await page.goto("/recordings?q=Kept");
	await press(page.getByRole("button", { name: "Keep Kept by key" }));
	await expect(page.getByRole("button", { name: "Keep Kept by key" })).toHaveCount(0);
	await expect(cardOf(page, "Kept by key").locator(":focus")).toHaveCount(1);

	const runner = await scriptRunner(tapedeck, "Removed by key");
	const other = await scriptRunner(tapedeck, "Staying");
	await page.goto("/runners");
	await press(page.getByRole("button", { name: "Actions for Removed by key" }));
	await page.getByRole("menuitem", { name: "Remove" }).press("Enter");
	await press(page.getByRole("dialog").getByRole("button", { name: "Remove runner" }));
	await expect(page.getByRole("button", { name: "Actions for Removed by key" })).toHaveCount(0);
	await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
	await runner.stop();
	await other.stop();
});

test("a mark that is set keeps the focus on its button, and a click on nothing takes the focus away", async ({
	page,
	tapedeck,
}) => {
	const { id } = await addRecording(tapedeck, "Failed for the mark", await video);
	await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { outcome: "failed" });
	await page.goto("/failures");
	const mark = page.getByRole("button", { name: "Mark all as seen" });
	await expect(mark).not.toHaveAttribute("aria-disabled", "true");
	await press(mark);
	await expect(mark).toHaveAttribute("aria-disabled", "true");
	await expect(mark).toBeFocused();
	// The content has the focus afterwards, so that Tab continues from there.
	await page.getByRole("heading", { name: "Failures", exact: true }).click();
	await expect(page.getByRole("main")).toBeFocused();
});
