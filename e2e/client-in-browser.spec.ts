/** @tapedeck/client in pages of the dashboard's origin, and of others. */
import { readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type * as Client from "@tapedeck/client-source/index.ts";
import { test as plainTest } from "playwright/test";
import { installClients } from "#test/clients/install-clients.ts";
import { startTestDashboard } from "#test/stack.ts";
import { expect, test } from "#test/tapedeck.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";

test("the TypeScript client records, follows and downloads in a browser", async ({ page, tapedeck }) => {
	const { folder } = await installClients("typescript");
	const files = join(folder, "node_modules/@tapedeck/client/dist");
	await page.route("**/with-client/*", async (route) => {
		const name = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
		if (name === "page")
			return route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Client</title>" });
		await route.fulfill({ contentType: "text/javascript", body: await readFile(join(files, name)) });
	});
	await page.goto("/with-client/page");
	const { apiKey, displayId } = tapedeck;
	const seen = await page.evaluate(
		async ({ apiKey, displayId }) => {
			const { Tapedeck, TapedeckError }: typeof Client = await import(`${location.origin}/with-client/index.js`);
			const client = new Tapedeck({ url: location.origin, apiKey });
			const events = client.events();
			const first = await events.next();
			const recording = await client.record({ displayId, name: "From a page" });
			// The runner and recordings of other tests may change in the meantime.
			let change = await events.next();
			while (!change.done && !(change.value.type === "job" && change.value.data.name === "From a page"))
				change = await events.next();
			await events.return();
			await recording.mark("Pay is clicked", { kind: "step" });
			recording.outcome = "passed";
			const job = await recording.end();
			const { body, bytes } = await client.recordings.download(job.recording?.id ?? 0);
			const video = await new Response(body).arrayBuffer();
			const failure = await client.jobs.get(999_999).catch((error) => error);
			return {
				...{ first: first.value?.type, change: change.value?.type, url: recording.url },
				...{ status: job.status, outcome: job.outcome, isWhole: bytes > 0 && video.byteLength === bytes },
				...{ code: failure instanceof TapedeckError && failure.code },
			};
		},
		{ apiKey, displayId },
	);
	expect(seen).toEqual({
		...{ first: "resync", change: "job", url: expect.stringMatching(/\/recordings\/\d+$/) },
		...{ status: "completed", outcome: "passed", isWhole: true, code: "not_found" },
	});
	await rm(folder, { recursive: true });
});

/** A site of its own with the client, at two origins. */
async function startSite(files: string) {
	const server = createServer(async (req, res) => {
		const module = /^\/[\w-]+\.js$/.exec(req.url ?? "")?.[0];
		if (module !== undefined) {
			res.writeHead(200, { "content-type": "text/javascript" }).end(await readFile(join(files, module)));
		} else if (req.url === "/") {
			res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Reports</title>");
		} else res.writeHead(404).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const stop = async () => {
		const closed = new Promise((resolve) => server.close(resolve));
		server.closeAllConnections();
		await closed;
	};
	return { origin: `http://127.0.0.1:${port}`, other: `http://localhost:${port}`, stop };
}

plainTest(
	"pages of an allowed origin use the client with a key, and those of others reach nothing",
	async ({ page }) => {
		const { folder } = await installClients("typescript");
		const site = await startSite(join(folder, "node_modules/@tapedeck/client/dist"));
		const dashboard = await startTestDashboard({ variables: { TAPEDECK_ALLOWED_ORIGINS: site.origin } });
		const { url, apiKey } = dashboard;
		const uploaded = await fetch(`${url}/v1/recordings?name=Uploaded`, {
			method: "POST",
			headers: { authorization: `Bearer ${apiKey}`, "content-type": "video/mp4" },
			body: await readFile(await makeVideo("recorder.mp4")),
		});
		const { id } = await uploaded.json();

		await page.goto(site.origin);
		const seen = await page.evaluate(
			async ({ url, apiKey, id }) => {
				const { Tapedeck, TapedeckError }: typeof Client = await import(`${location.origin}/index.js`);
				const client = new Tapedeck({ url, apiKey });
				const events = client.events();
				const first = await events.next();
				await client.recordings.update(id, { outcome: "failed" });
				await client.recordings.addMarkers(id, [{ label: "Total", kind: "fail", offsetSeconds: 0.5 }]);
				const change = await events.next();
				await events.return();
				const { body, bytes } = await client.recordings.download(id);
				const video = await new Response(body).arrayBuffer();
				const failure = await client.jobs.get(999_999).catch((error) => error);
				return {
					...{ first: first.value?.type, change: change.value?.type, isWhole: bytes === video.byteLength && bytes > 0 },
					...{ code: failure instanceof TapedeckError && failure.code, requestId: failure.requestId },
				};
			},
			{ url, apiKey, id },
		);
		expect(seen).toEqual({
			...{ first: "resync", change: "recording", isWhole: true },
			...{ code: "not_found", requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
		});

		await page.goto(site.other);
		const code = await page.evaluate(
			async ({ url, apiKey }) => {
				const { Tapedeck }: typeof Client = await import(`${location.origin}/index.js`);
				const client = new Tapedeck({ url, apiKey, retries: 0 });
				return client.jobs
					.list()
					.page()
					.catch((error) => error.code);
			},
			{ url, apiKey },
		);
		expect(code).toBe("unreachable");
		await Promise.all([site.stop(), dashboard.stop(), removeTestFolder(), rm(folder, { recursive: true })]);
	},
);
