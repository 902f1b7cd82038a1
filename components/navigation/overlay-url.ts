/**
 * The URLs of what opens over a page and is closed by Back: on the jobs page a job's drawer (`/jobs/12`) and the create
 * form (`?new=1`), on the page of runners the form for another one (`?new=1`). They change without asking the server for
 * a page.
 */

/** Marks a history entry that was pushed to open an overlay: closing the overlay is one step back. */
const PUSHED = "overlay";

const JOBS_PAGE = /^\/jobs(\/\d+)?$/;
const DRAWER = /^\/jobs\/\d+$/;

/** Whether the overlay that is open was opened by a history entry of its own. */
export const isPushedOverlay = (): boolean => window.history.state?.[PUSHED] === true;

/** Whether a drawer is open in the address. */
export const isDrawerOpen = (): boolean => DRAWER.test(window.location.pathname);

/** Opens an overlay: a step that Back undoes. */
export function pushOverlay(address: string): void {
	window.history.pushState({ [PUSHED]: true }, "", address);
}

/**
 * Shows another overlay in the place of the open one.
 * @param pushed whether closing it is one step back; as for the open one when left out
 */
export function replaceOverlay(address: string, pushed: boolean = isPushedOverlay()): void {
	window.history.replaceState(pushed ? { [PUSHED]: true } : null, "", address);
}

/** Closes the open overlay. @param address the page's own, for an overlay that was opened by a link or a reload */
export function closeOverlay(address: string): void {
	if (isPushedOverlay()) window.history.back();
	else window.history.replaceState(null, "", address);
}

/** Whether the jobs page is shown and shows `address`, too: the list and what opens over it read the address themselves. */
export const isOnJobsPage = (address: string): boolean =>
	JOBS_PAGE.test(window.location.pathname) && JOBS_PAGE.test(new URL(address, window.location.href).pathname);

const opensOverlay = ({ pathname, search }: Pick<URL, "pathname" | "search">): boolean =>
	DRAWER.test(pathname) || new URLSearchParams(search).has("new");

/** Shows an address of the jobs page on the jobs page. */
export function goOnJobsPage(address: string): void {
	if (!opensOverlay(new URL(address, window.location.href))) window.history.pushState(null, "", address);
	else if (opensOverlay(window.location)) replaceOverlay(address);
	else pushOverlay(address);
}
