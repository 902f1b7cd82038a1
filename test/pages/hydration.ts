/** A browser calls a page loaded before React listens to it: what a test does in between is lost, as a click on a picture. */
import { type BrowserContext, expect, type Page } from "playwright/test";

/** Makes `goto` and `reload` of the context's pages wait until React has run the first effects of a page of the dashboard. */
export async function awaitHydration(context: BrowserContext): Promise<void> {
	await context.addInitScript(() => {
		// The interface of React's developer tools: what else says when effects have run is inside of React.
		const hook = {
			supportsFiber: true,
			inject: () => 1,
			onCommitFiberRoot: () => {},
			onCommitFiberUnmount: () => {},
			onPostCommitFiberRoot: () => Object.assign(window, { isHydrated: true }),
		};
		Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook });
	});
	context.on("page", (page) => {
		const { goto, reload } = page;
		page.goto = async (...args) => hydrated(page, await goto.apply(page, args));
		page.reload = async (...args) => hydrated(page, await reload.apply(page, args));
	});
}

/** @returns the answer, once the page is hydrated; at once for what isn't React's, such as a text or a video */
async function hydrated<T>(page: Page, answer: T): Promise<T> {
	await expect(async () => {
		const isReady = await page.evaluate(
			() => "isHydrated" in window || document.querySelector('script[src*="/_next/"]') === null,
		);
		expect(isReady, `${page.url()} is hydrated`).toBe(true);
	}).toPass({ intervals: [10, 20, 50, 100], timeout: 30_000 });
	return answer;
}
