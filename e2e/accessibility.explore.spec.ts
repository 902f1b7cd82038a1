/**
 * Every page, drawer, menu, dialog and empty state through axe: WCAG 2.2 AA and axe's best practices, in light and
 * dark, on a phone and on a desk. A new state is a line below.
 */
import type { Page } from "playwright/test";
import { recordShortly } from "#test/jobs.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { openDrawer } from "#test/pages/jobs-page.ts";
import { newBrowser } from "#test/pages/people.ts";
import { chooseFiles } from "#test/pages/recordings-page.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, signedOut, test } from "#test/tapedeck.ts";

const WIDTHS = [1440, 390];

interface Scene {
	name: string;
	recording: number;
}

/** The states to check, each with the steps that lead there and wait for its content. */
const STATES: Record<string, (page: Page, scene: Scene) => Promise<void>> = {
	home: (page) => at(page, "/", "axe build 1"),
	jobs: (page, { name }) => at(page, "/jobs", name),
	"jobs that no filter lets through": (page) => at(page, "/jobs?q=nothing-is-called-so", "match these filters"),
	"menu of a job": async (page, { name }) => {
		await at(page, "/jobs", name);
		await page.getByRole("button", { name: `Actions for ${name}` }).click();
		await page.getByRole("menuitem", { name: "View details" }).waitFor();
	},
	"drawer of a job": async (page, { name }) => {
		await at(page, "/jobs", name);
		await openDrawer(page, name);
		await page.getByRole("dialog").getByRole("slider").first().waitFor();
	},
	"form of a new job": async (page, { name }) => {
		await at(page, "/jobs", name);
		await page.getByRole("button", { name: "New job" }).click();
		await page.getByRole("button", { name: "Create job" }).waitFor();
	},
	recordings: (page, { name }) => at(page, "/recordings", name),
	"dialog of an upload": async (page, { name }) => {
		await at(page, "/recordings", name);
		const buffer = Buffer.from("\0\0\0\x18ftypmp42 for the dialog only");
		await chooseFiles(page, [{ name: "Upload.mp4", mimeType: "video/mp4", buffer }]);
		await page.getByRole("dialog").getByLabel("Labels").waitFor();
	},
	"recordings while a search loads": async (page, { name }) => {
		await at(page, "/recordings", name);
		await searchWithoutAnswer(page, "Search recordings");
	},
	"jobs while a search loads": async (page, { name }) => {
		await at(page, "/jobs", name);
		await searchWithoutAnswer(page, "Search jobs");
	},
	"recordings that no search finds": (page) => at(page, "/recordings?q=nothing-is-called-so", "match these filters"),
	recording: async (page, { name, recording }) => {
		await at(page, `/recordings/${recording}`, name);
		await page.getByRole("slider").first().waitFor();
		await page.getByRole("region", { name: "Events" }).getByRole("button").first().waitFor();
	},
	"recording that is not there": (page) => at(page, "/recordings/999999999", "Recording not found"),
	runners: (page) => at(page, "/runners", "test-runner"),
	"dialog for a new runner": async (page) => {
		await at(page, "/runners", "test-runner");
		await page.getByRole("button", { name: "Add runner" }).click();
		await page.getByRole("dialog").waitFor();
	},
	settings: (page) => at(page, "/settings", "Next to be deleted"),
	"storage as a table": async (page) => {
		await at(page, "/settings", "Next to be deleted");
		await page.getByRole("figure").getByRole("button", { name: "Table" }).click();
	},
	builds: (page) => at(page, "/builds", "axe build"),
	"builds by branch": (page) => at(page, "/builds?by=branch", "axe/branch"),
	build: (page) => at(page, "/builds/axe%20build%201", "pays for it"),
	"build by cause": (page) => at(page, "/builds/axe%20build%201?show=tests&group=cause", "expected 3, got 4"),
	tests: (page) => at(page, "/tests", "pays for it"),
	"flaky tests": (page) => at(page, "/tests?show=flaky", "pays for it"),
	failures: (page) => at(page, "/failures?since=week", "expected 3, got 4"),
	coverage: (page) => at(page, "/coverage"),
	documentation: (page) => at(page, "/docs"),
	"page that is not there": (page) => at(page, "/no-such-page"),
	"menu of the account": async (page, { name }) => {
		await at(page, "/jobs", name);
		await page.getByRole("button", { name: "Your account" }).locator("visible=true").click();
		await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
	},
	"list of keys": async (page, { name }) => {
		await at(page, "/jobs", name);
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
	},
	"command palette": async (page, { name }) => {
		await at(page, "/jobs", name);
		await page.keyboard.press("Control+k");
		await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("axe");
		await page.getByRole("option").first().waitFor();
	},
	"command palette that finds nothing": async (page, { name }) => {
		await at(page, "/jobs", name);
		await page.keyboard.press("Control+k");
		await page.getByRole("dialog", { name: "Command palette" }).getByRole("combobox").fill("nothing-is-called-so");
		await page.getByText("No results for").waitFor();
	},
};

/** Searches and delays the response: the previous content is shown in the meantime. */
async function searchWithoutAnswer(page: Page, box: string): Promise<void> {
	const word = `unanswered-${box.length}`;
	await page.route(
		(url) => url.pathname.startsWith("/v1/") && url.searchParams.get("q") === word,
		() => undefined,
	);
	await page.getByRole("searchbox", { name: box }).fill(word);
	await expect(page.locator("[aria-busy=true]")).toHaveCount(1);
}

/** Opens an address and waits until its data is loaded. */
async function at(page: Page, address: string, words?: string): Promise<void> {
	await page.goto(address);
	await page.getByRole("heading").first().waitFor();
	await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
	if (words !== undefined) await page.getByText(words).locator("visible=true").first().waitFor();
}

/** Checks the page in light and dark. @returns the violations, with their place. */
async function look(page: Page, where: string): Promise<string[]> {
	const found: string[] = [];
	for (const colorScheme of ["light", "dark"] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		for (const line of await violationsOf(page, { onlyColors: colorScheme === "dark" }))
			found.push(`${where}, ${colorScheme}: ${line}`);
	}
	return found;
}

for (const width of WIDTHS) {
	test(`axe finds no violations at ${width} pixels`, async ({ page, tapedeck }) => {
		test.setTimeout(300_000);
		await page.setViewportSize({ width, height: 900 });
		const name = `Looked at by axe at ${width}`;
		const job = await recordShortly(tapedeck, name);
		const scene = { name, recording: job.recording?.id ?? 0 };
		const labels = { build: "axe build 1", branch: "axe/branch", commit: "c".repeat(40) };
		const run = await tapedeck.api.call<{ id: number }>("POST", "/v1/test-runs", { name: "Headless", labels });
		await tapedeck.api.call("POST", `/v1/test-runs/${run.id}/tests`, [
			{ key: "1", test: "pays for it", outcome: "failed", message: "expected 3, got 4" },
			{ key: "2", test: "pays for it", attempt: 2, outcome: "passed" },
			{ key: "3", test: "ships it", outcome: "failed", message: "expected 3, got 4" },
		]);
		const found: string[] = [];
		for (const [what, open] of Object.entries(STATES)) {
			await test.step(what, async () => {
				await open(page, scene);
				found.push(...(await look(page, what)));
			});
		}
		expect(found).toEqual([]);
	});
}

test.describe("before one is signed in", () => {
	test.use(signedOut);
	test("axe finds no violations on the sign-in page, also after a refused sign-in", async ({ page }) => {
		const found: string[] = [];
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 900 });
			await at(page, "/login");
			found.push(...(await look(page, `sign-in at ${width}`)));
			await page.getByLabel("Email").fill("nobody@example.com");
			await page.getByLabel("Password").fill("not the password");
			await page.getByRole("button", { name: "Sign in" }).click();
			await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
			found.push(...(await look(page, `refused sign-in at ${width}`)));
		}
		expect(found).toEqual([]);
	});

	test("axe finds no violations on the pages of invitations, resets and shared links, valid or not", async ({
		page,
		browser,
		ownerState,
		tapedeck,
	}) => {
		const owner = await browser.newContext({ storageState: ownerState, baseURL: tapedeck.url });
		const invited = await owner.request.post("/v1/invitations", {
			headers: { origin: tapedeck.url },
			data: { role: "viewer" },
		});
		const { id } = await tapedeck.api.createJob({
			runnerId: tapedeck.runnerId,
			displayId: tapedeck.displayId,
			name: "Shared and looked at by axe",
			stopCondition: "duration",
			stopConditionConfig: { durationSeconds: 1 },
		});
		const { recording } = await tapedeck.api.waitFor(id, "playable");
		const shared = await tapedeck.api.call<{ url: string }>("POST", `/v1/recordings/${recording?.id}/links`, {
			...{ expiresAt: null, at: 0.5, include: ["tests", "steps", "tracks"] },
		});
		await tapedeck.api.call("POST", `/v1/jobs/${id}/tests`, [
			{ key: "1", test: "Cart › pays", outcome: "failed", message: "19 is not 20", steps: [{ title: "pay" }] },
		]);
		const found: string[] = [];
		for (const [what, address] of [
			["invitation", (await invited.json()).url],
			["spent invitation", "/invite#not-a-token"],
			["reset of a password", "/reset-password#not-a-token"],
			["shared page", shared.url],
			["shared page that is not there", `/shared/${"0".repeat(32)}`],
		] as const) {
			for (const width of WIDTHS) {
				await page.setViewportSize({ width, height: 900 });
				// Two addresses that differ behind the # only are one page.
				await page.goto("about:blank");
				await at(page, address);
				found.push(...(await look(page, `${what} at ${width}`)));
			}
		}
		expect(found).toEqual([]);
		await owner.close();
	});

	test("axe finds no violations on the setup page, also after a refused setup", async ({ browser }) => {
		const empty = await startBrowserDashboard({ bootstrap: false });
		const page = await newBrowser(browser, empty.url);
		const found: string[] = [];
		for (const width of WIDTHS) {
			await page.setViewportSize({ width, height: 900 });
			await at(page, "/setup");
			found.push(...(await look(page, `setup at ${width}`)));
			await page.getByLabel("Password").fill("short");
			await page.getByRole("button", { name: "Set up" }).click();
			await page.getByText("at least 10 characters").first().waitFor();
			found.push(...(await look(page, `refused setup at ${width}`)));
		}
		expect(found).toEqual([]);
		await page.context().close();
		await empty.stop();
	});
});
