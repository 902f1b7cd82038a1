/** Pages follow the facts by themselves. */
import { createInterruptJob, createShort } from "#test/jobs.ts";
import { rowOf } from "#test/pages/jobs-page.ts";
import { expect, test } from "#test/tapedeck.ts";

test("a job that a script creates appears and updates in the open list, without a reload", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/jobs");
	await expect(page.getByRole("button", { name: "New job" })).toBeVisible();
	await page.evaluate(() => Object.assign(window, { sameDocument: true }));
	const name = "Made by a script";
	const { id } = await createInterruptJob(tapedeck, name);
	await expect(rowOf(page, name).getByText("Recording")).toBeVisible();
	await tapedeck.api.cancelJob(id);
	await expect(rowOf(page, name).getByText("Completed")).toBeVisible();
	expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
});

test("a second tab uses the first one's event stream, and takes over when that tab closes", async ({
	context,
	tapedeck,
}) => {
	let streams = 0;
	context.on("request", (request) => {
		if (new URL(request.url()).pathname === "/v1/events") streams += 1;
	});
	const first = await context.newPage();
	await first.goto("/jobs");
	await expect.poll(() => streams).toBe(1);
	const second = await context.newPage();
	await second.goto("/jobs");
	await expect(second.getByRole("button", { name: "New job" })).toBeVisible();
	await createShort(tapedeck, "Seen in both tabs");
	await expect(rowOf(second, "Seen in both tabs")).toBeVisible();
	expect(streams).toBe(1);
	await first.close();
	await expect.poll(() => streams).toBe(2);
	await createShort(tapedeck, "Seen after the first tab went");
	await expect(rowOf(second, "Seen after the first tab went").getByText("Completed")).toBeVisible();
});
