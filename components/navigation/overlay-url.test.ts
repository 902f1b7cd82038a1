import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { closeOverlay, goOnJobsPage, isOnJobsPage, pushOverlay, replaceOverlay } from "./overlay-url.ts";

/** A browser's history: its entries, and the current one. */
let entries: { url: URL; state: unknown }[];
let at: number;

const visited = () => entries.map(({ url }) => url.pathname + url.search);
const shown = () => visited()[at];

function begin(address: string): void {
	const urlOf = (path: string) => new URL(path, entries[at]?.url ?? "http://localhost");
	entries = [];
	entries = [{ url: urlOf(address), state: null }];
	at = 0;
	vi.stubGlobal("window", {
		history: {
			get state() {
				return entries[at]?.state;
			},
			pushState(state: unknown, _unused: string, path: string) {
				entries = [...entries.slice(0, at + 1), { url: urlOf(path), state }];
				at += 1;
			},
			replaceState(state: unknown, _unused: string, path: string) {
				entries[at] = { url: urlOf(path), state };
			},
			back() {
				at -= 1;
			},
		},
		get location() {
			return entries[at]?.url;
		},
	});
}

beforeEach(() => begin("/jobs"));
afterEach(() => vi.unstubAllGlobals());

test("closing a drawer is one step back to the list that it was opened from", () => {
	begin("/jobs?status=failed");
	pushOverlay("/jobs/12?status=failed");
	closeOverlay("/jobs?status=failed");
	expect(shown()).toBe("/jobs?status=failed");
	expect(at).toBe(0);
});

test("a drawer that the address opened closes into the list, without a step", () => {
	begin("/jobs/12");
	closeOverlay("/jobs");
	expect(visited()).toEqual(["/jobs"]);
});

test("a drawer opened by an address, as the palette does, closes with one step back, too", () => {
	goOnJobsPage("/jobs/12");
	closeOverlay("/jobs");
	expect(at).toBe(0);
});

test("the create form opened by an address closes with one step back", () => {
	goOnJobsPage("/jobs?new=1");
	expect(shown()).toBe("/jobs?new=1");
	closeOverlay("/jobs");
	expect(at).toBe(0);
});

test("another job takes the place of the open one, and closing it still leads to the list", () => {
	pushOverlay("/jobs/12");
	goOnJobsPage("/jobs/13");
	replaceOverlay("/jobs/14");
	expect(visited()).toEqual(["/jobs", "/jobs/14"]);
	closeOverlay("/jobs");
	expect(at).toBe(0);
});

test("a drawer that replaces one from a link closes without a step back out of the page", () => {
	begin("/jobs/12");
	goOnJobsPage("/jobs/13");
	closeOverlay("/jobs");
	expect(visited()).toEqual(["/jobs"]);
});

test("the list itself is a step of its own", () => {
	goOnJobsPage("/jobs?runnerId=3");
	expect(visited()).toEqual(["/jobs", "/jobs?runnerId=3"]);
});

test("only the list and its drawers are on the jobs page", () => {
	expect(isOnJobsPage("/jobs/12?status=failed")).toBe(true);
	expect(isOnJobsPage("/recordings/12")).toBe(false);
	begin("/runners");
	expect(isOnJobsPage("/jobs")).toBe(false);
});
