/** Every page, drawer, menu, dialog, empty, loading and error state: how one gets there. A new one is a line below. */
import type { Page } from "playwright";
import type { Scene } from "./scene.ts";

export type View = (page: Page, scene: Scene) => Promise<void>;

const dialog = (page: Page) => page.getByRole("dialog").last();
const button = (page: Page, name: string | RegExp) =>
	page.getByRole("button", { name }).locator("visible=true").first();

/** Opens an address and waits until its data is loaded. */
async function at(page: Page, address: string, words?: string): Promise<void> {
	await page.goto(address);
	await page.getByRole("heading").first().waitFor();
	await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
	if (words !== undefined) await page.getByText(words).locator("visible=true").first().waitFor();
	await page.evaluate(() => document.fonts.ready);
	await page.waitForFunction(() =>
		[...document.images].every(
			(image) => image.complete || image.offsetParent === null || image.getBoundingClientRect().top > innerHeight,
		),
	);
}

const jobs = (page: Page) => at(page, "/jobs", "Checkout, main branch");
async function job(page: Page, id: number): Promise<void> {
	await at(page, `/jobs/${id}`);
	await dialog(page).getByRole("heading", { name: "Events" }).waitFor();
}

async function opened(page: Page, name: string | RegExp): Promise<void> {
	await button(page, name).click();
	await dialog(page).waitFor();
}

/** Waits until the video shows a picture. */
const pictured = (page: Page) =>
	page.waitForFunction(() => [...document.querySelectorAll("video")].some(({ readyState }) => readyState >= 2));

const form = async (page: Page, condition: string) => {
	await jobs(page);
	await opened(page, "New job");
	await dialog(page).getByLabel("Stop condition").selectOption(condition);
};

/** Answers of the server that are held back, or fail. */
const held = (page: Page, path: string) => page.route(path, () => new Promise(() => undefined));
const broken = (page: Page, path: string) =>
	page.route(path, (route) =>
		route.fulfill({
			status: 503,
			contentType: "application/problem+json",
			body: JSON.stringify({ status: 503, code: "starting", title: "Not ready", detail: "Tapedeck is starting." }),
		}),
	);

export const VIEWS: Record<string, View> = {
	jobs,
	"jobs-selected": async (page) => {
		await jobs(page);
		for (const name of ["Select Gift card, partial use", "Select Smoke test, release 4.18"]) {
			await page.getByRole("checkbox", { name }).click();
		}
	},
	home: (page) => at(page, "/", "Recording now"),
	"jobs-failed": (page) => at(page, "/jobs?status=failed", "Payment provider, retry"),
	"jobs-none-fits": (page) => at(page, "/jobs?q=nothing-is-called-so", "No jobs match"),
	"jobs-loading": async (page) => {
		await held(page, "**/v1/jobs?*");
		await page.goto("/jobs?q=check");
		await page.getByRole("heading").first().waitFor();
	},
	"jobs-menu": async (page) => {
		await jobs(page);
		await button(page, "Actions for Checkout, main branch").click();
		await page.getByRole("menuitem", { name: "View details" }).waitFor();
	},
	"job-live": async (page, { jobs: { live } }) => {
		await job(page, live);
		await pictured(page);
	},
	"job-ended": async (page, { jobs: { played } }) => {
		await job(page, played);
		await dialog(page).getByText("Order 20417 is placed").first().waitFor();
	},
	"job-idle": (page, { jobs: { idle } }) => job(page, idle),
	guide: (page) => at(page, "/docs/guides/finding", "Find the test that failed"),
	"job-failed": (page, { jobs: { failed } }) => job(page, failed),
	"job-queued": (page, { jobs: { queued } }) => job(page, queued),
	"job-events": async (page, { jobs: { idle } }) => {
		await job(page, idle);
		await dialog(page).getByRole("heading", { name: "Events" }).scrollIntoViewIfNeeded();
		await page.mouse.wheel(0, 2_000);
	},
	"job-not-there": async (page) => {
		await page.goto("/jobs/99999999");
		await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
	},
	"form-duration": (page) => form(page, "duration"),
	"form-grid": (page) => form(page, "selenium_idle"),
	"form-errors": async (page) => {
		await form(page, "duration");
		await dialog(page).getByLabel("Display").fill("99");
		await dialog(page).getByLabel("Duration (seconds)").fill("0");
		await button(page, "Create job").click();
	},
	"form-any-runner": async (page) => {
		await form(page, "duration");
		await dialog(page).getByLabel("Runner", { exact: true }).selectOption("any");
		await dialog(page).getByLabel("Runner labels").fill("pool=linux");
	},
	palette: async (page) => {
		await jobs(page);
		await page.keyboard.press("Control+k");
		await dialog(page).getByRole("combobox").fill("check");
		await page.getByRole("option").first().waitFor();
	},
	keys: async (page) => {
		await jobs(page);
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
	},
	"account-menu": async (page) => {
		await jobs(page);
		await button(page, "Your account").click();
		await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
	},
	recordings: (page) => at(page, "/recordings", "Checkout, main branch"),
	search: async (page) => {
		await at(page, "/recordings?q=build:4183", "Gift card, partial use");
		const box = page.getByRole("searchbox", { name: "Search recordings" });
		await box.click();
		await box.pressSequentially(" outcome:");
		await page.getByRole("option").first().waitFor();
	},
	compare: async (page, { comparedId }) => {
		await at(page, `/recordings/${comparedId}/compare?t=3`, "Align at");
		await page.waitForFunction(
			() => [...document.querySelectorAll("video")].filter((v) => v.readyState >= 2).length === 2,
		);
	},
	"recordings-none-fits": (page) => at(page, "/recordings?q=nothing-is-called-so", "No recordings match"),
	"recordings-broken": async (page) => {
		await broken(page, "**/v1/recordings?*");
		await page.goto("/recordings?q=x");
		await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor({ timeout: 30_000 });
	},
	recording: async (page, { recordingId }) => {
		await at(page, `/recordings/${recordingId}?t=9.5`, "Cart holds three things");
		await pictured(page);
	},
	"recording-tests": async (page, { tests: { recordingId } }) => {
		await at(page, `/recordings/${recordingId}`, "the order is not placed");
		await pictured(page);
	},
	tests: (page) => at(page, "/tests", "Kiosk, second screen"),
	test: (page, { tests: { testId } }) => at(page, `/tests/${testId}`, "the order is not placed"),
	attachments: async (page, { headless }) => {
		await at(page, headless.path, "Open trace");
		const region = page.getByRole("region", { name: "Attachments" });
		await region.evaluate((element) => element.scrollIntoView({ block: "start" }));
		await page.waitForFunction(() =>
			[...document.images].every(({ complete, loading }) => complete || loading === "lazy"),
		);
	},
	trace: async (page, { dashboard, headless }) => {
		const signed = await dashboard.api.call<{ viewerUrl: string }>("GET", `/v1/attachments/${headless.traceId}/url`);
		await page.goto(signed.viewerUrl);
		await page.getByText("Hover").last().click({ timeout: 60_000 });
		await page.frameLocator("iframe.snapshot-visible").getByText("Trail boots").waitFor();
	},
	"recording-sessions": async (page, { sessionsId }) => {
		await at(page, `/recordings/${sessionsId}?t=14`, "checkout as a guest");
		await pictured(page);
	},
	"recording-menu": async (page, { recordingId }) => {
		await at(page, `/recordings/${recordingId}?t=16`, "Cart holds three things");
		await pictured(page);
		await button(page, "More").click();
		await page.getByRole("menu").waitFor();
	},
	"recording-marker": async (page, { recordingId }) => {
		await at(page, `/recordings/${recordingId}?t=16`, "Cart holds three things");
		await pictured(page);
		await page.keyboard.press("a");
		await page.getByLabel("Marker label").waitFor();
	},
	"recording-share": async (page, { recordingId }) => {
		await at(page, `/recordings/${recordingId}`);
		await opened(page, "Share");
	},
	"recording-live": async (page, { dashboard, jobs: { live } }) => {
		const { recording } = await dashboard.api.readJob(live);
		await at(page, `/recordings/${recording?.id}`);
		await pictured(page);
	},
	"recording-not-there": (page) => at(page, "/recordings/99999999"),
	builds: (page) => at(page, "/builds", "4183"),
	failures: (page) => at(page, "/failures?since=week", "the order is not placed"),
	mute: async (page) => {
		await at(page, "/failures?since=week&muted=yes", "the order is not placed");
		await button(page, /^Actions for .*the order is not placed/).click();
		const muted = page.getByRole("menuitem", { name: "Unmute" });
		if (await muted.isVisible()) {
			await muted.click();
			await muted.waitFor({ state: "hidden" });
			await button(page, /^Actions for .*the order is not placed/).click();
		}
		await page.getByRole("menuitem", { name: "Mute…" }).click();
		await dialog(page).getByLabel("Reason").fill("SHOP-412: the payment sandbox is down");
		await dialog(page).getByLabel("Let CI pass?").selectOption("yes");
	},
	"letting-pass": async (page, scene) => {
		await VIEWS.mute?.(page, scene);
		await dialog(page).getByRole("button", { name: "Mute" }).click();
		const list = page.getByRole("region", { name: "CI passes in spite of these" });
		await list.getByRole("listitem").waitFor();
		await list.evaluate((element) => element.scrollIntoView({ block: "center" }));
	},
	build: (page, { tests: { build } }) => at(page, `/builds/${build}`, "the order is not placed"),
	"build-unknown": (page) => at(page, "/builds/none-so-far"),
	runners: (page) => at(page, "/runners", "grid-eu-west"),
	"runners-menu": async (page) => {
		await at(page, "/runners", "grid-eu-west");
		await button(page, /^Actions for/).click();
		await page.getByRole("menu").waitFor();
	},
	"runners-add": async (page) => {
		await at(page, "/runners", "grid-eu-west");
		await opened(page, "Add runner");
	},
	settings: (page) => at(page, "/settings"),
	"settings-key": async (page) => {
		await at(page, "/settings");
		await opened(page, /API key/);
	},
	members: (page) => at(page, "/settings/members"),
	account: (page) => at(page, "/settings/account"),
	webhooks: (page) => at(page, "/settings/webhooks", "ci.example.com"),
	"webhooks-add": async (page) => {
		await at(page, "/settings/webhooks", "ci.example.com");
		await opened(page, "Add webhook");
	},
	deliveries: async (page) => {
		await at(page, "/settings/webhooks", "ci.example.com");
		await opened(page, /^Deliveries to https:\/\/ci/);
		await dialog(page).getByText("build.finished").first().waitFor();
	},
	"delivery-details": async (page) => {
		await at(page, "/settings/webhooks", "ci.example.com");
		await opened(page, /^Deliveries to https:\/\/ci/);
		await button(page, /^Details of build.finished/).click();
	},
	audit: (page) => at(page, "/settings/audit"),
	docs: (page) => at(page, "/docs"),
	"page-not-there": (page) => at(page, "/no-such-page"),
};

/** The pages without a sign-in. */
export const SIGNED_OUT: Record<string, View> = {
	login: (page) => at(page, "/login"),
	"login-refused": async (page) => {
		await at(page, "/login");
		await page.getByLabel("Email").fill("ada@example.com");
		await page.getByLabel("Password").fill("not the password");
		await button(page, "Sign in").click();
		await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
	},
	"invite-broken": (page) => at(page, "/invite#not-a-token"),
	"reset-password": (page) => at(page, "/reset-password#not-a-token"),
	"shared-broken": (page) => at(page, "/shared/00000000000000000000000000000000"),
};
