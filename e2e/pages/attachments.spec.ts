/** Attachments of results on their page: pictures, texts, and traces that open on the viewer's own origin. */
import { readFile } from "node:fs/promises";
import { violationsOf } from "#test/pages/axe.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

// Playwright's own tracing would refuse the one of this test.
test.use({ trace: "off" });

test("a result shows its screenshots and texts, and its trace opens in Playwright's viewer, away from the session", async ({
	page,
	browser,
	context,
	tapedeck,
}, testInfo) => {
	const { api, url } = tapedeck;
	const traced = await browser.newContext();
	await traced.tracing.start({ screenshots: true, snapshots: true });
	const shop = await traced.newPage();
	await shop.setContent("<h1>Shop</h1><button>Pay now</button>");
	await shop.getByRole("button", { name: "Pay now" }).click();
	const screenshot = await shop.screenshot();
	const path = testInfo.outputPath("trace.zip");
	await traced.tracing.stop({ path });
	await traced.close();

	const run = await api.call<{ id: number }>("POST", "/v1/test-runs", { labels: { build: "traces 1" } });
	const failed = { key: "a", test: "Shop › pays", outcome: "failed", message: "The bank is closed" };
	const { data } = await api.call<{ data: { id: number }[] }>("POST", `/v1/test-runs/${run.id}/tests`, [failed]);
	const resultId = Number(data[0]?.id);
	const attach = async (name: string, type: string, body: Buffer) => {
		const headers = { "content-type": type, origin: url };
		const answer = await page.request.post(`/v1/tests/${resultId}/attachments?name=${name}`, { headers, data: body });
		expect(answer.status(), await answer.text()).toBe(201);
	};
	for (const name of ["home-expected.png", "home-actual.png"]) await attach(name, "image/png", screenshot);
	await attach("console.txt", "text/plain", Buffer.from("the bank answered\n\u001b[31mclosed\u001b[0m\n"));
	await attach("trace.zip", "application/zip", await readFile(path));

	await page.goto("/builds");
	await page.getByRole("link", { name: "traces 1", exact: true }).click();
	await page.getByRole("link", { name: "Shop › pays" }).first().click();
	const attachments = page.getByRole("region", { name: "Attachments" });
	await expect(attachments.getByRole("img").first()).toBeVisible();
	const actual = attachments.getByRole("img", { name: "Actual home.png" });
	await expect.poll(() => actual.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
	await attachments.getByText("console.txt").first().click();
	await expect(attachments.getByText("closed")).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);

	const opened = context.waitForEvent("page");
	await attachments.getByRole("button", { name: "Open trace trace.zip" }).click();
	const viewer = await opened;
	await expect(viewer.getByText("Pay now").first()).toBeVisible({ timeout: 30_000 });
	expect(new URL(viewer.url()).origin).not.toBe(url);
	expect((await viewer.request.get(`${new URL(viewer.url()).origin}/v1/jobs`)).status()).toBe(404);
	await expect(attachments.getByText(/^npx playwright show-trace '.*signature=/)).toBeVisible();
	await viewer.close();
	await api.call("DELETE", `/v1/test-runs/${run.id}`);
});
