/** Deleting asks for confirmation. Deleted recordings can be restored, and are still listed. */

import { runSql } from "#test/databases/database.ts";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { addRecording, cardOf } from "#test/pages/recordings-page.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

let video: Buffer;
test.beforeAll(async () => {
	video = await makeExternalVideo({ seconds: 2 });
});

test("limits that would delete recordings at once ask first, with how many and which, and can be cancelled", async ({
	page,
	tapedeck,
}) => {
	for (const name of ["Old run", "Older run"]) await addRecording(tapedeck, name, video);
	const createdAt = Date.now() - 5 * 86_400_000;
	await runSql(tapedeck, `update recording set "createdAt" = ${createdAt} where name = 'Old run'`);
	await runSql(
		tapedeck,
		`update recording set "createdAt" = ${createdAt - 1}, outcome = 'failed' where name = 'Older run'`,
	);
	await page.goto("/settings");
	const retention = page.getByRole("region", { name: "Retention" });
	await retention.getByLabel("Keep for (days)").fill("3");
	await retention.getByRole("button", { name: "Save retention" }).click();
	const dialog = page.getByRole("dialog", { name: "Delete 2 recordings?" });
	await expect(dialog).toContainText("1 of them shows a failed test.");
	await expect(dialog).toContainText("Old run");
	await expect(dialog).toContainText("24 hours");
	expect(await violationsOf(page)).toEqual([]);
	await dialog.getByRole("button", { name: "Cancel" }).click();
	expect((await tapedeck.api.recordings()).map(({ name }) => name)).toEqual(
		expect.arrayContaining(["Old run", "Older run"]),
	);

	await retention.getByRole("button", { name: "Save retention" }).click();
	await dialog.getByRole("button", { name: "Save and delete" }).click();
	await expect(page.getByText("Retention settings saved.")).toBeVisible();
	await page.reload();
	await expect(retention.getByLabel("Keep for (days)")).toHaveValue("3");
	// Restores the value for the other tests that share this dashboard.
	await runSql(tapedeck, `update retention set "maxAgeDays" = 30`);
});

inExplore(test)(
	"after the clock has jumped ahead, the page says that retention waits, and an admin confirms the clock",
	async ({ page, tapedeck }) => {
		const now = Date.now();
		const seenAt = now - 40 * 86_400_000;
		await runSql(
			tapedeck,
			`insert into "clockWatch" ("organizationId", "seenAt", "bootId", "uptimeMs", "jumpedAt")
			select id, ${seenAt}, 'an earlier boot', 0, ${now} from organization where true
			on conflict ("organizationId") do update
			set "seenAt" = excluded."seenAt", "bootId" = excluded."bootId", "jumpedAt" = excluded."jumpedAt"`,
		);
		await page.goto("/settings");
		const retention = page.getByRole("region", { name: "Retention" });
		const notice = retention.getByRole("alert").filter({ hasText: "The server's clock jumped from" });
		await expect(notice).toContainText("Nothing is deleted by age until");
		expect(await violationsOf(page)).toEqual([]);
		await notice.getByRole("button", { name: "Confirm clock" }).click();
		const dialog = page.getByRole("dialog", { name: /^Is it / });
		await dialog.getByRole("button", { name: "Cancel" }).click();
		await expect(notice).toBeVisible();
		await notice.getByRole("button", { name: "Confirm clock" }).click();
		await expect(dialog).toBeVisible();
		expect(await violationsOf(page)).toEqual([]);
		await dialog.getByRole("button", { name: "The clock is right" }).click();
		await expect(page.getByText("Clock confirmed. Retention continues.")).toBeVisible();
		await expect(notice).toHaveCount(0);
		await page.reload();
		await expect(retention.getByRole("button", { name: "Save retention" })).toBeVisible();
		await expect(notice).toHaveCount(0);
	},
);

test("a deleted recording is restored from the trash, and its page says who deleted it until then", async ({
	page,
	tapedeck,
}) => {
	const { id } = await addRecording(tapedeck, "Comes back", video);
	await tapedeck.api.call("DELETE", `/v1/recordings/${id}`);
	await page.goto(`/recordings/${id}`);
	await expect(page.getByRole("heading", { name: "Comes back" })).toBeVisible();
	await expect(page.getByText(/^This recording was deleted by .* It can be restored until /)).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);

	await page.goto("/recordings");
	await page.getByRole("link", { name: "Trash" }).click();
	const row = page
		.getByRole("list", { name: "Deleted recordings" })
		.getByRole("listitem")
		.filter({ hasText: "Comes back" });
	await expect(row).toContainText(/removed in (24 h|23 h)/);
	expect(await violationsOf(page)).toEqual([]);
	await row.getByRole("button", { name: "Restore Comes back" }).click();
	await expect(page.getByText(/^Restored .*Comes back/)).toBeVisible();
	await expect(row).toHaveCount(0);
	await page.goto("/recordings");
	await expect(cardOf(page, "Comes back")).toBeVisible();
});

inExplore(test)(
	"Restore all brings back what the list of the trash shows, after it was confirmed",
	async ({ page, tapedeck }) => {
		for (const name of ["All of it 1", "All of it 2"]) {
			const { id } = await addRecording(tapedeck, name, video);
			await tapedeck.api.call("DELETE", `/v1/recordings/${id}`);
		}
		await page.goto("/recordings/trash");
		const rows = page
			.getByRole("list", { name: "Deleted recordings" })
			.getByRole("listitem")
			.filter({ hasText: "All of it" });
		await expect(rows).toHaveCount(2);
		await page.getByRole("combobox", { name: "Why deleted" }).selectOption("By retention");
		await expect(rows).toHaveCount(0);
		await page.getByRole("combobox", { name: "Why deleted" }).selectOption("By a person or a script");
		await expect(rows).toHaveCount(2);
		await page.getByRole("button", { name: "Restore all…" }).click();
		const dialog = page.getByRole("dialog", { name: "Restore all?" });
		expect(await violationsOf(page)).toEqual([]);
		await dialog.getByRole("button", { name: "Restore all" }).click();
		await expect(page.getByText(/^Restored \d+ recordings\. Retention keeps them for 7 days\./)).toBeVisible();
		await expect(rows).toHaveCount(0);
		await page.goto("/recordings");
		await expect(cardOf(page, "All of it 2")).toBeVisible();
	},
);

inExplore(test)("a permanent deletion asks first, and can't be undone", async ({ page, tapedeck }) => {
	const { id } = await addRecording(tapedeck, "Secret", video);
	await tapedeck.api.call("DELETE", `/v1/recordings/${id}`);
	await page.goto("/recordings/trash");
	await page.getByRole("button", { name: "Delete for good: Secret" }).click();
	await page.getByRole("dialog", { name: "Delete for good?" }).getByRole("button", { name: "Delete for good" }).click();
	await expect(page.getByText(/^Removed .*Secret.* for good\.$/)).toBeVisible();
	await page.goto(`/recordings/${id}`);
	await expect(page.getByText("Its video is gone.")).toBeVisible();
	await expect(page.getByRole("button", { name: "Restore Secret" })).toHaveCount(0);
});
