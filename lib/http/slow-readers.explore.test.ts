/**
 * Readers of clips who read nothing, at a dashboard in a process of its own. A clip is a file while it is sent, so that it takes
 * space on the disk, within a bound, and none in memory.
 */
import { execFile } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startChild } from "#test/processes/child.ts";
import { temporaryFolder } from "#test/temporary-folder.ts";

const DASHBOARD = join(import.meta.dirname, "../../test/servers/dashboard-process.ts");
const KEY = "tdk_test_0123456789abcdef";
const READERS = 36;
const MEGABYTE = 2 ** 20;
/** The disk that clips of one caller may take at a time (lib/recordings/excerpts/excerpts.ts). */
const MAX_DISK_BYTES = 256 * MEGABYTE;
/** The garbage of 36 responses, and what Node takes to read files. One clip has more than 30 MB. */
const MAX_MEMORY_BYTES = 150 * MEGABYTE;

test("36 clips that nobody reads take no memory and a bounded part of the disk, and the rest is refused with Retry-After", async () => {
	const { pid, url, recordingId } = await startDashboard();
	const clip = (to: number) => `/v1/recordings/${recordingId}/clip?from=0&to=${to}&maxBytes=50000000`;
	// Once, so that the dashboard has loaded all that it needs.
	const [first] = await readers(url, [clip(8.9)]);
	first?.destroy();
	const before = await memoryOf(pid);
	const measured = async (answers: IncomingMessage[]) => ({
		sent: answers.reduce((sum, { headers }) => sum + Number(headers["content-length"]), 0),
		memory: (await memoryOf(pid)) - before,
		disk: await openExcerpts(pid),
	});

	const same = await readers(url, Array(READERS).fill(clip(9)));
	expect(same.map(({ statusCode }) => statusCode)).toEqual(Array(READERS).fill(200));
	const ofSame = await measured(same);
	expect(ofSame.sent).toBeGreaterThan(6 * MAX_MEMORY_BYTES);
	expect(ofSame.memory).toBeLessThan(MAX_MEMORY_BYTES);
	expect(ofSame.disk).toBeLessThan(MAX_DISK_BYTES);

	const different = await readers(
		url,
		Array.from({ length: READERS }, (_, at) => clip(8 + at / 100)),
	);
	const refused = different.filter(({ statusCode }) => statusCode !== 200);
	expect(refused.length).toBeGreaterThan(0);
	expect(refused.length).toBeLessThan(READERS);
	for (const { statusCode, headers } of refused) expect([statusCode, headers["retry-after"]]).toEqual([503, "10"]);
	const ofDifferent = await measured(different);
	expect(ofDifferent.memory).toBeLessThan(MAX_MEMORY_BYTES);
	// The first clip, which nobody reads, is kept for a while and counts, too.
	expect(ofDifferent.disk).toBeLessThanOrEqual(MAX_DISK_BYTES + 50 * MEGABYTE);

	// Their places are free again.
	for (const answer of [...same, ...different]) answer.destroy();
	const next = async () => (await readers(url, [clip(5)]))[0]?.statusCode;
	await expect.poll(next, { timeout: 20_000 }).toBe(200);
}, 120_000);

async function startDashboard() {
	const folder = await temporaryFolder("slow-readers");
	const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TAPEDECK_"));
	const env = {
		...Object.fromEntries(inherited),
		...{ PORT: "0", TAPEDECK_DATA_DIR: join(folder, "data"), TAPEDECK_BOOTSTRAP_API_KEY: KEY },
	};
	const child = startChild(process.execPath, [DASHBOARD], { env: env as unknown as NodeJS.ProcessEnv });
	onTestFinished(async () => void (await child.stop(10_000)));
	await child.says("listens on", 60_000);
	const url = `http://127.0.0.1:${/listens on port (\d+)/.exec(child.output())?.[1]}`;
	const sent = await fetch(`${url}/v1/recordings?name=noise`, {
		...{ method: "POST", body: await noiseVideo(folder) },
		headers: { authorization: `Bearer ${KEY}`, "content-type": "video/mp4" },
	});
	expect(sent.status).toBe(201);
	const recordingId: number = (await sent.json()).id;
	return { pid: child.process.pid ?? 0, url, recordingId };
}

/** @returns the answers, of which only the heads are read. */
function readers(url: string, paths: readonly string[]): Promise<IncomingMessage[]> {
	const begin = (path: string) =>
		new Promise<IncomingMessage>((resolve, reject) => {
			const headers = { authorization: `Bearer ${KEY}` };
			const sent = request(`${url}${path}`, { headers, agent: false }, resolve);
			sent.on("error", reject);
			sent.end();
			onTestFinished(() => void sent.destroy());
		});
	return Promise.all(paths.map(begin));
}

/** Resident memory. */
async function memoryOf(pid: number): Promise<number> {
	const status = await readFile(`/proc/${pid}/status`, "utf8");
	return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
}

/** The space of its open files without a name. */
async function openExcerpts(pid: number): Promise<number> {
	const folder = `/proc/${pid}/fd`;
	let bytes = 0;
	for (const name of await readdir(folder)) {
		const file = await stat(join(folder, name)).catch(() => null);
		if (file?.isFile() && file.nlink === 0) bytes += file.blocks * 512;
	}
	return bytes;
}

/** Ten seconds of pixels that no encoder makes small: about 4 MB a second. */
async function noiseVideo(folder: string): Promise<Uint8Array<ArrayBuffer>> {
	const path = join(folder, "noise.mp4");
	const source = "color=gray:size=640x360:rate=15:duration=10,noise=c0s=100:c0f=t+u";
	const fragments = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof"];
	const encoding = ["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-qp", "6", "-g", "30"];
	await promisify(execFile)("ffmpeg", [
		...["-v", "error", "-y", "-f", "lavfi", "-i", source, ...encoding, "-pix_fmt", "yuv420p", ...fragments, path],
	]);
	return new Uint8Array(await readFile(path));
}
