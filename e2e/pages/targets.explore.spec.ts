/** Pointer targets are at least 24 by 24 pixels on every page (WCAG 2.5.8, without its exception for spacing). */
import type { Page } from "playwright/test";
import { addRecording } from "#test/pages/recordings-page.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { makeExternalVideo } from "#test/videos/external-video.ts";

const LEAST_PX = 24;

/** The targets on the page that are smaller. Links within a sentence may be as high as its line. */
const smallOn = (page: Page): Promise<string[]> =>
	page.evaluate((least) => {
		const interactive = "a[href], button, input, select, summary, textarea, [role=button], [role=option], [role=tab]";
		const hasText = (node: Node) => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]/u.test(node.textContent ?? "");
		/** The label of a box and the area of a link's `::after` belong to the target, too. */
		const pressed = (element: Element): Element[] => {
			const after = getComputedStyle(element, "::after");
			const covers = after.content !== "none" && after.position === "absolute" && after.inset === "0px";
			let box = element;
			while (covers && box.parentElement !== null && getComputedStyle(box).position === "static")
				box = box.parentElement;
			const label = element.closest("label") ?? document.querySelector(`label[for="${CSS.escape(element.id)}"]`);
			return [element, ...(covers ? [box] : []), ...(element.matches("input") && label !== null ? [label] : [])];
		};
		const inSentence = (element: Element) => {
			if (!getComputedStyle(element).display.startsWith("inline")) return false;
			const line = element.closest("p, li, dd, div, td");
			return line !== null && [...line.childNodes, ...(element.parentElement?.childNodes ?? [])].some(hasText);
		};
		return [...document.querySelectorAll(interactive)].flatMap((element) => {
			if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("[aria-hidden=true], .sr-only"))
				return [];
			// Off the screen until it has the focus.
			if (element.matches(".sr-only, [tabindex='-1'].sr-only, a[href='#content']") || inSentence(element)) return [];
			const sizes = pressed(element).map((one) => one.getBoundingClientRect());
			if (sizes.some(({ width, height }) => width >= least - 0.01 && height >= least - 0.01)) return [];
			const [{ width, height } = { width: 0, height: 0 }] = sizes;
			const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40);
			return [`${element.tagName.toLowerCase()} “${name}”: ${Math.round(width)} × ${Math.round(height)}`];
		});
	}, LEAST_PX);

for (const width of [1280, 390]) {
	test(`every target is at least 24 pixels in each direction at ${width} pixels`, async ({ page, tapedeck }) => {
		await page.setViewportSize({ width, height: 900 });
		const runner = await scriptRunner(tapedeck, `Pressed at ${width}`);
		const { id } = await addRecording(tapedeck, `Pressed ${width}`, await makeExternalVideo({ seconds: 2 }));
		const labels = { build: `target ${width}`, branch: "main", test: "a.spec" };
		await tapedeck.api.call("PATCH", `/v1/recordings/${id}`, { labels, outcome: "failed" });
		await tapedeck.api.call("POST", `/v1/recordings/${id}/markers`, { label: "Here", kind: "fail", offsetSeconds: 1 });
		const going = await addRecording(tapedeck, "Pressed and going", await makeExternalVideo({ seconds: 2 }));
		await tapedeck.api.call("PATCH", `/v1/recordings/${going.id}`, { keep: "failed", outcome: "passed" });
		const job = await tapedeck.api.createJob({
			runnerId: runner.runnerId,
			displayId: ":9876",
			name: "Pressed",
			stopCondition: "interrupt",
		});
		await page.request.post("/v1/api-keys", {
			headers: { origin: tapedeck.url },
			data: { name: "Pressed", scopes: ["jobs:read"], expiresAt: null },
		});
		const small: string[] = [];
		const look = async (what: string) => {
			for (const one of await smallOn(page)) small.push(`${what}: ${one}`);
		};
		for (const path of [
			...["/jobs", "/jobs?q=build:1+nowhere", `/jobs/${job.id}`, "/recordings", `/recordings/${id}`],
			...[
				`/recordings/${id}/compare`,
				"/builds",
				"/tests",
				`/builds/${encodeURIComponent(labels.build)}`,
				"/failures?since=week",
			],
			...["/runners", "/coverage", "/settings", "/settings/members", "/settings/audit", "/settings/account"],
		]) {
			await page.goto(path);
			await page.getByRole("heading").first().waitFor();
			await expect(page.locator("[aria-busy=true], .motion-skeleton")).toHaveCount(0);
			await look(path);
			if (path === "/recordings") {
				await page.getByRole("checkbox", { name: `Select Pressed ${width}`, exact: true }).check();
				await look("a selection");
			}
		}
		for (const [what, path, button, within] of [
			["form", "/jobs", "New job", "Create job"],
			["key", "/settings", "Create API key", "Create key"],
			["runner", "/runners", "Add runner", "Generate install command"],
			["share", `/recordings/${id}`, "Share", "Create link"],
		] as const) {
			await page.goto(path);
			await page.getByRole("button", { name: button, exact: true }).click();
			await page.getByRole("dialog").getByRole("button", { name: within }).waitFor();
			if (what === "runner") await page.getByText("Limits").click();
			await look(`dialog ${what}`);
		}
		await page.goto("/settings/account");
		await page.getByRole("button", { name: "Save", exact: true }).click();
		await page.getByText("Name saved.").waitFor();
		await look("notification");
		await page.goto("/jobs");
		await page.keyboard.press("?");
		await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
		await look("dialog keys");
		expect(small).toEqual([]);
		await tapedeck.api.cancelJob(job.id);
		await runner.stop();
	});
}
