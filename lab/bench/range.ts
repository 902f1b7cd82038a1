/** Serving a recording over Range against node:http streaming the same file. */
import { spawnSync } from "node:child_process";
import { openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Result, Results } from "./figures.ts";
import { peakMegabytes } from "./processes.ts";
import { QUICK, rateAgainst } from "./samples.ts";
import { startProcess } from "./server-process.ts";

const TOKEN = "tdk_bench_0123456789abcdef";
const SERVERS = join(import.meta.dirname, "servers.ts");
const ROUNDS = QUICK ? 1 : 7;
const VIDEO_SECONDS = QUICK ? 2 : 40;
const RANGE_BYTES = 8 * 1024 * 1024;
const PROMISED_RATIO = 0.7;
const PROMISED_MEGABYTES = 300;

export const figures = {
	whole: { what: "serve a large recording in one response", promise: `≥ ${PROMISED_RATIO}` },
	ranges: { what: "serve it in ranges of 8 MiB", promise: `≥ ${PROMISED_RATIO}` },
	memory: { what: "memory of the dashboard meanwhile", promise: `< ${PROMISED_MEGABYTES} MB` },
};

export async function run(): Promise<Results<typeof figures>> {
	const dir = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const file = join(dir, "big.mp4");
	makeVideo(file);
	const real = await startProcess([SERVERS, "dashboard"], {
		TAPEDECK_DATA_DIR: join(dir, "data"),
		TAPEDECK_BOOTSTRAP_API_KEY: TOKEN,
	});
	const bare = await startProcess([SERVERS, "bare-file"], { BENCH_FILE: file });
	try {
		const path = await upload(real.port, file);
		const { size } = await stat(file);
		const whole = await compare(real.port, bare.port, path, size, size);
		const ranges = await compare(real.port, bare.port, path, size, RANGE_BYTES);
		const peak = peakMegabytes(real.pid);
		const memory = { values: [peak], measured: `${Math.round(peak)} MB`, holds: peak < PROMISED_MEGABYTES };
		return { whole, ranges, memory };
	} finally {
		await real.stop();
		await bare.stop();
		await rm(dir, { recursive: true, force: true });
	}
}

async function compare(real: number, bare: number, path: string, size: number, length: number): Promise<Result> {
	const { rate, ratio, values } = await rateAgainst(
		() => megabytesPerSecond(bare, "/", size, length),
		() => megabytesPerSecond(real, path, size, length),
		ROUNDS,
	);
	return {
		values,
		measured: `${Math.round(rate)} MB/s of ${Math.round(size / 1e6)} MB`,
		against: `${ratio.toFixed(2)} × \`node:http\` streaming the same file`,
		holds: ratio >= PROMISED_RATIO,
	};
}

/** A fragmented MP4 as the runner writes it, of a picture that does not compress. */
function makeVideo(file: string): void {
	const source = [
		"-f",
		"lavfi",
		"-i",
		"testsrc2=size=1280x720:rate=15,noise=alls=80:allf=t",
		"-t",
		String(VIDEO_SECONDS),
	];
	const codec = ["-c:v", "libx264", "-preset", "ultrafast", "-qp", "12", "-pix_fmt", "yuv420p", "-g", "30"];
	const container = ["-movflags", "+frag_keyframe+empty_moov+default_base_moof", "-frag_duration", "500000"];
	const made = spawnSync("ffmpeg", ["-v", "error", "-y", ...source, ...codec, ...container, file], {
		stdio: "inherit",
	});
	if (made.status !== 0)
		throw new Error("ffmpeg could not make the video for this bench. Install it: apt-get install ffmpeg");
}

async function upload(port: number, file: string): Promise<string> {
	const answer = await fetch(`http://127.0.0.1:${port}/v1/recordings?name=big`, {
		method: "POST",
		headers: { authorization: `Bearer ${TOKEN}`, "content-type": "video/mp4" },
		body: await openAsBlob(file),
	});
	if (answer.status !== 201) throw new Error(`the upload was answered ${answer.status}: ${await answer.text()}`);
	const { id } = (await answer.json()) as { id: number };
	return `/v1/recordings/${id}/video`;
}

/** Reads `size` bytes in ranges of `length`, one after the other over one connection. */
async function megabytesPerSecond(port: number, path: string, size: number, length: number): Promise<number> {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const startedAt = performance.now();
	let bytes = 0;
	for (let start = 0; start < size; start += length) {
		const end = Math.min(start + length, size) - 1;
		bytes += await readRange(agent, port, path, start, end);
	}
	const seconds = (performance.now() - startedAt) / 1000;
	agent.destroy();
	return bytes / 1e6 / seconds;
}

function readRange(agent: Agent, port: number, path: string, start: number, end: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const headers = { authorization: `Bearer ${TOKEN}`, range: `bytes=${start}-${end}` };
		const call = get({ host: "127.0.0.1", port, path, headers, agent }, (response) => {
			if (response.statusCode !== 206) reject(new Error(`${path} answered ${response.statusCode}`));
			let bytes = 0;
			response.on("data", (chunk: Buffer) => {
				bytes += chunk.length;
			});
			response.on("end", () => resolve(bytes));
			response.on("error", reject);
		});
		call.on("error", reject);
	});
}
