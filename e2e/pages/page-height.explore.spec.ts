/**
 * The frame of the dashboard is as tall as the window, and its boxes scroll: content that reaches out of one lengthens the
 * document, and the page scrolls away into a blank one. Pages outside the frame (`DOCUMENTS`) scroll as documents.
 */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { runSql } from "#test/databases/database.ts";
import { newBrowser, signIn } from "#test/pages/people.ts";
import { type Dashboard, startBrowserDashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

const WIDTHS = [390, 768, 1440, 2560];
const HEIGHT = 800;
const COUNTS = [0, 50, 5_000];
/** The number of items of kinds that an organization has few of. */
const FEW = 50;

const FRAMED = [
	...["/jobs", "/jobs?status=queued", "/jobs/1", "/recordings", "/recordings/1", "/runners"],
	...["/settings", "/settings/members", "/settings/audit", "/settings/account"],
];
const DOCUMENTS = ["/docs", "/login", "/invite#not-a-token", "/reset-password#not-a-token", "/no-such-page"];

/** Queued jobs of a runner that never came, and as many of everything else that pages list. */
async function fill(dashboard: Dashboard, count: number): Promise<void> {
	const few = Math.min(count, FEW);
	const numbers = (table: string, most: number) => `with recursive n(i) as (
		select (select count(*) from ${table}) + 1 where (select count(*) from ${table}) < ${most}
		union all select i + 1 from n where i < ${most})`;
	const now = Date.now();
	await runSql(
		dashboard,
		`insert into runner ("organizationId", name, "signInName", version, displays, "createdAt")
			${numbers("runner", few)}
			select 1, 'runner ' || i, 'runner ' || i, '1', '[{"id":":99","width":1280,"height":720}]', ${now} from n;
		insert into job ("organizationId", "runnerId", type, "displayId", name, "stopCondition",
				"stopConditionConfig", status, "createdAt", "createdByKind", "createdById", "createdByName", key)
			${numbers("job", count)}
			select 1, 1, 'recording', ':99', 'job ' || i, 'interrupt', '{}', 'queued', ${now} - i, 'apiKey', 1, 'test', 'key-' || i from n;
		insert into recording ("organizationId", name, state, "contentType", "uploadId", "durationSeconds", bytes,
				width, height, "createdAt", "updatedAt")
			${numbers("recording", count)}
			select 1, 'video ' || i, 'ready', 'video/mp4', 'none-' || i, 5, 1000, 1280, 720, ${now}, ${now} from n;
		insert into "auditEntry" ("organizationId", at, "actorKind", "actorName", action, detail)
			${numbers('"auditEntry"', count)}
			select 1, ${now}, 'apiKey', 'test', 'job.created', '{}' from n;
		insert into "apiKey" ("organizationId", name, prefix, hash, scopes, "createdAt")
			${numbers('"apiKey"', few)}
			select 1, 'key ' || i, 'tdk_', 'hash ' || i, '["jobs:read"]', ${now} from n`,
	);
}

/** Waits until the page's data is loaded. */
async function open(page: Page, path: string): Promise<void> {
	// Two addresses that differ behind the # only are one page.
	await page.goto("about:blank");
	await page.goto(path);
	await page.getByRole("heading").first().waitFor({ state: "attached" });
	await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

/** Scrolls every box of the page to its current end. */
const scrollAll = (page: Page) =>
	page.evaluate(async () => {
		for (const box of document.querySelectorAll("*")) if (box.scrollHeight > box.clientHeight) box.scrollTop = 1e6;
		await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
	});

/** The distance by which the document extends beyond the window, in pixels. */
const beyond = (page: Page) =>
	page.evaluate(() => {
		const { scrollHeight, scrollWidth } = document.documentElement;
		return { down: scrollHeight - innerHeight, aside: scrollWidth - innerWidth };
	});

test("no page of the dashboard is taller or wider than the window, however much it lists", async ({ browser }) => {
	test.setTimeout(400_000);
	const dashboard = await startBrowserDashboard();
	const page = await newBrowser(browser, dashboard.url);
	await signIn(page, dashboard.email, dashboard.password);
	const wrong: string[] = [];
	for (const count of COUNTS) {
		await fill(dashboard, count);
		for (const path of FRAMED) {
			await open(page, path);
			for (const width of WIDTHS) {
				await page.setViewportSize({ width, height: HEIGHT });
				for (const state of ["at the top", "scrolled"]) {
					if (state === "scrolled") await scrollAll(page);
					const { down, aside } = await beyond(page);
					if (down !== 0 || aside > 0) wrong.push(`${path}, ${count} rows, ${width} px, ${state}: ${down} ${aside}`);
				}
			}
		}
	}
	await page.context().close();
	await dashboard.stop();
	expect(wrong).toEqual([]);
});

/** Opens `path` at every width, and says where the document ends elsewhere than its content, or is wider than the window. */
async function misfits(page: Page, path: string): Promise<string[]> {
	const wrong: string[] = [];
	await open(page, path);
	for (const width of WIDTHS) {
		await page.setViewportSize({ width, height: HEIGHT });
		const { aside } = await beyond(page);
		const blank = await page.evaluate(() => {
			const end = Math.max(
				...[...document.querySelectorAll("main")].map((main) => main.getBoundingClientRect().bottom),
			);
			return document.documentElement.scrollHeight - Math.max(end + scrollY, innerHeight);
		});
		if (Math.abs(blank) > 1 || aside > 0) wrong.push(`${path}, ${width} px: ${blank} ${aside}`);
	}
	return wrong;
}

test("pages outside of the shell are as tall as their content", async ({ browser, tapedeck }) => {
	const page = await newBrowser(browser, tapedeck.url);
	const wrong: string[] = [];
	for (const path of DOCUMENTS) wrong.push(...(await misfits(page, path)));
	await page.context().close();
	expect(wrong).toEqual([]);
});

test("a shared page is as tall as its content, with and without markers, and when its link no longer works", async ({
	browser,
	page: owner,
	tapedeck,
}) => {
	const headers = { origin: tapedeck.url };
	const uploaded = await owner.request.post(`${tapedeck.url}/v1/recordings?name=Shared`, {
		headers: { ...headers, "content-type": "video/mp4" },
		data: await readFile(await makeVideo("recorder.mp4")),
	});
	const recording = `${tapedeck.url}/v1/recordings/${(await uploaded.json()).id}`;
	const made = await owner.request.post(`${recording}/links`, { headers, data: { expiresAt: null } });
	const { pathname } = new URL((await made.json()).url);
	const page = await newBrowser(browser, tapedeck.url);
	const wrong = await misfits(page, pathname);
	for (let at = 0; at < FEW; at += 1) {
		const data = { label: `Step ${at}`, kind: "note", offsetSeconds: 0.1 };
		expect((await owner.request.post(`${recording}/markers`, { headers, data })).status()).toBe(201);
	}
	wrong.push(...(await misfits(page, pathname)), ...(await misfits(page, `/shared/${"x".repeat(32)}`)));
	await page.context().close();
	expect(wrong).toEqual([]);
});

test("the setup page is as tall as its content", async ({ browser }) => {
	const empty = await startBrowserDashboard({ bootstrap: false });
	const page = await newBrowser(browser, empty.url);
	const wrong = await misfits(page, "/setup");
	await page.context().close();
	await empty.stop();
	expect(wrong).toEqual([]);
});
