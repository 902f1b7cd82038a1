/** A dashboard with small limits: the messages when users reach them. */
import { randomBytes } from "node:crypto";
import { expect, type Page, test } from "playwright/test";
import { openForm } from "#test/pages/jobs-page.ts";
import { addRecording, cardOf, chooseFiles, tray } from "#test/pages/recordings-page.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { type Dashboard, startBrowserDashboard } from "#test/stack.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

let dashboard: Dashboard;
test.beforeAll(async () => {
	dashboard = await startBrowserDashboard({
		variables: {
			TAPEDECK_LIMIT_QUEUED_JOBS: "1",
			TAPEDECK_LIMIT_UPLOAD_MB: "4",
			TAPEDECK_LIMIT_ORGANIZATION_GB: "0.006",
		},
	});
});
test.afterAll(() => dashboard?.stop());

async function signIn(page: Page, next: string): Promise<void> {
	await page.goto(`${dashboard.url}/login?next=${next}`);
	await page.getByLabel("Email").fill(dashboard.email);
	await page.getByLabel("Password").fill(dashboard.password);
	await page.getByRole("button", { name: "Sign in" }).click();
}

test("a full queue is reported in the form, and nothing that was typed is lost", async ({ page }) => {
	const runner = await scriptRunner(dashboard, "crowded runner");
	await runner.stop();
	const body = {
		runnerId: runner.runnerId,
		displayId: ":77",
		name: "Waits alone",
		stopCondition: "interrupt",
	} as const;
	const { id } = await dashboard.api.createJob(body);
	await signIn(page, "/jobs");
	const form = await openForm(page, "duration", {
		Display: ":77",
		Name: "One too many",
		"Duration (seconds)": "12",
	});
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form.getByRole("alert")).toContainText("The queue for crowded runner is full (1 job). Wait until");
	await expect(form.getByLabel("Name", { exact: true })).toHaveValue("One too many");
	await expect(form.getByLabel("Duration (seconds)")).toHaveValue("12");
	await dashboard.api.cancelJob(id);
	await form.getByRole("button", { name: "Create job" }).click();
	await expect(form).toBeHidden();
	await expect(page.getByRole("dialog", { name: "One too many" })).toBeVisible();
	const { data } = await dashboard.api.call<{ data: { id: number }[] }>("GET", "/v1/jobs?status=queued");
	for (const waiting of data) await dashboard.api.cancelJob(waiting.id);
});

test("files above the size limit or the storage quota are refused before the upload, and a recording waits for storage", async ({
	page,
}) => {
	const sent: string[] = [];
	page.on("request", (request) => void (request.url().includes("/v1/uploads") && sent.push(request.method())));
	const file = async (name: string, bytes: number) => ({
		name,
		mimeType: "video/mp4",
		buffer: await makeExternalVideo({ seconds: 1, bytes }),
	});
	const { id: first } = await addRecording(
		dashboard,
		"Takes most of it",
		await makeExternalVideo({ bytes: 3_500_000 }),
	);
	await signIn(page, "/recordings");
	await expect(cardOf(page, "Takes most of it")).toBeVisible();
	await chooseFiles(page, [await file("Enormous.mp4", 5_000_000)]);
	await expect(page.getByText("“Enormous.mp4” is 5.0 MB. The maximum file size here is 4.0 MB.")).toBeVisible();
	await chooseFiles(page, [await file("Too much.mp4", 3_000_000)]);
	await expect(
		page.getByText("“Too much.mp4” is 3.0 MB, but your organization's storage quota has only 2.5 MB left."),
	).toBeVisible();
	await expect(tray(page)).toBeHidden();
	expect(sent).toEqual([]);

	const runner = await scriptRunner(dashboard, "runner that waits for the quota");
	const id = await runner.record("Waits for the organization");
	const bytes = randomBytes(4_000_000);
	expect(await runner.send(id, 0, bytes)).toBe(507);
	const banner = page.getByText("Your organization is out of storage, so uploads are paused.");
	await expect(banner).toBeVisible();
	await page.goto(`${dashboard.url}/jobs/${id}`);
	const waits = page.getByRole("dialog").getByText("Upload paused: your organization is out of storage");
	await expect(waits).toBeVisible();
	await page.goto(`${dashboard.url}/settings`);
	await expect(page.getByText(/^.+ of the 6\.0 MB storage quota used, including uploads in progress\.$/)).toBeVisible();

	await dashboard.api.call("DELETE", `/v1/recordings/${first}`);
	await expect(banner).toHaveCount(0);
	const { usedBytes } = await dashboard.api.call<{ usedBytes: number }>("GET", "/v1/storage");
	expect(await runner.send(id, usedBytes, bytes.subarray(usedBytes), bytes.length)).toBe(204);
	await page.goto(`${dashboard.url}/jobs/${id}`);
	await expect(page.getByRole("dialog").getByRole("region", { name: "Events" })).toContainText("The upload continues.");
	await expect(waits).toHaveCount(0);
	await runner.stop();
});
