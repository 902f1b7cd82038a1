/** Files that are no videos, from their upload to their viewer; and the jobs that make them. */

import { readFile } from "node:fs/promises";
import type { Recording } from "@tapedeck/contract/recording.ts";
import { inExplore } from "#test/in-explore.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { openForm } from "#test/pages/jobs-page.ts";
import { cards, chooseFiles, confirmUpload, tray } from "#test/pages/recordings-page.ts";
import { expect, test } from "#test/tapedeck.ts";

const HTML = "<script>document.title = 'run'</script><h1>Not a page</h1>";
const PDF = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF";

test("files of every kind are uploaded in the browser, found by kind, read in the table, shown, renamed and saved", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/recordings");
	const png = await page.screenshot();
	await chooseFiles(page, [
		{ name: "Files home.png", mimeType: "image/png", buffer: png },
		{ name: "Files notes.md", mimeType: "text/markdown", buffer: Buffer.from(`# Notes\n${HTML}`) },
		{ name: "Files report.html", mimeType: "text/html", buffer: Buffer.from(HTML) },
		{ name: "Files manual.pdf", mimeType: "application/pdf", buffer: Buffer.from(PDF) },
		{ name: "Files core.dump", mimeType: "", buffer: Buffer.alloc(2_000) },
	]);
	await expect(page.getByRole("dialog", { name: "Upload 5 files" })).toContainText("kind=image");
	await confirmUpload(page);
	await expect(tray(page).getByText("Uploaded")).toHaveCount(5);
	await tray(page).getByRole("button", { name: "Clear finished" }).click();

	await page.goto("/recordings?q=Files");
	await expect(cards(page)).toHaveCount(5);
	await page.getByLabel("Filter by kind").selectOption("Documents");
	await expect(cards(page)).toHaveCount(3);
	await page.getByLabel("Filter by kind").selectOption("Images");
	await expect(page).toHaveURL(/kind=image/);
	await expect(cards(page)).toHaveCount(1);
	await page.getByLabel("Filter by kind").selectOption("All kinds");

	await page.getByRole("button", { name: "Table" }).click();
	const table = page.getByRole("table", { name: "Recordings" });
	await expect(table.getByRole("columnheader")).toContainText(["", "Name", "State", "Kind"]);
	await table.getByRole("button", { name: "Size" }).click();
	const names = table.locator("a[data-recording]");
	await expect(names.first()).toHaveText("Files home");
	await expect(table.getByRole("row", { name: /Files core.dump/ })).toContainText("2.0 kB");
	expect(await violationsOf(page)).toEqual([]);
	await page.reload();
	await expect(names).toHaveCount(5);
	// The keys of the cards move between rows, too.
	await page.keyboard.press("j");
	await expect(names.first()).toBeFocused();
	await page.keyboard.press("x");
	await expect(page.getByRole("region", { name: "Selected recordings" })).toContainText("1 selected");
	await page.keyboard.press("x");

	await names.first().click();
	const image = page.getByRole("img", { name: "Files home" });
	await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1280);
	await page.getByRole("button", { name: "Rename" }).click();
	await page.getByRole("dialog", { name: "Rename file" }).getByLabel("Name").fill("Files start page");
	await page.getByRole("button", { name: "Rename", exact: true }).last().click();
	await expect(page.getByRole("heading", { name: "Files start page" })).toBeVisible();
	expect(await violationsOf(page)).toEqual([]);
	const download = page.waitForEvent("download");
	await page.getByRole("link", { name: "Download" }).click();
	const saved = await download;
	expect(saved.suggestedFilename()).toBe("Files start page.png");
	expect((await readFile(await saved.path())).equals(png)).toBe(true);

	const open = async (name: string) => {
		await page.goto("/recordings?q=Files");
		await names.filter({ hasText: name }).click();
		await expect(page.getByRole("heading", { name })).toBeVisible();
	};
	await open("Files notes.md");
	await expect(page.getByText("<h1>Not a page</h1>")).toBeVisible();
	await expect(page).toHaveTitle(/Files notes/);
	// Files that browsers would run are only saved.
	await open("Files report.html");
	await expect(page.getByText("text/html")).toBeVisible();
	await expect(page.getByRole("heading", { name: "Not a page" })).toHaveCount(0);
	// This browser has no viewer for PDFs.
	await open("Files manual.pdf");
	await expect(page.getByText("application/pdf")).toBeVisible();
	const kinds = "kind=image&kind=document&kind=other";
	const { data } = await tapedeck.api.call<{ data: Recording[] }>("GET", `/v1/recordings?q=Files&${kinds}`);
	for (const { id } of data) await tapedeck.api.call("DELETE", `/v1/recordings/${id}`);
});

inExplore(test)(
	"an empty file and one that is only named like a video are refused before anything is sent",
	async ({ page }) => {
		await page.goto("/recordings");
		await chooseFiles(page, [
			{ name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) },
			{ name: "named.mp4", mimeType: "video/mp4", buffer: Buffer.from("only words") },
		]);
		await expect(page.getByText("“empty.txt” is empty. Nothing was uploaded.")).toBeVisible();
		await expect(page.getByText("“named.mp4” isn't an MP4 or WebM video. Nothing was uploaded.")).toBeVisible();
		await expect(tray(page)).toBeHidden();
	},
);

test("New job takes a screenshot, whose image opens, and asks for a file of the runner", async ({ page }) => {
	await page.goto("/jobs");
	const form = await openForm(page, "interrupt", { Name: "Shot by form" });
	await form.getByLabel("Type").selectOption("Screenshot");
	await expect(form.getByLabel("Stop condition")).toHaveCount(0);
	await expect(form.getByRole("region", { name: "Equivalent curl command" })).toContainText('"type":"screenshot"');
	await form.getByLabel("Region").fill("everything");
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Region")).toHaveAccessibleDescription(/800x600/);
	await form.getByLabel("Region").fill("100x50+10+10");
	expect(await violationsOf(page)).toEqual([]);
	await form.getByRole("button", { name: "Create job" }).click();
	const drawer = page.getByRole("dialog", { name: "Shot by form" });
	const image = drawer.getByRole("img", { name: "Shot by form" });
	await expect.poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(100);

	await page.goto("/jobs");
	const other = await openForm(page, "interrupt", { Name: "File by form" });
	await other.getByLabel("Type").selectOption("File upload");
	await expect(other.getByLabel("Display")).toHaveCount(0);
	await other.getByRole("button", { name: "Create job" }).click();
	await expect(other.getByLabel("Path")).toHaveAccessibleDescription("Enter the file's path on the runner.");
	await other.getByLabel("Path").fill("reports/run.pdf");
	await other.getByRole("button", { name: "Create job" }).click();
	// This runner names no folder.
	await expect(page.getByRole("dialog", { name: "File by form" })).toContainText("Set its TAPEDECK_UPLOAD_DIR");
});
