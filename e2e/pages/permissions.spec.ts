/** Actions that the user may not do are not offered: no button, field or menu entry that the server would refuse. */
import type { Page } from "playwright/test";
import { recordShortly } from "#test/jobs.ts";
import { actionsButton } from "#test/pages/jobs-page.ts";
import { withRole } from "#test/pages/people.ts";
import { expect, test } from "#test/tapedeck.ts";

const CHANGES = /new job|\bcancel\b|run again|delete|\bupload\b|share|marker|\bpin\b|^select/i;
const ADMINISTERS =
	/add runner|\bremove\b|revoke|\binvite\b|rotate|\bcreate\b|save retention|rename organization|^role|reset/i;
/** Harmless although it sounds otherwise. */
const ALLOWED = /save frame/i;

/** The names of everything that can be pressed, chosen or typed into. */
async function offered(page: Page): Promise<string[]> {
	const names: string[] = [];
	for (const role of ["button", "menuitem", "checkbox", "textbox", "spinbutton", "combobox"] as const) {
		// In a single evaluation: a live list may change between two, and have fewer rows than were counted.
		const all = page.getByRole(role);
		names.push(...(await all.evaluateAll((found) => found.map((one) => one.ariaLabel ?? one.textContent ?? ""))));
	}
	return names;
}

test("viewers and members see no action that the server would refuse", async ({ page, tapedeck }) => {
	const name = "Looked at by others";
	const job = await recordShortly(tapedeck, name);
	const open = async (path: string, menu?: string) => {
		await page.goto(path);
		await page.getByRole("heading").first().waitFor();
		await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
		if (menu === undefined) return;
		await page.getByRole("button", { name: menu }).first().click();
		await page.getByRole("menu").waitFor();
	};
	const looks: (() => Promise<void>)[] = [
		() => open("/jobs", `Actions for ${name}`),
		async () => {
			await open(`/jobs/${job.id}`);
			await page.getByRole("region", { name: "Player controls" }).waitFor();
		},
		() => open("/recordings"),
		() => open(`/recordings/${job.recording?.id}`, "More"),
		() => open("/runners", `Actions for ${tapedeck.runnerName}`),
		() => open("/settings"),
		() => open("/settings/members"),
	];
	const found: string[] = [];
	for (const [role, refused] of [
		["viewer", [CHANGES, ADMINISTERS]],
		["member", [ADMINISTERS]],
	] as const) {
		await withRole(page, tapedeck, role, async () => {
			for (const look of looks) {
				await look();
				for (const one of await offered(page)) {
					if (refused.some((words) => words.test(one)) && !ALLOWED.test(one)) {
						found.push(`${role} at ${new URL(page.url()).pathname}: ${one}`);
					}
				}
			}
			await page.goto("/jobs");
			await actionsButton(page, name).waitFor();
			await page.keyboard.press("Control+k");
			await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("runner");
			await expect(page.getByRole("option", { name: "Go to runners" })).toBeVisible();
			if ((await page.getByRole("option", { name: "Add runner" }).count()) > 0) found.push(`${role}: Add runner`);
		});
	}
	expect(found).toEqual([]);
});

test("retention is read-only without the permission to change it, and a form with it", async ({ page, tapedeck }) => {
	const retention = page.getByRole("region", { name: "Retention" });
	for (const role of ["viewer", "member"] as const) {
		await withRole(page, tapedeck, role, async () => {
			await page.goto("/settings");
			await expect(retention.getByRole("definition").first()).toHaveText("30");
			await expect(retention.getByRole("definition").last()).toHaveText("No limit");
			await expect(retention.getByRole("spinbutton")).toHaveCount(0);
			// The plot has this one.
			await expect(retention.getByRole("button")).toHaveText(["Table"]);
		});
	}
	await page.goto("/settings");
	await expect(retention.getByLabel("Keep for (days)")).toHaveValue("30");
	await expect(retention.getByRole("button", { name: "Save retention" })).toBeVisible();
});
