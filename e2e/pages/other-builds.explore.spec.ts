/** Dashboards of different builds behind one balancer, as while they are updated one after the other. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type Page, test } from "playwright/test";
import { type OwnPostgres, startOwnPostgres } from "#test/databases/own-postgres.ts";
import { type DashboardProcess, startDashboards } from "#test/servers/dashboards.ts";
import { makeOtherBuild, type OtherBuild } from "#test/servers/other-build.ts";
import { startRoundRobin } from "#test/servers/round-robin.ts";
import { root } from "#test/stack.ts";
import { digestOfSources, ensureBuilt } from "../../bin/setup/build.mjs";

type Balancer = Awaited<ReturnType<typeof startRoundRobin>>;

/** Repeats until both builds have answered: the number of earlier requests decides which one does. */
const MOST_VISITS = 20;
/** The prefixes of the names of their scripts. */
const [OTHER, TWIN] = ["other", "twin"];

let builds: OtherBuild[] = [];
let postgres: OwnPostgres;
let dashboards: Awaited<ReturnType<typeof startDashboards>>;
let [here, other, twin] = [] as unknown as [DashboardProcess, DashboardProcess, DashboardProcess];
const balancers: Balancer[] = [];

test.beforeAll(async () => {
	// Building takes longer than a test.
	await ensureBuilt();
	builds = [await makeOtherBuild(OTHER, "of-other-sources"), await makeOtherBuild(TWIN)];
	postgres = await startOwnPostgres();
	const programs = [join(root, "server.ts"), ...builds.map(({ program }) => program)];
	dashboards = await startDashboards(3, postgres.url, {}, programs);
	[here, other, twin] = dashboards.nodes as typeof dashboards.nodes &
		[DashboardProcess, DashboardProcess, DashboardProcess];
});
test.afterAll(async () => {
	for (const balancer of balancers) await balancer.stop();
	await dashboards?.stop();
	await postgres?.stop();
	for (const build of builds) await build.remove();
});

/** Gives each request to the next of the dashboards, and signs the page in. @returns scripts and styles it did not get. */
async function openAt(page: Page, nodes: readonly DashboardProcess[]): Promise<{ url: string; missing: string[] }> {
	const balancer = await startRoundRobin(nodes.map(({ port }) => port));
	balancers.push(balancer);
	const url = `http://127.0.0.1:${balancer.port}`;
	const data = { email: "owner@example.com", password: "a password for tests" };
	const answer = await page.request.post(`${url}/api/auth/sign-in/email`, { data });
	expect(answer.status()).toBe(200);
	const missing: string[] = [];
	page.on("response", (response) => {
		if (response.url().includes("/_next/static/") && response.status() >= 400) missing.push(response.url());
	});
	return { url, missing };
}

/** Opens a part of the page that is loaded on demand. */
async function openForm(page: Page): Promise<void> {
	await page.getByRole("button", { name: "New job" }).click();
	await expect(page.getByRole("dialog", { name: "New job" }).getByLabel("Name", { exact: true })).toBeVisible();
	await page.keyboard.press("Escape");
}

test("pages of both builds work, whichever dashboard is asked for their scripts", async ({ page }) => {
	const { url, missing } = await openAt(page, [here, other]);
	const builds = new Set<boolean>();
	for (let visit = 0; builds.size < 2 && visit < MOST_VISITS; visit += 1) {
		await page.goto(`${url}/jobs`);
		builds.add((await page.content()).includes(`/_next/static/chunks/${OTHER}`));
		await openForm(page);
		// Makes the next visit begin at the other dashboard, whether this one took an even or an odd number of requests.
		if (visit % 2 === 1) await page.request.get(`${url}/v1/health`);
	}
	expect(builds).toEqual(new Set([true, false]));
	expect(missing).toEqual([]);
});

test("a link leads to its page, whichever build answers", async ({ page }) => {
	const { url, missing } = await openAt(page, [here, other]);
	await page.goto(`${url}/jobs`);
	for (const name of ["Runners", "Recordings", "Jobs", "Runners", "Recordings", "Jobs"]) {
		await page.getByRole("link", { name, exact: true }).click();
		await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
	}
	await openForm(page);
	expect(missing).toEqual([]);
});

test("builds of the same sources are one build: no link loads the page anew", async ({ page }) => {
	expect(await readFile(join(root, ".next", "BUILD_ID"), "utf8")).toBe(digestOfSources().slice(0, 20));
	const { url, missing } = await openAt(page, [here, twin]);
	await page.goto(`${url}/jobs`);
	await page.evaluate(() => document.documentElement.setAttribute("data-same-page", ""));
	for (const name of ["Runners", "Recordings", "Jobs", "Runners", "Recordings", "Jobs"]) {
		await page.getByRole("link", { name, exact: true }).click();
		await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
	}
	await openForm(page);
	await expect(page.locator("html[data-same-page]")).toBeAttached();
	expect(missing).toEqual([]);
});

test("a script that no dashboard has is answered as not found", async ({ request }) => {
	for (const { url } of dashboards.nodes) {
		expect((await request.get(`${url}/_next/static/chunks/none.js`)).status()).toBe(404);
	}
});

test("when no dashboard of a page's build is left, a part that is gone asks to reload the page", async ({ page }) => {
	const { url } = await openAt(page, [here, other]);
	await expect(async () => {
		await page.goto(`${url}/jobs`);
		expect(await page.content()).toContain(`/_next/static/chunks/${OTHER}`);
	}).toPass();
	// The list of keys is loaded on demand.
	await other.stop();
	await page.keyboard.press("?");
	await expect(page.getByText("reload the page").first()).toBeVisible();
	await page.reload();
	await openForm(page);
});
