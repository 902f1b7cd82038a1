/** @tapedeck/client in a page of the dashboard's origin. */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { installClients } from "#test/clients/install-clients.ts";
import { expect, test } from "#test/tapedeck.ts";
import type * as Client from "../clients/typescript/src/index.ts";

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
			const change = await events.next();
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
