/** Shared pages, and their entries in the audit log. */

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as plainTest } from "playwright/test";
import { inExplore } from "#test/in-explore.ts";
import { newBrowser } from "#test/pages/people.ts";
import { recordTests } from "#test/pages/test-results.ts";
import { scriptRunner } from "#test/runners/scripted-runner.ts";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

test("a shared link unfurls with the message of a failure that is a test result alone, if it includes tests", async ({
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of results");
	const video = await readFile(await makeVideo("recorder.mp4"));
	const tests = [{ test: "Cart › total", outcome: "failed", message: "19 € is <not> 20 €" }] as const;
	const { recordingId } = await recordTests(tapedeck, runner, "Results alone", { video, tests });
	await runner.stop();
	const described = async (include: string[]) => {
		const link = { expiresAt: null, include };
		const { url } = await tapedeck.api.call<{ url: string }>("POST", `/v1/recordings/${recordingId}/links`, link);
		return /<meta property="og:description" content="([^"]*)"/.exec(await (await fetch(url)).text())?.[1];
	};
	expect(await described(["tests"])).toBe("19 € is &lt;not&gt; 20 €");
	expect(await described(["tracks"])).toBe("A recording of Tapedeck.");
});

plainTest(
	"a shared link unfurls with its title, error and the frame at its failure, and plays in a frame of named origins alone",
	async ({ page }) => {
		const site = createServer((req, res) => {
			const src = new URL(req.url ?? "", "http://site").searchParams.get("src") ?? "";
			res.writeHead(200, { "content-type": "text/html" });
			res.end(`<!doctype html><title>Wiki</title><iframe src="${src}" width="1000" height="700"></iframe>`);
		});
		await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
		const { port } = site.address() as AddressInfo;
		const named = `http://127.0.0.1:${port}`;
		const dashboard = await startBrowserDashboard({ variables: { TAPEDECK_EMBED_ORIGINS: named } });
		try {
			const call = async (path: string, body: Buffer | object) => {
				const isVideo = Buffer.isBuffer(body);
				const answer = await fetch(`${dashboard.url}${path}`, {
					method: "POST",
					headers: {
						authorization: `Bearer ${dashboard.apiKey}`,
						"content-type": isVideo ? "video/mp4" : "application/json",
					},
					body: isVideo ? new Uint8Array(body) : JSON.stringify(body),
				});
				expect(answer.status).toBe(201);
				return answer.json();
			};
			const video = await readFile(await makeVideo("recorder.mp4"));
			const { id } = await call("/v1/recordings?name=Pay%20%26%20%3Cgo%3E&outcome=failed", video);
			const marker = { label: "Total", kind: "fail", message: "19 € is not 20 €", offsetSeconds: 1 };
			await call(`/v1/recordings/${id}/markers`, marker);
			const { url } = await call(`/v1/recordings/${id}/links`, { expiresAt: null });
			const shared = `${url}?t=1.2`;

			const head = await (await fetch(shared)).text();
			await page.setContent(head.replace(/<script.*?<\/script>/gs, ""));
			const content = (name: string) =>
				page.locator(`meta[property="${name}"], meta[name="${name}"]`).first().getAttribute("content");
			expect(await content("og:title")).toBe("Pay & <go>: failed");
			expect(await content("og:description")).toBe("19 € is not 20 €");
			expect(await content("og:url")).toBe(shared);
			expect(await content("twitter:card")).toBe("summary_large_image");
			const picture = await fetch((await content("og:image")) ?? "");
			expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/jpeg"]);
			expect((await fetch((await content("og:video")) ?? "", { method: "HEAD" })).status).toBe(200);
			const discovered = page.locator('link[rel="alternate"][type="application/json+oembed"]');
			const embed = await (await fetch((await discovered.getAttribute("href")) ?? "")).json();
			expect(embed).toMatchObject({
				type: "video",
				title: "Pay & <go>: failed",
				html: expect.stringContaining(shared),
			});

			await page.goto(`${named}/?src=${encodeURIComponent(shared)}`);
			const frame = page.frameLocator("iframe");
			await expect(frame.getByRole("slider", { name: "Seek" })).toHaveValue(/^1\.2/);
			await expect(frame.getByRole("heading", { level: 1 })).toHaveText("Pay & <go>");
			await frame.locator("video").evaluate((element: HTMLVideoElement) => {
				element.muted = true;
				return element.play();
			});
			await expect
				.poll(() => frame.locator("video").evaluate((one: HTMLVideoElement) => one.currentTime))
				.not.toBe(1.2);

			// The page of another origin, and another page of the dashboard.
			for (const [origin, src] of [
				[named.replace("127.0.0.1", "localhost"), shared],
				[named, `${dashboard.url}/login`],
			]) {
				const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
				await page.goto(`${origin}/?src=${encodeURIComponent(src ?? "")}`);
				await refused;
				await expect(frame.getByRole("heading")).toHaveCount(0);
			}
		} finally {
			await dashboard.stop();
			site.closeAllConnections();
			site.close();
		}
	},
);

test("a shared link plays one recording without an account until it is revoked, and the audit log records it", async ({
	page,
	browser,
	tapedeck,
}) => {
	const video = await readFile(await makeVideo("recorder.mp4"));
	const made = await page.request.post(`${tapedeck.url}/v1/recordings?name=Shown`, {
		headers: { "content-type": "video/mp4", origin: tapedeck.url },
		data: video,
	});
	const { id, width, height } = await made.json();
	const marker = { label: "Order is placed", kind: "pass", offsetSeconds: 1.5 };
	const marked = await page.request.post(`${tapedeck.url}/v1/recordings/${id}/markers`, {
		headers: { origin: tapedeck.url },
		data: marker,
	});
	expect(marked.status()).toBe(201);
	await page.goto(`/recordings/${id}`);
	await page.getByRole("button", { name: "Share" }).click();
	const dialog = page.getByRole("dialog", { name: "Share this recording" });
	await dialog.getByLabel("Expires").selectOption("In 1 day");
	await dialog.getByRole("button", { name: "Create link" }).click();
	const url = (await dialog.getByText(/\/shared\/[\w-]{32}$/).textContent()) ?? "";

	const visit = await newBrowser(browser, tapedeck.url);
	const answer = await visit.goto(url);
	expect(answer?.headers()["x-robots-tag"]).toBe("noindex, nofollow");
	expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
	await expect(visit.getByRole("heading", { level: 1 })).toHaveText("Shown");
	const player = visit.locator("video");
	const seek = visit.getByRole("slider", { name: "Seek" });
	await expect(visit.getByRole("region", { name: "Player controls" })).toBeVisible();
	await expect(visit.getByRole("button", { name: "Add marker" })).toHaveCount(0);
	await expect(visit.getByRole("button", { name: /^(Share|Delete)/ })).toHaveCount(0);
	await visit.getByRole("list", { name: "Markers" }).getByRole("button", { name: "Order is placed" }).click();
	await expect(seek).toHaveValue(/^1\.5/);
	const first = await visit.request.get(`${new URL(url).origin}/v1${new URL(url).pathname}/video?download=1`);
	expect(first.headers()["content-disposition"]).toContain("Shown");
	await visit.goto(`${url}?t=1.2`);
	await expect(seek).toHaveValue(/^1\.2/);
	await player.evaluate((element: HTMLVideoElement) => {
		element.muted = true;
		return element.play();
	});
	await expectPlaying(player, { width, height });
	expect(await visit.content()).not.toContain("owner@");

	await dialog.getByRole("button", { name: /^Revoke the link/ }).click();
	await expect(dialog.getByText("No links yet. Only members can watch.")).toBeVisible();
	await visit.reload();
	await expect(visit.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
	await visit.context().close();

	await page.goto("/settings/audit");
	const rows = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
	// Others may have shared something of theirs before.
	const shown = rows.filter({ hasText: "Shown" });
	await expect(shown.filter({ hasText: "revoked a share link of the recording “Shown”" })).toHaveCount(1);
	await page.getByLabel("Action").selectOption("shared a recording");
	await expect(rows.filter({ hasNotText: "shared the recording" })).toHaveCount(0);
	await expect(shown).toHaveCount(1);
	await expect(rows.first()).toContainText("Shown");
	await page.getByLabel("Action").selectOption("Any action");
	await rows.first().getByRole("button", { name: "Shown" }).click();
	await expect(rows).toHaveCount(3);
	const [download] = await Promise.all([
		page.waitForEvent("download"),
		page.getByRole("link", { name: "Export as JSON lines" }).click(),
	]);
	const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
	expect(lines.map((line) => JSON.parse(line).action)).toEqual(["recording.uploaded", "link.created", "link.revoked"]);
});

test("a link made in the dialog opens at its stretch with the tests and tracks that were chosen, and one to a clip nothing else", async ({
	page,
	browser,
	tapedeck,
}) => {
	const runner = await scriptRunner(tapedeck, "runner of a shared checkout");
	const video = await readFile(await makeVideo("recorder.mp4", 4));
	// Lines of the future are not stored as such.
	const jobId = await runner.record("Checkout", { stopCondition: "interrupt" }, 4_000);
	await runner.send(jobId, 0, video, video.length);
	await runner.report(jobId, { type: "stopped", stopReason: "cancelled", verdict: "ok" });
	const job = await tapedeck.api.waitFor(jobId, "playable");
	await runner.stop();
	const at = (seconds: number) => new Date(Date.parse(job.startedAt ?? "") + seconds * 1_000).toISOString();
	const failed = { test: "Cart › pays", suite: "Cart", outcome: "failed", message: "19 is not 20", endedAt: at(1.5) };
	await tapedeck.api.call("POST", `/v1/jobs/${job.id}/tests`, [
		{ key: "1", startedAt: at(0.5), ...failed, steps: [{ title: "pay", startedAt: at(1), outcome: "failed" }] },
		{ key: "2", startedAt: at(0), endedAt: at(0.5), test: "Cart › is empty", outcome: "passed" },
	]);
	const sent = await fetch(`${tapedeck.url}/v1/jobs/${job.id}/tracks/log`, {
		method: "POST",
		headers: { authorization: `Bearer ${tapedeck.apiKey}`, "content-type": "application/x-ndjson" },
		body: `${JSON.stringify({ at: at(1), text: "POST /pay 500", level: "error" })}\n`,
	});
	expect(sent.status).toBe(200);

	await page.goto(`/recordings/${job.recording?.id}?t=0.5`);
	const seek = page.getByRole("slider", { name: "Seek" });
	await expect(seek).toHaveValue(/^0\.5/);
	// The shortcuts that set the start and the end of the selected part.
	await seek.press("[");
	await seek.press("End");
	await seek.press("]");
	await page.getByRole("button", { name: "Share", exact: true }).click();
	const dialog = page.getByRole("dialog", { name: "Share this recording" });
	await expect(dialog.getByLabel("Starts")).toHaveValue("stretch");
	await dialog.getByLabel("Steps of the tests").check();
	await expect(dialog.getByLabel("Tests and their messages")).toBeChecked();
	await dialog.getByLabel("Tracks, such as the log").check();
	await dialog.getByRole("button", { name: "Create link" }).click();
	const url = (await dialog.getByText(/\/shared\/[\w-]{32}$/).textContent()) ?? "";
	await dialog.getByLabel("Opens").selectOption({ value: "clip" });
	await expect(dialog.getByLabel("Starts")).toHaveCount(0);
	await dialog.getByRole("button", { name: "Create link" }).click();
	const clip = (await dialog.getByText(/\/clip$/).textContent()) ?? "";
	const links = dialog.getByRole("list", { name: "Links" }).getByRole("listitem");
	await expect(links.first()).toContainText(/ · clip 0:00\.5 – 0:0\d\.\d · /);
	await expect(links.last()).toContainText(/ · page 0:00\.5 – 0:0\d\.\d with tests, steps, tracks · /);

	const visit = await newBrowser(browser, tapedeck.url);
	const refused: string[] = [];
	visit.on("response", (response) => {
		if (response.status() >= 400) refused.push(response.url());
	});
	await visit.goto(url);
	await expect(visit.getByRole("slider", { name: "Seek" })).toHaveValue(/^0\.5/);
	await expect(visit.getByText(/^Loop 0:00\.5 – /)).toBeVisible();
	const result = visit.getByRole("region", { name: "Test result" });
	await expect(result).toContainText("Cart › pays");
	await expect(result).toContainText("19 is not 20");
	const tests = visit.getByRole("tree", { name: "Tests" });
	await expect(tests.getByRole("treeitem", { name: /is empty/ })).toBeVisible();
	await expect(tests.getByText("pay", { exact: true })).toBeVisible();
	await visit.getByRole("tab", { name: "Log" }).click();
	await visit.getByRole("listbox", { name: "Log" }).getByText("POST /pay 500").click();
	await expect(visit.getByRole("slider", { name: "Seek" })).toHaveValue(/^1/);
	expect(refused).toEqual([]);

	const file = await visit.request.get(clip);
	expect([file.status(), file.headers()["content-type"]]).toEqual([200, "video/mp4"]);
	const token = /\/shared\/([\w-]{32})\//.exec(clip)?.[1];
	await visit.goto(`${new URL(url).origin}/shared/${token}`);
	await expect(visit.getByRole("heading", { level: 1 })).toHaveText("This link no longer works");
	await visit.context().close();
});

inExplore(test)("a shared page shows its expiry in the visitor's time zone", async ({ page, browser, tapedeck }) => {
	const headers = { origin: tapedeck.url };
	const made = await page.request.post(`${tapedeck.url}/v1/recordings?name=Expiring`, {
		headers: { ...headers, "content-type": "video/mp4" },
		data: await readFile(await makeVideo("recorder.mp4")),
	});
	const { id } = await made.json();
	const link = await page.request.post(`${tapedeck.url}/v1/recordings/${id}/links`, {
		headers,
		data: { expiresAt: new Date(Date.now() + 86_400_000).toISOString() },
	});
	const { url, expiresAt } = await link.json();
	// No server runs in this zone.
	const zone = "Pacific/Kiritimati";
	const visitor = await browser.newContext({ timezoneId: zone, locale: "en-GB" });
	const visit = await visitor.newPage();
	await visit.goto(url);
	const local = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone: zone });
	await expect(visit.locator("footer time")).toHaveText(local.format(new Date(expiresAt)));
	await visitor.close();
});
