/** The page of webhooks: added, tested, paused, their log, a new secret, deleted. */
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";

test("a webhook is added with its secret, tested, paused, and deleted, and its log shows what was sent", async ({
	page,
}) => {
	await page.goto("/settings/webhooks");
	await page.getByRole("button", { name: "Add webhook" }).click();
	const adding = page.getByRole("dialog", { name: "Add webhook" });
	await adding.getByLabel("URL").fill("http://127.0.0.1/hooks");
	await adding.getByLabel("A job has ended").check();
	await adding.getByRole("button", { name: "Add webhook" }).click();
	await expect(adding.getByText("127.0.0.1 is not a public address.")).toBeVisible();
	const url = "https://receiver.invalid/hooks";
	await adding.getByLabel("URL").fill(url);
	await adding.getByLabel("Only for").fill("branch:main");
	await adding.getByRole("button", { name: "Add webhook" }).click();
	await expect(adding.getByText(/^whsec_\S{40,}$/)).toBeVisible();
	await adding.getByRole("button", { name: "Done" }).click();

	const row = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem");
	await expect(row).toContainText("job.ended, test.failed · only branch:main");
	expect(await violationsOf(page)).toEqual([]);
	await page.getByRole("button", { name: `Pause ${url}` }).click();
	await expect(row).toContainText("Paused.");
	await page.getByRole("button", { name: `Send test to ${url}` }).click();
	await page.getByRole("button", { name: `Deliveries to ${url}` }).click();
	const log = page.getByRole("dialog", { name: "Deliveries" });
	await expect(log.getByRole("listitem")).toContainText("Waiting webhook.test");
	await log.getByRole("button", { name: /^Details of webhook.test/ }).click();
	await expect(log.getByText("A test from Tapedeck.")).toBeVisible();
	await log.getByRole("button", { name: "Send again" }).click();
	await expect(log.getByRole("listitem")).toHaveCount(2);
	await page.keyboard.press("Escape");

	await page.getByRole("button", { name: `Rotate secret of ${url}` }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
	const rotated = page.getByRole("dialog", { name: "New secret" });
	await expect(rotated.getByText(/^whsec_\S{40,}$/)).toBeVisible();
	await rotated.getByRole("button", { name: "Done" }).click();
	await expect(row).toContainText("Its old secret works until");
	await page.getByRole("button", { name: `Delete ${url}` }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
	await expect(page.getByText("None yet.")).toBeVisible();
});

inExplore(test)(
	"a webhook for a chat is added without events and secret, and can leave out builds without news",
	async ({ page }) => {
		await page.goto("/settings/webhooks");
		await page.getByRole("button", { name: "Add webhook" }).click();
		const adding = page.getByRole("dialog", { name: "Add webhook" });
		await adding.getByLabel("Send to").selectOption("Slack");
		await expect(adding.getByText("Use the URL of an incoming webhook of a Slack app.")).toBeVisible();
		await expect(adding.getByLabel("A job has ended")).toHaveCount(0);
		const url = "https://slack.invalid/services/hook";
		await adding.getByLabel("URL").fill(url);
		await adding.getByLabel("Leave out builds without new failures").check();
		await adding.getByLabel("Bot token").fill("xoxp-of-a-person");
		await adding.getByRole("button", { name: "Add webhook" }).click();
		await expect(adding.getByText(/^Send botToken as the Bot User OAuth Token/)).toBeVisible();
		await adding.getByLabel("Bot token").fill("xoxb-1-2-secret");
		await adding.getByRole("button", { name: "Add webhook" }).click();
		const row = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").filter({ hasText: url });
		await expect(row).toContainText(
			"Slack: a message at the end of each build · without builds that have no new failures",
		);
		await expect(page.getByRole("button", { name: `Rotate secret of ${url}` })).toHaveCount(0);
		await page.getByRole("button", { name: `Change ${url}` }).click();
		const changing = page.getByRole("dialog", { name: "Change webhook" });
		await expect(changing.getByLabel("Bot token (optional)")).toHaveValue("");
		await changing.getByLabel("Remove the bot token").check();
		await changing.getByRole("button", { name: "Save webhook" }).click();
		await page.getByRole("button", { name: `Change ${url}` }).click();
		await expect(changing.getByLabel("Remove the bot token")).toHaveCount(0);
		await page.keyboard.press("Escape");
		await page.getByRole("button", { name: `Delete ${url}` }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
		await expect(row).toHaveCount(0);
	},
);
