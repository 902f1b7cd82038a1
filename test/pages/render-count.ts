/** Counts what React renders on a page, as its developer tools do. */
import type { Page } from "playwright/test";

interface Counts {
	/** The number of React's commits to the page. */
	commits: number;
	/** The number of components that rendered. */
	components: number;
}

/** The fields of React's internal tree that its developer tools read. */
interface Fiber {
	tag: number;
	flags: number;
	child: Fiber | null;
	sibling: Fiber | null;
	alternate: Fiber | null;
}

/** Counts from the next page load on. @returns reads the counts so far. */
export async function countRenders(page: Page): Promise<() => Promise<Counts>> {
	await page.addInitScript(() => {
		const PERFORMED_WORK = 1;
		/** Function, class, forwardRef, memo and simple memo components. */
		const COMPONENTS = [0, 1, 11, 14, 15];
		const counts = { commits: 0, components: 0 };
		const count = (fiber: Fiber, before: Fiber | null) => {
			if (COMPONENTS.includes(fiber.tag) && (before === null || fiber.flags & PERFORMED_WORK)) counts.components += 1;
			// Below a component that kept its children, nothing rendered.
			if (before !== null && fiber.child === before.child) return;
			for (let child = fiber.child; child !== null; child = child.sibling) count(child, child.alternate);
		};
		const seen = window as unknown as { renderCounts: Counts; __REACT_DEVTOOLS_GLOBAL_HOOK__?: object };
		seen.renderCounts = counts;
		seen.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
			...seen.__REACT_DEVTOOLS_GLOBAL_HOOK__,
			supportsFiber: true,
			inject: () => 1,
			onCommitFiberRoot: (_id: number, root: { current: Fiber }) => {
				counts.commits += 1;
				count(root.current, root.current.alternate);
			},
		};
	});
	return () => page.evaluate(() => ({ ...(window as unknown as { renderCounts: Counts }).renderCounts }));
}
