/** A browser without a network, and a dashboard that is down. */
import type { Page } from "playwright/test";
import { createInterruptJob, NO_DISPLAY } from "#test/jobs.ts";
import { expect, test } from "#test/tapedeck.ts";

/** The list of jobs, with its event stream open: only then does the page know of the network. */
async function openList(page: Page): Promise<void> {
	const streaming = page.waitForResponse((response) => response.url().endsWith("/v1/events"));
	await page.goto("/jobs");
	await streaming;
	await expect(page.getByRole("button", { name: "New job" })).toBeVisible();
}

test("an offline browser says so at once, and fetches what it missed when it is online again", async ({
	page,
	context,
	tapedeck,
}) => {
	await openList(page);
	await context.setOffline(true);
	// Before a heartbeat of the server can be missed, which comes every 15 s.
	await expect(page.getByText("You're offline.")).toBeVisible({ timeout: 10_000 });
	await createInterruptJob(tapedeck, "Made meanwhile", NO_DISPLAY);
	await context.setOffline(false);
	await expect(page.getByText("Back online.")).toBeVisible();
	await expect(page.getByText("Made meanwhile").first()).toBeVisible();
	await expect(page.getByText("Back online.")).toBeHidden();
});

test("following a link while the dashboard is down keeps the page and says why, and works again afterwards", async ({
	page,
	tapedeck,
}) => {
	await openList(page);
	const link = page.getByRole("link", { name: "Runners", exact: true });
	await tapedeck.kill();
	try {
		await expect(page.getByText("Connection lost.")).toBeVisible();
		await link.click();
		// The list shows the message as well, if it was still loading.
		const notifications = page.getByRole("region", { name: /^Notifications/ });
		await expect(notifications.getByText("Can't reach Tapedeck")).toBeVisible();
		await expect(page.getByRole("heading", { name: "Jobs" })).toBeVisible();
		await expect(page).toHaveURL(/\/jobs$/);
	} finally {
		await tapedeck.startAgain();
	}
	await expect(page.getByText("Back online.")).toBeVisible();
	await link.click();
	await expect(page.getByRole("heading", { name: "Runners" })).toBeVisible();
});
