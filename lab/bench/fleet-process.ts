/**
 * Shared by the benches of a fleet: the process of the load (fleet-load), its video, and the reports of its servers.
 */
import { type ChildProcess, execFile, fork } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { LoadMeasure, LoadOrders, LoadTarget } from "./fleet-load.ts";
import { exactCpuSeconds } from "./processes.ts";

/** A video as a runner's ffmpeg writes it, in the chunks in which it is sent: 25 kB twice a second. */
const PIECE_BYTES = 25_000;
const PIECES_PER_SECOND = 2;
const FRAMES_PER_SECOND = 20;
/** The TAPEDECK_METRICS_TOKEN of servers that loopDelay reads. */
export const METRICS_TOKEN = "metrics_bench_0123456789";

/** Encodes a fragmented MP4 of constant rate. */
export async function makePieces(file: string, seconds: number): Promise<void> {
	const rate = String(PIECE_BYTES * PIECES_PER_SECOND * 8);
	const frames = FRAMES_PER_SECOND / PIECES_PER_SECOND;
	const source = `testsrc2=size=640x360:rate=${FRAMES_PER_SECOND}`;
	await promisify(execFile)("ffmpeg", [
		...["-loglevel", "error", "-f", "lavfi", "-i", source, "-t", String(seconds)],
		...["-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-g", String(frames)],
		...["-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", "100k", "-x264-params", "nal-hrd=cbr"],
		...["-movflags", "+frag_keyframe+empty_moov+default_base_moof", file],
	]);
}

export type LoopDelay = { p99: number; max: number };

/** The event-loop delay since it was asked last, seconds. */
export async function loopDelay({ port }: { port: number }): Promise<LoopDelay> {
	const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
	const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers });
	const text = await answer.text();
	if (text.startsWith("{")) return JSON.parse(text) as LoopDelay;
	const quantile = (name: string) =>
		Number(new RegExp(`^tapedeck_event_loop_delay_seconds\\{quantile="${name}"\\} (\\S+)$`, "m").exec(text)?.[1]);
	return { p99: quantile("0.99"), max: quantile("1") };
}

export type LoadProcess = ReturnType<typeof startLoad>;

export function startLoad(target: LoadTarget) {
	const child: ChildProcess = fork(join(import.meta.dirname, "fleet-load.ts"), {
		env: { ...process.env, BENCH_LOAD: JSON.stringify(target) },
		execArgv: [],
	});
	const ask = <N extends keyof LoadOrders>(name: N, order: LoadOrders[N]["order"]): Promise<LoadOrders[N]["result"]> =>
		new Promise((resolve, reject) => {
			const onExit = (code: number | null) => reject(new Error(`the load ended with ${code}`));
			child.once("exit", onExit);
			child.once("message", (answer: { result: LoadOrders[N]["result"]; error?: string }) => {
				child.off("exit", onExit);
				if (answer.error === undefined) resolve(answer.result);
				else reject(new Error(answer.error));
			});
			child.send({ name, order });
		});
	const stop = async () => {
		if (child.exitCode !== null) return;
		await ask("stop", {});
		const exited = new Promise((resolve) => child.once("exit", resolve));
		child.disconnect();
		await exited;
	};
	return { ask, stop };
}

/** The cost of a load for one server. */
export type Cost = LoadMeasure & { cpu: number; seconds: number; delay: LoopDelay };

/** Watches a server and its load for a while. @throws when a call of a runner failed. */
export async function watch(
	{ server, load }: { server: { pid: number; port: number }; load: LoadProcess },
	windowMs: number,
): Promise<Cost> {
	await loopDelay(server);
	const before = exactCpuSeconds(server.pid);
	const startedAt = performance.now();
	const measured = await load.ask("measure", { ms: windowMs });
	const seconds = (performance.now() - startedAt) / 1_000;
	const cpu = exactCpuSeconds(server.pid) - before;
	if (measured.failures.length > 0) throw new Error(`calls failed: ${measured.failures.join("; ")}`);
	return { ...measured, cpu, seconds, delay: await loopDelay(server) };
}

/** The share of one core that was used. */
export const shareOf = ({ cpu, seconds }: Cost): number => cpu / seconds;
