/** A runner that sends single bytes as fast as it can, to the real server. */
import { readdir, stat } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { JOB_KEY_HEADER, SESSION_HEADER } from "@tapedeck/contract/runner-protocol.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApi, TEST_RUNNER_TOKEN, type TestApi } from "#test/api-server.ts";
import { protocolRunner } from "#test/runners/protocol-runner.ts";
import { metadata } from "#test/tus-client.ts";

const PIECES = 1_000;

let api: TestApi;
beforeAll(async () => {
	api = await startTestApi();
});
afterAll(() => api.stop());
const runner = protocolRunner(() => api);
const other = protocolRunner(() => api);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** One tus call over the one connection. @returns its status and where the upload is. */
function tus(method: string, path: string, headers: Record<string, string>, body = ""): Promise<[number, string]> {
	return new Promise((resolve, reject) => {
		const token = { authorization: `Bearer ${TEST_RUNNER_TOKEN}`, "tus-resumable": "1.0.0" };
		const call = request(`${api.url}${path}`, {
			...{ method, agent },
			headers: { ...token, ...headers, "content-length": Buffer.byteLength(body) },
		});
		call.on("error", reject);
		call.on("response", (answer) => {
			answer.resume().on("end", () => resolve([answer.statusCode ?? 0, String(answer.headers["upload-offset"])]));
		});
		call.end(body);
	});
}

/** Without the database's, whose log grows with the time that it takes: the recording's progress is written once a second. */
async function bytesOnDisk(): Promise<number> {
	const files = (await readdir(api.dataDir, { recursive: true })).filter(
		(file) => !/\.sqlite(-\w+)?$|\.db(-\w+)?$/.test(file),
	);
	const sizes = await Promise.all(files.map((file) => stat(join(api.dataDir, file)).then(({ size }) => size)));
	return sizes.reduce((sum, size) => sum + size, 0);
}

test("a thousand pieces of one byte hold nobody up, and take little more than a thousand bytes of the disk", async () => {
	const { id, key } = await runner.startJob();
	const as = { [SESSION_HEADER]: runner.session.sessionId, [JOB_KEY_HEADER]: key };
	const fields = { "upload-defer-length": "1", "upload-metadata": metadata({ jobId: id }) };
	expect((await tus("POST", "/v1/uploads", { ...as, ...fields }))[0]).toBe(201);
	const before = await bytesOnDisk();

	let sending = true;
	const send = async () => {
		const type = { "content-type": "application/offset+octet-stream" };
		for (let at = 0; at < PIECES; at += 1) {
			const headers = { ...as, ...type, "upload-offset": String(at) };
			expect(await tus("PATCH", `/v1/uploads/job-${id}`, headers, "x")).toEqual([204, String(at + 1)]);
		}
	};
	let answered = 0;
	const call = async () => {
		while (sending) {
			expect((await api.call("GET", "/v1/jobs")).status).toBe(200);
			expect(await other.sync()).toEqual({ start: [], cancel: [] });
			answered += 2;
		}
	};
	const sent = send().finally(() => {
		sending = false;
	});
	await Promise.all([sent, call()]);

	// Others get their turns, however busy the machine is.
	expect(answered).toBeGreaterThan(PIECES / 4);
	expect((await stat(join(api.dataDir, "videos", `job-${id}`))).size).toBe(PIECES);
	expect((await bytesOnDisk()) - before).toBeLessThan(50 * PIECES);
});
