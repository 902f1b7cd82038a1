/** The create form: its fields depend on the stop condition, and errors appear next to their fields. */
import { inExplore } from "#test/in-explore.ts";
import { createInterruptJob, NO_DISPLAY } from "#test/jobs.ts";
import { violationsOf } from "#test/pages/axe.ts";
import { openForm } from "#test/pages/jobs-page.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, test } from "#test/tapedeck.ts";

const GRID = ["Grid URL", "Grid username", "Grid password", "Grid node", "Wait for first session (seconds)"];
const labels = {
	duration: ["Duration (seconds)"],
	interrupt: [],
	selenium_idle: GRID,
	selenium_session: [...GRID, "Session ID"],
} as const;

test("each stop condition shows its own fields and no others, and shared fields survive the switch", async ({
	page,
}) => {
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { Name: "Kept while switching" });
	for (const chosen of ["selenium_idle", "selenium_session", "interrupt", "duration"] as const) {
		await form.getByLabel("Stop condition").selectOption(chosen);
		for (const label of new Set(Object.values(labels).flat())) {
			const isShown = (labels[chosen] as readonly string[]).includes(label);
			await expect(form.getByLabel(label, { exact: true })).toHaveCount(isShown ? 1 : 0);
		}
		await expect(form.getByLabel("Name", { exact: true })).toHaveValue("Kept while switching");
	}
});

test("errors show beside their fields, and nothing is sent", async ({ page, tapedeck }) => {
	const before = await tapedeck.api.call<{ data: unknown[] }>("GET", "/v1/jobs");
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { "Duration (seconds)": "0", Display: "99" });
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Duration (seconds)")).toHaveAccessibleDescription("Enter 1 or more.");
	await expect(form.getByLabel("Display")).toBeFocused();
	await expect(form.getByLabel("Display")).toHaveAccessibleDescription("Enter a colon and a number, e.g. :99");
	await form.getByLabel("Stop condition").selectOption("selenium_idle");
	await form.getByLabel("Grid URL").fill("ftp://grid");
	await form.getByLabel("Grid password").fill("secret");
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Grid URL")).toHaveAccessibleDescription(/http:\/\//);
	await expect(form.getByLabel("Grid username")).toHaveAccessibleDescription("Enter the username for this password.");
	const after = await tapedeck.api.call<{ data: unknown[] }>("GET", "/v1/jobs");
	expect(after.data).toHaveLength(before.data.length);
});

test("the equivalent curl is shown and follows the form", async ({ page }) => {
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { Name: "By curl", "Duration (seconds)": "12" });
	const curl = form.getByRole("region", { name: "Equivalent curl command" });
	await expect(curl).toContainText("/v1/jobs");
	await expect(curl).toContainText(/"durationSeconds": ?12/);
	await form.getByLabel("Stop condition").selectOption("interrupt");
	await expect(curl).not.toContainText("durationSeconds");
});

inExplore(test)("an error that only the server can find shows beside its field too", async ({ page }) => {
	await page.goto("/jobs");
	const form = await openForm(page, "interrupt", { Name: "For a runner that is gone" });
	// Simulates that the runner was removed since the form was opened.
	await page.route("**/v1/jobs", async (route) => {
		if (route.request().method() !== "POST") return route.fallback();
		await route.continue({ postData: { ...route.request().postDataJSON(), runnerId: 999_999 } });
	});
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Runner")).toHaveAccessibleDescription("This runner was removed. Choose another one.");
	await expect(form.getByLabel("Runner")).toHaveAttribute("aria-invalid", "true");
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("For a runner that is gone");
});

inExplore(test)(
	"a fault in a field that the form does not show appears above the fields",
	async ({ page, tapedeck }) => {
		const job = await createInterruptJob(tapedeck, "For the only runner there was", NO_DISPLAY);
		await tapedeck.api.cancelJob(job.id);
		// Simulates that the job's only runner was removed: there is nothing to choose from, so the form has no field for it.
		await page.route(/\/v1\/runners(\?|$)/, (route) => route.fulfill({ json: { data: [], nextCursor: null } }));
		await page.route("**/v1/jobs", async (route) => {
			if (route.request().method() !== "POST") return route.fallback();
			await route.continue({ postData: { ...route.request().postDataJSON(), runnerId: 999_999 } });
		});
		await page.goto(`/jobs?new=1&like=${job.id}`);
		const form = page.getByRole("dialog", { name: "New job" });
		await expect(form.getByLabel("Name", { exact: true })).toHaveValue(job.name);
		await expect(form.getByLabel("Runner")).toHaveCount(0);
		await form.getByRole("button", { name: "Create job" }).click();
		await expect(form.getByRole("alert")).toContainText("Add a runner");
	},
);

inExplore(test)(
	"an address with both a job and the form opens the form alone, which screen readers can read",
	async ({ page, tapedeck }) => {
		const job = await createInterruptJob(tapedeck, "Behind the form", NO_DISPLAY);
		await tapedeck.api.cancelJob(job.id);
		// The drawer is in the browser's cache from here on, and opens as fast as the form.
		await page.goto(`/jobs/${job.id}`);
		await expect(page.getByRole("dialog", { name: job.name })).toBeVisible();
		await page.goto(`/jobs/${job.id}?new=1&like=${job.id}`);
		const form = page.getByRole("dialog", { name: "New job" });
		await expect(form.getByLabel("Name", { exact: true })).toHaveValue(job.name);
		await expect(page.getByRole("dialog")).toHaveCount(1);
		await page.keyboard.press("Escape");
		await expect(page).toHaveURL(/\/jobs$/);
	},
);

test("typed text survives Escape and a reload, except the password, until Start over", async ({ page }) => {
	await page.goto("/jobs?new=1");
	const form = page.getByRole("dialog", { name: "New job" });
	await form.getByLabel("Stop condition").selectOption("selenium_idle");
	await form.getByLabel("Name", { exact: true }).fill("Half typed");
	await form.getByLabel("Grid URL").fill("http://grid:4444");
	await form.getByLabel("Grid username").fill("ada");
	await form.getByLabel("Grid password").fill("hunter2");
	await page.keyboard.press("Escape");
	await expect(form).toBeHidden();
	await expect(page).toHaveURL(/\/jobs$/);
	await page.keyboard.press("n");
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("Half typed");
	await expect(form.getByLabel("Grid password")).toHaveValue("hunter2");
	const stored = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
	expect(await stored()).not.toContain("hunter2");

	await page.reload();
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("Half typed");
	await expect(form.getByLabel("Grid username")).toHaveValue("ada");
	await expect(form.getByLabel("Grid password")).toHaveValue("");
	await form.getByRole("button", { name: "Start over" }).click();
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("");
	await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
	await page.goBack();
	await expect(form).toBeHidden();
	expect(await stored()).not.toContain("Half typed");
});

test("submitting twice, and again after a lost answer and a reload, creates one job, and its choices are remembered", async ({
	page,
	tapedeck,
}) => {
	const name = "Created once";
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { Name: name });
	await expect(form.getByLabel("Runner").locator("option:checked")).toHaveText(`${tapedeck.runnerName} · online`);
	await form.getByLabel("Display").fill(":9");
	await expect(form.getByLabel("Display")).toHaveAccessibleDescription(/Not available on this runner/);
	await form.getByRole("button", { name: `${tapedeck.displayId} 1280 × 720` }).click();
	await expect(form.getByLabel("Display")).toHaveValue(tapedeck.displayId);
	await form.getByRole("button", { name: "1 min", exact: true }).click();
	await expect(form.getByLabel("Duration (seconds)")).toHaveValue("60");

	const keys: (string | undefined)[] = [];
	await page.route("**/v1/jobs", async (route) => {
		if (route.request().method() !== "POST") return route.fallback();
		keys.push(route.request().headers()["idempotency-key"]);
		if (keys.length > 1) return route.continue();
		// It is created, but the answer never comes.
		await route.fetch();
		await route.abort();
	});
	await form.getByRole("button", { name: "Create job" }).dblclick();
	await expect(form.getByRole("alert")).toContainText("Can't reach Tapedeck");
	expect(keys).toHaveLength(1);
	await page.reload();
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue(name);
	await form.getByLabel("Name", { exact: true }).press("Enter");
	await expect(form).toBeHidden();
	expect(keys).toHaveLength(2);
	expect(keys[1]).toBe(keys[0]);
	const { data } = await tapedeck.api.call<{ data: { id: number }[] }>("GET", "/v1/jobs?q=Created%20once");
	expect(data).toHaveLength(1);
	await tapedeck.api.cancelJob(data[0]?.id ?? 0);
	await expect(page.getByRole("dialog", { name })).toBeVisible();
	await page.keyboard.press("Escape");

	await page.getByRole("button", { name: "New job" }).click();
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("");
	await expect(form.getByLabel("Duration (seconds)")).toHaveValue("60");
	await expect(form.getByRole("button", { name: "Start over" })).toHaveCount(0);
});

test("a job can begin earlier on a runner with a buffer, and what nobody can record is said at its field", async ({
	page,
	tapedeck,
}) => {
	const buffered = await scriptRunner(tapedeck, "one that keeps the past", undefined, 120);
	await page.goto("/runners");
	const card = page.getByRole("listitem", { name: "one that keeps the past" });
	await expect(card).toContainText("Buffer 2 min");
	await expect(page.getByRole("listitem", { name: tapedeck.runnerName })).not.toContainText("Buffer");
	await page.goto("/jobs?new=1");
	const form = page.getByRole("dialog", { name: "New job" });
	const runner = form.getByLabel("Runner");
	const earlier = form.getByLabel("Begin earlier (seconds)");
	await runner.selectOption({ label: `${tapedeck.runnerName} · online` });
	await form.getByLabel("Name", { exact: true }).fill("What led to it");
	await expect(earlier).toHaveCount(0);
	await runner.selectOption({ label: "one that keeps the past · online" });
	await expect(earlier).toHaveAccessibleDescription(/Maximum 2 min/);
	await earlier.fill("4000");
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(earlier).toBeFocused();
	await expect(earlier).toHaveAccessibleDescription("Enter 3600 or less (1 hour).");
	await earlier.fill("45");
	await expect(form.getByRole("region", { name: "Equivalent curl command" })).toContainText(/"preSeconds": ?45/);
	// The field stays visible while it has a value that would be sent, so that the user can remove it.
	await runner.selectOption({ label: `${tapedeck.runnerName} · online` });
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(earlier).toHaveAccessibleDescription(/^This runner has no buffer\./);
	await expect(earlier).toHaveAttribute("aria-invalid", "true");
	await expect(earlier).toBeFocused();
	await earlier.fill("");
	await expect(earlier).toBeFocused();
	await form.getByLabel("Name", { exact: true }).focus();
	await expect(earlier).toHaveCount(0);
	await runner.selectOption({ label: "one that keeps the past · online" });
	await earlier.fill("45");
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(page.getByRole("dialog", { name: "What led to it" })).toContainText("45 s before the job");
	const id = Number(/\d+/.exec(new URL(page.url()).pathname)?.[0]);
	expect(await tapedeck.api.readJob(id)).toMatchObject({ preSeconds: 45, runnerId: buffered.runnerId });
	await tapedeck.api.cancelJob(id);
	await page.keyboard.press("Escape");
	await page.getByRole("button", { name: "New job" }).click();
	await runner.selectOption({ label: "one that keeps the past · online" });
	// The value is not kept for the next job.
	await expect(earlier).toHaveValue("");
	await buffered.stop();
});

test("any runner can be asked for by its labels, and labels that no runner has are said at their field", async ({
	page,
	tapedeck,
}) => {
	await page.goto("/jobs");
	const form = await openForm(page, "interrupt", { Name: "Of any runner" });
	await form.getByLabel("Runner", { exact: true }).selectOption("Any runner with these labels");
	const [labels, display] = [form.getByLabel("Runner labels"), form.getByLabel("Display")];
	await expect(display).toHaveValue("");
	await expect(display).toHaveAccessibleDescription("Leave blank for any display that is free.");
	await labels.fill("pool=nowhere");
	await expect(labels).toHaveAccessibleDescription(/^0 of \d+ runners? have them\.$/);
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(labels).toHaveAccessibleDescription(/^No runner has these labels/);
	await expect(labels).toBeFocused();
	await labels.fill("");
	await display.fill(tapedeck.displayId);
	const answered = page.waitForResponse((answer) => answer.request().method() === "POST" && answer.ok());
	await form.getByRole("button", { name: "Create job" }).click();
	const job = await (await answered).json();
	expect(job.selector).toEqual({ labels: {}, display: tapedeck.displayId });
	await tapedeck.api.cancelJob(job.id);
});

inExplore(test)("with several runners, one has to be chosen, and no other error shows", async ({ page, tapedeck }) => {
	const second = await scriptRunner(tapedeck, "one of several to choose");
	await page.goto("/jobs");
	await page.getByRole("button", { name: "New job" }).click();
	const form = page.getByRole("dialog", { name: "New job" });
	await expect(form.getByRole("option", { name: /one of several to choose/ })).toBeAttached();
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByText("Choose a runner.")).toBeVisible();
	await expect(form.getByText("Add a runner")).toHaveCount(0);
	await second.stop();
});

test("Ctrl+Enter creates the job from any field, and its drawer opens in place of the form", async ({
	page,
	tapedeck,
}) => {
	const name = "Created by keys";
	await page.goto("/jobs?q=Created");
	const form = await openForm(page, "duration", { Name: name, "Duration (seconds)": "1" });
	await form.getByLabel("Stop condition").press("Control+Enter");
	const drawer = page.getByRole("dialog", { name });
	await expect(drawer).toBeVisible();
	await expect(form).toBeHidden();
	await expect(drawer).toBeFocused();
	await expect(page).toHaveURL(/\/jobs\/\d+\?q=Created$/);
	await tapedeck.api.waitFor(Number(/\d+/.exec(new URL(page.url()).pathname)?.[0]), "playable");
	await page.keyboard.press("Escape");
	await expect(drawer).toBeHidden();
	await expect(page).toHaveURL(/\/jobs\?q=Created$/);
	await expect(page.getByRole("button", { name: "New job", exact: true })).toBeFocused();
	// The form has left nothing behind in the history.
	await page.goBack();
	await expect(form).toBeHidden();
});

test("a job that repeats is created, listed with its next start, paused, resumed and deleted", async ({ page }) => {
	await page.goto("/jobs");
	const form = await openForm(page, "interrupt", { Name: "Again", Display: NO_DISPLAY });
	const every = form.getByLabel("Repeat every … seconds");
	await every.fill("9");
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(every).toHaveAccessibleDescription(/Enter 10 or more\./);
	await every.fill("3600");
	const curl = form.getByRole("region", { name: "Equivalent curl command" });
	await expect(curl).toContainText("/v1/schedules");
	await form.getByRole("button", { name: "Create job" }).click();
	const job = page.getByRole("dialog", { name: "Again" });
	await job.getByRole("button", { name: "Cancel job" }).click();

	await page.goto("/settings/schedules");
	const row = page.getByRole("list", { name: "Schedules" }).getByRole("listitem");
	await expect(row).toContainText(`every 3600 s on ${NO_DISPLAY} · next start`);
	await expect(row.getByRole("link", { name: "cancelled" })).toHaveAttribute("href", /\/jobs\/\d+$/);
	expect(await violationsOf(page)).toEqual([]);
	await page.getByRole("button", { name: "Pause Again" }).click();
	await expect(row).toContainText("Paused.");
	await page.getByRole("button", { name: "Resume Again" }).click();
	await expect(row).toContainText("next start");
	await page.getByRole("button", { name: "Delete Again" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
	await expect(page.getByText("None yet.")).toBeVisible();
});
