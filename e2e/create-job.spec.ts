/** The create form: its fields follow the stop condition, and its errors stand beside their fields. */
import { openForm } from "./fixtures/jobs-page.ts";
import { expect, test } from "./fixtures/tapedeck.ts";

const labels = {
	duration: ["Duration (seconds)"],
	interrupt: [],
	selenium_idle: ["Grid URL", "Grid username", "Grid password", "Wait for first session (seconds)"],
} as const;

test("each stop condition shows its own fields and no others, and shared fields survive the switch", async ({
	page,
}) => {
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { Name: "Kept while switching" });
	for (const chosen of ["selenium_idle", "interrupt", "duration"] as const) {
		await form.getByLabel("Stop condition").selectOption(chosen);
		for (const [condition, fields] of Object.entries(labels)) {
			for (const label of fields) {
				await expect(form.getByLabel(label, { exact: true })).toHaveCount(condition === chosen ? 1 : 0);
			}
		}
		await expect(form.getByLabel("Name", { exact: true })).toHaveValue("Kept while switching");
	}
});

test("faults are told beside their fields, and nothing is sent", async ({ page, tapedeck }) => {
	const before = await tapedeck.api.call<{ data: unknown[] }>("GET", "/v1/jobs");
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { "Duration (seconds)": "0", Display: "99" });
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Duration (seconds)")).toHaveAccessibleDescription(/at least 1/);
	await expect(form.getByLabel("Display")).toHaveAccessibleDescription(/colon and a number/);
	await form.getByLabel("Stop condition").selectOption("selenium_idle");
	await form.getByLabel("Grid URL").fill("ftp://grid");
	await form.getByLabel("Grid password").fill("secret");
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Grid URL")).toHaveAccessibleDescription(/http:\/\//);
	await expect(form.getByLabel("Grid username")).toHaveAccessibleDescription(/needs its user name/);
	const after = await tapedeck.api.call<{ data: unknown[] }>("GET", "/v1/jobs");
	expect(after.data).toHaveLength(before.data.length);
});

test("the equivalent curl is shown and follows the form", async ({ page }) => {
	await page.goto("/jobs");
	const form = await openForm(page, "duration", { Name: "By curl", "Duration (seconds)": "12" });
	const curl = form.getByRole("region", { name: "The same with curl" });
	await expect(curl).toContainText("/v1/jobs");
	await expect(curl).toContainText(/"durationSeconds": ?12/);
	await form.getByLabel("Stop condition").selectOption("interrupt");
	await expect(curl).not.toContainText("durationSeconds");
});

test("what only the server can know is told beside its field too", async ({ page }) => {
	await page.goto("/jobs");
	const form = await openForm(page, "interrupt", { Name: "For a runner that is gone" });
	// As if the runner had been removed since the form was opened.
	await page.route("**/v1/jobs", async (route) => {
		if (route.request().method() !== "POST") return route.fallback();
		await route.continue({ postData: { ...route.request().postDataJSON(), runnerId: 999_999 } });
	});
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByLabel("Runner")).toHaveAccessibleDescription(/runner/i);
	await expect(form.getByLabel("Runner")).toHaveAttribute("aria-invalid", "true");
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("For a runner that is gone");
});
