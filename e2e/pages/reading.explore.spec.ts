/** Pages for those who read from right to left, zoom in, space their text, or print. */
import type { Page } from "playwright/test";
import { createInterruptJob, NO_DISPLAY } from "#test/jobs.ts";
import { openDrawer } from "#test/pages/jobs-page.ts";
import { expect, test } from "#test/tapedeck.ts";

const PAGES = ["/jobs", "/recordings", "/runners", "/settings", "/docs"];
/** WCAG 1.4.12: spacing that text must bear. */
const SPACED =
	"* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }";

/** The number of pixels by which the page is wider than its window. */
const overflow = (page: Page) =>
	page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

async function open(page: Page, path: string): Promise<void> {
	await page.goto(path);
	await page.getByRole("heading").first().waitFor();
	await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}

test("in a right-to-left language every page is mirrored and fits its window, and drawers open from the left", async ({
	page,
	tapedeck,
}) => {
	// It opens eleven pages.
	const name = "From right to left";
	await createInterruptJob(tapedeck, name, NO_DISPLAY);
	for (const width of [390, 1280]) {
		await page.setViewportSize({ width, height: 800 });
		for (const path of PAGES) {
			await open(page, path);
			await page.evaluate(() => {
				document.documentElement.dir = "rtl";
			});
			expect(await overflow(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
			if (width < 768 || path === "/docs") continue;
			const side = await page.getByRole("complementary", { name: "Sidebar" }).boundingBox();
			expect((side?.x ?? 0) + (side?.width ?? 0)).toBe(width);
		}
	}
	await open(page, "/jobs");
	await page.evaluate(() => {
		document.documentElement.dir = "rtl";
	});
	const drawer = await openDrawer(page, name);
	await expect.poll(async () => (await drawer.boundingBox())?.x).toBe(0);
});

test("at 200% zoom, and with wider text spacing, no page scrolls sideways", async ({ page }) => {
	await page.setViewportSize({ width: 640, height: 400 });
	for (const path of PAGES) {
		await open(page, path);
		expect(await overflow(page), path).toBeLessThanOrEqual(0);
		await page.addStyleTag({ content: SPACED });
		expect(await overflow(page), `${path}, spaced`).toBeLessThanOrEqual(0);
	}
});

test("at 400% zoom, the search box of every list is as wide as the window, and nothing covers it", async ({ page }) => {
	await page.setViewportSize({ width: 320, height: 200 });
	for (const path of ["/jobs", "/recordings", "/tests", "/builds", "/failures?since=week"]) {
		await open(page, path);
		expect(await overflow(page), path).toBeLessThanOrEqual(0);
		const box = page.getByRole("main").getByRole("searchbox");
		await box.fill("nothing-is-called-so");
		const { width, isOnTop } = await box.evaluate((input) => {
			input.scrollIntoView({ block: "center" });
			const { left, top, width, height } = input.getBoundingClientRect();
			return { width, isOnTop: document.elementFromPoint(left + width / 2, top + height / 2) === input };
		});
		expect({ width: width >= 240, isOnTop }, path).toEqual({ width: true, isOnTop: true });
	}
});

test("printed pages have no navigation and no buttons, and an open job prints alone", async ({ page, tapedeck }) => {
	const name = "On paper";
	await createInterruptJob(tapedeck, name, NO_DISPLAY);
	await open(page, "/jobs");
	await expect(page.getByText(name).first()).toBeVisible();
	await page.emulateMedia({ media: "print", colorScheme: "dark" });
	await expect(page.getByRole("complementary", { name: "Sidebar" })).toBeHidden();
	await expect(page.getByRole("button").locator("visible=true")).toHaveCount(0);
	await expect(page.getByText(name).first()).toBeVisible();
	const colours = await page.evaluate(() => {
		const { backgroundColor, color } = getComputedStyle(document.body);
		return { backgroundColor, color };
	});
	expect(colours).toEqual({ backgroundColor: "rgb(255, 255, 255)", color: "rgb(0, 0, 0)" });
	await page.emulateMedia({ media: "screen" });
	const drawer = await openDrawer(page, name);
	await page.emulateMedia({ media: "print" });
	await expect(drawer.getByRole("heading", { name })).toBeVisible();
	await expect(page.locator("#content")).toBeHidden();
});
