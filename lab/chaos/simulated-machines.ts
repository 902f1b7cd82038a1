/** Simulated runners next to the real ones, on the same breakable networks, each with its own video. */
import { SimulatedRecorder } from "#test/runners/simulated-recorder.ts";
import { makeVideo, removeTestFolder } from "#test/videos/make-video.ts";
import { readPieces } from "#test/videos/read-pieces.ts";
import { SIMULATED_SECONDS } from "./plan.ts";
import { CREDENTIALS } from "./services.ts";

export interface SimulatedMachine {
	runner: SimulatedRecorder;
	/** The video that each of its jobs records, as it uploads it. */
	pieces: readonly Buffer[];
	/** Index of the real runner whose network it uses. */
	network: number;
}

/** Signs them in. @param runners the real runners. */
export async function startSimulatedMachines(
	runners: readonly { network: { url: string } }[],
	count: number,
): Promise<SimulatedMachine[]> {
	const video = readPieces(await makeVideo("recorder.mp4", SIMULATED_SECONDS));
	await removeTestFolder();
	const machines = Array.from({ length: count }, (_, index): SimulatedMachine => {
		const name = `simulated-${index + 1}`;
		const pieces = video.map((piece, at) => Buffer.concat([piece, freeBox(`${name}, piece ${at + 1}`)]));
		const network = index % runners.length;
		const dashboard = { url: runners[network]?.network.url ?? "", runnerToken: CREDENTIALS.runnerToken };
		const runner = new SimulatedRecorder(dashboard, name, pieces);
		return { runner, pieces, network };
	});
	await Promise.all(machines.map(({ runner }) => runner.start()));
	return machines;
}

/** A box that players skip: with it, bytes of another runner or in another place are not the same bytes. */
function freeBox(text: string): Buffer {
	const box = Buffer.from(`    free${text}`);
	box.writeUInt32BE(box.length);
	return box;
}
