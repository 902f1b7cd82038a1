/** The script that pages load before anybody touches them. */

import { recordShortly } from "#test/jobs.ts";
import { firstLoad, SCRIPT_BUDGETS_KIB } from "#test/pages/first-load.ts";
import { startStack } from "#test/stack.ts";
import { openBrowser } from "./browser.ts";
import { listed, type Results } from "./figures.ts";

/** What the page shows last, by its name. */
const PAGES = { "/jobs": undefined, "/recordings/{id}": "Player controls" } as const;
const paths = Object.keys(PAGES) as (keyof typeof PAGES)[];

export const figures = {
	gzipped: {
		what: `gzipped script that ${listed(paths.map((path) => `\`${path}\``))} load before the first interaction`,
		promise: `≤ ${listed(paths.map((path) => SCRIPT_BUDGETS_KIB[path]))} KiB`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const stack = await startStack();
	const { page, close } = await openBrowser(stack);
	try {
		const { recording } = await recordShortly(stack, "For its script");
		const storageState = await page.context().storageState();
		const measured: number[] = [];
		for (const path of paths) {
			// A context of its own has nothing in its cache.
			const context = await page.context().browser()?.newContext({ baseURL: stack.url, storageState });
			if (context === undefined) throw new Error("the browser is gone");
			const { scriptBytes } = await firstLoad(context, path.replace("{id}", String(recording?.id)), PAGES[path]);
			await context.close();
			measured.push(Math.ceil(scriptBytes / 1_024));
		}
		return {
			gzipped: {
				values: measured,
				measured: `${listed(measured)} KiB`,
				holds: paths.every((path, index) => (measured[index] ?? 0) <= SCRIPT_BUDGETS_KIB[path]),
			},
		};
	} finally {
		await close();
		await stack.stop();
	}
}
