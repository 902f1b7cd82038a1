/**
 * What a dashboard does at the end of a recording, by ending 60 of them in the same instant: against the same durable writes
 * on bare `node:http` and `node:sqlite` (bare-fleet) in the same run.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { median, p50p99, type Results } from "./figures.ts";
import type { Ended } from "./fleet-load.ts";
import { makePieces, startLoad } from "./fleet-process.ts";
import { QUICK, samples } from "./samples.ts";
import { startProcess } from "./server-process.ts";

const TOGETHER = samples(60);
/** The first round is before V8 has compiled what ends a recording. */
const ROUNDS = samples(5);
const RECORD_MS = QUICK ? 1_000 : 3_000;
const PROMISED = { lastPatch: 3, playable: 3 };

export const figures = {
	lastPatch: {
		what: `the last PATCH of a recording, of ${TOGETHER} that are cancelled together`,
		promise: `p50 ≤ ${PROMISED.lastPatch} times`,
	},
	playable: {
		what: "the same: cancel to playable",
		promise: `p50 ≤ ${PROMISED.playable} times`,
	},
};

export async function run(): Promise<Results<typeof figures>> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	try {
		const pieces = join(folder, "pieces.mp4");
		await makePieces(pieces, 60);
		const [real, bare] = [
			await startFleet("dashboard", folder, pieces),
			await startFleet("bare-fleet", folder, pieces),
		];
		const ended: Record<"real" | "bare", Ended[]> = { real: [], bare: [] };
		try {
			// In turns, so that both have the machine at the same speed: it varies more than they differ.
			for (let round = 0; round <= ROUNDS; round += 1) {
				ended.real.push(await real.endTogether());
				ended.bare.push(await bare.endTogether());
			}
		} finally {
			await real.stop();
			await bare.stop();
		}
		return {
			lastPatch: compared(ended, "lastPatchMs", PROMISED.lastPatch),
			playable: compared(ended, "playableMs", PROMISED.playable),
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

const SERVERS = join(import.meta.dirname, "servers.ts");
const API_KEY = "tdk_bench_0123456789abcdef";
const RUNNER_TOKEN = "tdr_bench_0123456789abcdef";

async function startFleet(role: string, folder: string, pieces: string) {
	const server = await startProcess([SERVERS, role], {
		PORT: "0",
		TAPEDECK_DATA_DIR: join(folder, role),
		TAPEDECK_BOOTSTRAP_API_KEY: API_KEY,
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: RUNNER_TOKEN,
	});
	const load = startLoad({ port: server.port, runnerToken: RUNNER_TOKEN, apiKey: API_KEY, pieces });
	await load.ask("runners", { count: TOGETHER });
	return {
		async endTogether(): Promise<Ended> {
			await load.ask("record", { count: TOGETHER });
			await sleep(RECORD_MS);
			return load.ask("cancelAll", {});
		},
		async stop() {
			await load.stop();
			await server.stop();
		},
	};
}

function compared({ real, bare }: Record<"real" | "bare", Ended[]>, figure: keyof Ended, ratio: number) {
	const of = (rounds: Ended[]) => rounds.slice(1).flatMap((round) => round[figure]);
	const [own, against] = [of(real), of(bare)];
	const times = median(own) / median(against);
	return {
		values: [median(own), median(against)],
		measured: p50p99(own),
		against: `${times.toFixed(1)} × ${p50p99(against)} on bare \`node:http\` and \`node:sqlite\``,
		holds: times <= ratio,
	};
}
