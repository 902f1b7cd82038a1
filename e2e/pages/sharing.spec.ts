/** Shared pages, and their entries in the audit log. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test as plainTest } from "playwright/test";
import { startBrowserDashboard } from "#test/stack.ts";
import { expect, dashboardTest as test } from "#test/tapedeck.ts";
import { expectPlaying } from "#test/videos/expect-playing.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test.afterAll(removeTestFolder);

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

	const visitor = await browser.newContext();
	const visit = await visitor.newPage();
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
	await visitor.close();

	await page.goto("/settings/audit");
	const rows = page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
	// Others may have shared something of theirs before.
	const shown = rows.filter({ hasText: "Shown" });
	await expect(shown.filter({ hasText: "revoked a shared link" })).toHaveCount(1);
	await page.getByLabel("Action").selectOption("shared a recording");
	await expect(rows.filter({ hasNotText: "shared a recording" })).toHaveCount(0);
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

test("a shared page shows its expiry in the visitor's time zone", async ({ page, browser, tapedeck }) => {
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
