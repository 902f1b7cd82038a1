/**
 * A browser reports a page as loaded before React listens to it: input in between is lost, such as a click on a
 * picture.
 */
import { type BrowserContext, expect, type Page } from "playwright/test";

/**
 * Makes `goto` and `reload` of the context's pages wait until React has run the first effects of a page of the dashboard;
 * a `goto` with `waitUntil` waits for that alone.
 */
export async function awaitHydration(context: BrowserContext): Promise<void> {
	await context.addInitScript(() => {
		// Uses the interface of React's developer tools: otherwise, only React's internals know when effects have run.
		const seen = window as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: object };
		seen.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
			supportsFiber: true,
			inject: () => 1,
			...seen.__REACT_DEVTOOLS_GLOBAL_HOOK__,
			onPostCommitFiberRoot: () => Object.assign(window, { isHydrated: true }),
		};
	});
	context.on("page", (page) => {
		const { goto, reload } = page;
		page.goto = async (url, options) => {
			const answer = await goto.call(page, url, options);
			if (options?.waitUntil === undefined) await hydrated(page);
			return answer;
		};
		page.reload = async (options) => {
			const answer = await reload.call(page, options);
			await hydrated(page);
			return answer;
		};
	});
}

/** Passes at once for what isn't React's, such as a text or a video. */
async function hydrated(page: Page): Promise<void> {
	await expect(async () => {
		const isReady = await page.evaluate(
			() => "isHydrated" in window || document.querySelector('script[src*="/_next/"]') === null,
		);
		expect(isReady, `${page.url()} is hydrated`).toBe(true);
	}).toPass({ intervals: [10, 20, 50, 100], timeout: 30_000 });
}
