import { existsSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_API_KEY, TEST_RUNNER_TOKEN, type TestApi } from "../../test/api-server.ts";
import { startXvfb } from "../../test/displays/xvfb.ts";
import { runnerScene } from "../../test/runners/runner-scene.ts";
import { decodePicture } from "../../test/videos/decode-picture.ts";
import { pause, until } from "../../test/wait.ts";
import { DisplayPictures, type PictureTools } from "./display-pictures.ts";

const scene = runnerScene({ display: { width: 1280, height: 720 } });
let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());

/** Retries while the machine is too busy to take a picture within 3 s, as the page does. */
const requestPicture = (runnerId: number, displayId: string, query = "") =>
	until(async () => {
		const answer = await fetch(`${api.url}/v1/runners/${runnerId}/displays/${displayId.slice(1)}/picture${query}`, {
			headers: { authorization: `Bearer ${TEST_API_KEY}` },
		});
		const jpeg = Buffer.from(await answer.arrayBuffer());
		if (answer.status === 503 || answer.status === 409) return null;
		expect([200, 304], jpeg.toString()).toContain(answer.status);
		return {
			status: answer.status,
			jpeg,
			age: Number(answer.headers.get("age")),
			etag: answer.headers.get("etag") ?? "",
		};
	}, "a picture came");

async function startedRunner(): Promise<number> {
	await scene.start({ url: api.url, env: { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN } });
	return (await api.call("GET", "/v1/runners")).body.data[0].id;
}

test("each request gets a current picture of the display, 480 pixels wide", async () => {
	const runnerId = await startedRunner();
	const { id } = scene.display;
	const first = await requestPicture(runnerId, id);
	const decoded = await decodePicture(first.jpeg);
	expect([decoded.width, decoded.height]).toEqual([480, 270]);
	// The test picture is bright, unlike a display that is still empty.
	expect(decoded.brightness).toBeGreaterThan(40);
	const later = await until(async () => {
		const { jpeg } = await requestPicture(runnerId, id);
		return jpeg.equals(first.jpeg) ? null : jpeg;
	}, "another picture came");
	expect((await decodePicture(later)).width).toBe(480);
});

test("a picture is as wide as it is asked for, up to the display's own width, also while the display is recorded", async () => {
	const runnerId = await startedRunner();
	const { id } = scene.display;
	const sizeOf = async (width: number) => {
		const picture = await decodePicture((await requestPicture(runnerId, id, `?width=${width}`)).jpeg);
		return [picture.width, picture.height];
	};
	expect(await sizeOf(640)).toEqual([640, 360]);
	const order = { runnerId, displayId: id, stopCondition: "interrupt" };
	const job = (await api.call("POST", "/v1/jobs", { body: order })).body;
	const reading = `/v1/jobs/${job.id}?timeoutSeconds=30&waitFor=`;
	expect((await api.call("GET", `${reading}recording`)).body.status).toBe("recording");
	expect(await sizeOf(1_280)).toEqual([1_280, 720]);
	expect(await sizeOf(8_192)).toEqual([1_280, 720]);
	await api.call("POST", `/v1/jobs/${job.id}/cancel`);
	expect((await api.call("GET", `${reading}ended`)).body.status).toBe("completed");
});

test("a display that is being recorded is shown too, at most 3 s old, without ending the recording", async () => {
	const runnerId = await startedRunner();
	const { id } = scene.display;
	const order = { runnerId, displayId: id, stopCondition: "interrupt" };
	const job = (await api.call("POST", "/v1/jobs", { body: order })).body;
	const reading = `/v1/jobs/${job.id}?timeoutSeconds=30&waitFor=`;
	expect((await api.call("GET", `${reading}recording`)).body.status).toBe("recording");
	const seen = new Set<string>();
	await until(async () => {
		const { jpeg, age } = await requestPicture(runnerId, id);
		// On a busy machine, the delivery of a picture takes time, and its age grows.
		if (age <= 3) seen.add(jpeg.toString("base64"));
		return seen.size >= 3;
	}, "three different pictures were seen");
	await api.call("POST", `/v1/jobs/${job.id}/cancel`);
	expect((await api.call("GET", `${reading}ended`)).body.status).toBe("completed");
});

test("a viewer who has the picture of a display on which nothing moves gets no other one", async () => {
	const still = await startXvfb();
	try {
		const runnerId = await startedRunner();
		const id = `:${still.number}`;
		const { etag } = await requestPicture(runnerId, id, "?width=1280");
		// Longer than a picture is shown again.
		await pause(2_000);
		const later = await requestPicture(runnerId, id, `?width=1280&since=${encodeURIComponent(etag)}`);
		expect([later.status, later.age, later.etag]).toEqual([304, expect.any(Number), etag]);
	} finally {
		await still.stop();
	}
});

test("a display that is not allowed is not listed and has no picture", async () => {
	const hidden = await startXvfb();
	try {
		const env = { TAPEDECK_TOKEN: TEST_RUNNER_TOKEN, TAPEDECK_DISPLAY_ALLOW: scene.display.id };
		await scene.start({ url: api.url, env });
		const [runner] = (await api.call("GET", "/v1/runners")).body.data;
		expect(runner.displays.map(({ id }: { id: string }) => id)).toEqual([scene.display.id]);
		const picture = `/v1/runners/${runner.id}/displays/${hidden.number}/picture`;
		expect((await api.call("GET", picture)).status).toBe(404);
	} finally {
		await hidden.stop();
	}
});

test("a picture that is being taken when the display becomes private is not sent, nor is any while it is private", async () => {
	// The picture is ffmpeg's output, here a text.
	const [ffmpeg, begun] = [join(scene.folder, "slow-ffmpeg"), join(scene.folder, "begun")];
	const lines = ["#!/bin/sh", `[ -e ${begun} ] && exec printf later`, `: > ${begun}`, "sleep 1", "printf earlier"];
	await writeFile(ffmpeg, lines.join("\n"));
	await chmod(ffmpeg, 0o755);
	const sent: string[] = [];
	const send = async ({ body }: { body: Buffer }) => void sent.push(body.toString());
	const closed = new AbortController();
	let isPrivate = false;
	const pictures = new DisplayPictures({
		config: { ffmpeg, childEnv: process.env },
		displays: { get: () => ({ xName: ":7.0", width: 64, height: 48 }) },
		connection: { client: { sessionId: "a", send } },
		...{ closed: closed.signal, captures: () => [], isPrivate: () => isPrivate },
	} as unknown as PictureTools);
	pictures.show([{ displayId: ":7", width: 480 }]);
	await until(() => existsSync(begun), "a picture is being taken");
	isPrivate = true;
	pictures.drop(":7");
	pictures.show([{ displayId: ":7", width: 480 }]);
	// Longer than the picture takes, and the pause after it.
	await pause(2_500);
	expect(sent).toEqual([]);
	isPrivate = false;
	await until(() => {
		pictures.show([{ displayId: ":7", width: 480 }]);
		return sent.length > 0;
	}, "a picture was sent");
	expect(sent[0]).toBe("later");
	closed.abort();
});
