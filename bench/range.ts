/** Serving a recording over Range against node:http streaming the same file. */
import { spawnSync } from "node:child_process";
import { openAsBlob } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, median } from "./figures.ts";
import { startProcess } from "./http-load.ts";
import { peakMegabytes } from "./processes.ts";

const TOKEN = "tdk_bench_0123456789abcdef";
const ROUNDS = 7;
const RANGE_BYTES = 8 * 1024 * 1024;
const PROMISED_RATIO = 0.7;
const PROMISED_MEGABYTES = 300;

export async function run(): Promise<Figure[]> {
	const dir = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const file = join(dir, "big.mp4");
	makeVideo(file);
	const real = await startProcess([join(import.meta.dirname, "api-server.ts")], {
		TAPEDECK_DATA_DIR: join(dir, "data"),
		TAPEDECK_BOOTSTRAP_API_KEY: TOKEN,
	});
	const bare = await startProcess([join(import.meta.dirname, "bare-file-server.ts")], { BENCH_FILE: file });
	try {
		const path = await upload(real.port, file);
		const { size } = await stat(file);
		const figures = [];
		for (const [what, length] of [
			["whole", size],
			["in ranges of 8 MiB", RANGE_BYTES],
		] as const) {
			const rates: number[] = [];
			const baselines: number[] = [];
			for (let round = 0; round <= ROUNDS; round += 1) {
				const rate = await megabytesPerSecond(real.port, path, size, length);
				const base = await megabytesPerSecond(bare.port, "/", size, length);
				if (round > 0) rates.push(rate);
				if (round > 0) baselines.push(base);
			}
			const ratio = median(rates.map((rate, index) => rate / (baselines[index] ?? 1)));
			figures.push({
				what: `serve a recording of ${Math.round(size / 1e6)} MB ${what}`,
				measured: `${Math.round(median(rates))} MB/s, ${ratio.toFixed(2)} of it`,
				against: `node:http streaming the same file, ${Math.round(median(baselines))} MB/s`,
				promise: `≥ ${PROMISED_RATIO}`,
				holds: ratio >= PROMISED_RATIO,
			});
		}
		const peak = peakMegabytes(real.pid);
		figures.push({
			what: "memory of the dashboard while it serves that",
			measured: `${Math.round(peak)} MB at most`,
			against: "–",
			promise: `< ${PROMISED_MEGABYTES} MB`,
			holds: peak < PROMISED_MEGABYTES,
		});
		return figures;
	} finally {
		await real.stop();
		await bare.stop();
		await rm(dir, { recursive: true, force: true });
	}
}

/** A fragmented MP4 as the runner writes it, of a picture that does not compress. */
function makeVideo(file: string): void {
	const source = ["-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=15,noise=alls=80:allf=t", "-t", "40"];
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

/** Reads `size` bytes in pieces of `length`, one after the other over one connection. */
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
