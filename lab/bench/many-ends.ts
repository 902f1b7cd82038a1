/**
 * Measures 60 recordings that are cancelled in the same instant, as when a build is stopped. Simulated runners speak the real
 * protocol from a separate process, against the dashboard and, in the same run, against the same protocol on bare `node:http`
 * and `node:sqlite` (bare-fleet).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, median, p50p99, type Result, type Results } from "./figures.ts";
import type { LoadEnds } from "./fleet-load.ts";
import { makePieces, startLoad } from "./fleet-process.ts";
import { QUICK, samples } from "./samples.ts";
import { startProcess } from "./server-process.ts";

const RECORDINGS = samples(60);
const ROUNDS = QUICK ? 1 : 5;
const RECORD_MS = QUICK ? 1_500 : 4_000;
const VIDEO_SECONDS = 30;
/**
 * One end alone takes as long as on the bare server, and nothing on its way to playable looks at results or builds. 60 in one instant
 * are 4,000 statements and 400 requests that take turns on one thread, which the bare server does with a tenth of them.
 */
const PROMISED = { patch: 10, playable: 8 };

const what = `${RECORDINGS} recordings that are cancelled at once`;
export const figures = {
	patch: { what: `${what}: last PATCH to its answer`, promise: `p50 ≤ ${PROMISED.patch} times` },
	playable: { what: `${what}: cancel to playable`, promise: `p50 ≤ ${PROMISED.playable} times` },
} satisfies Record<string, Figure>;

const SERVERS = join(import.meta.dirname, "servers.ts");
const API_KEY = "tdk_bench_0123456789abcdef";
const RUNNER_TOKEN = "tdr_bench_0123456789abcdef";

export async function run(): Promise<Results<typeof figures>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		const pieces = join(folder, "pieces.mp4");
		await makePieces(pieces, VIDEO_SECONDS);
		const real = await endsOf("dashboard", folder, pieces);
		const bare = await endsOf("bare-fleet", folder, pieces);
		const against = (of: keyof typeof figures, values: number[], baseline: number[]): Result => ({
			values: [...values, ...baseline],
			measured: p50p99(values),
			against: `${(median(values) / median(baseline)).toFixed(2)} times ${p50p99(baseline)} on bare \`node:http\` and \`node:sqlite\``,
			holds: median(values) <= PROMISED[of] * median(baseline),
		});
		return {
			patch: against("patch", real.lastPatchMs, bare.lastPatchMs),
			playable: against("playable", real.playableMs, bare.playableMs),
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

/** The times of some rounds with one server. An additional first round warms it up. */
async function endsOf(role: string, folder: string, pieces: string): Promise<LoadEnds> {
	const server = await startProcess([SERVERS, role], {
		PORT: "0",
		TAPEDECK_DATA_DIR: join(folder, role),
		TAPEDECK_BOOTSTRAP_API_KEY: API_KEY,
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: RUNNER_TOKEN,
	});
	const load = startLoad({ port: server.port, runnerToken: RUNNER_TOKEN, apiKey: API_KEY, pieces });
	const all: LoadEnds = { lastPatchMs: [], playableMs: [], failures: [] };
	try {
		await load.ask("runners", { count: RECORDINGS });
		for (let round = 0; round <= ROUNDS; round += 1) {
			await load.ask("record", { count: RECORDINGS });
			await sleep(RECORD_MS);
			const { lastPatchMs, playableMs, failures } = await load.ask("end", {});
			if (failures.length > 0) throw new Error(`calls failed: ${failures.join("; ")}`);
			if (round === 0) continue;
			all.lastPatchMs.push(...lastPatchMs);
			all.playableMs.push(...playableMs);
		}
		return all;
	} finally {
		await load.stop();
		await server.stop();
	}
}
