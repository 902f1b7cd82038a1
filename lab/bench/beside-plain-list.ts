/** Calls measured against a plain list in the same run, so that their cost does not depend on the machine's speed. */
import { median, ms, type Result } from "./figures.ts";
import { TOKEN } from "./filled-database.ts";
import { QUICK } from "./samples.ts";
import type { ServerProcess } from "./server-process.ts";

const ROUNDS = QUICK ? 5 : 25;
/** The clock's ticks are coarse, so shorter lists count as this long. */
const SHORTEST_MS = 0.5;

export interface Measured {
	name: string;
	callMs: number;
	listMs: number;
	heldMs: number;
}

const PLAIN_LIST = "/v1/jobs";
const PROMISED_RATIO = 5;
/** The promise for `slowestOf`. */
export const PROMISE = `≤ ${PROMISED_RATIO} × a plain list`;

/** The call with the highest cost relative to a plain list. */
export function slowestOf(measured: readonly Measured[]): Result {
	const one = measured.reduce((a, b) => (ratioOf(a) >= ratioOf(b) ? a : b));
	return {
		values: [one.callMs, one.listMs],
		measured: `${ms(one.callMs)} (${one.name})`,
		against: `${ratioOf(one).toFixed(1)} × ${ms(one.listMs)} of a plain list`,
		holds: ratioOf(one) <= PROMISED_RATIO,
	};
}

const ratioOf = ({ callMs, listMs }: Measured): number => callMs / Math.max(listMs, SHORTEST_MS);

export function printMeasured(what: string, measured: readonly Measured[]): void {
	console.log(`  ${what}: a plain list ${ms(median(measured.map((one) => one.listMs)))}`);
	for (const one of measured) {
		console.log(
			`    ${one.name.padEnd(30)} ${ms(one.callMs).padStart(8)}  ${ratioOf(one).toFixed(1).padStart(6)} ×  held ${ms(one.heldMs)}`,
		);
	}
}

/**
 * Takes the call and a plain list in turns, so that a machine that slows down slows both.
 * @param plainList one that has a whole page; by default the newest jobs.
 */
export async function measureBeside(
	server: ServerProcess,
	path: string,
	heldMs: () => Promise<number>,
	plainList = PLAIN_LIST,
): Promise<Omit<Measured, "name">> {
	const [calls, lists, holds]: [number[], number[], number[]] = [[], [], []];
	for (let round = 0; round <= ROUNDS; round += 1) {
		const list = await timeOf(server, plainList);
		await heldMs();
		const call = await timeOf(server, path);
		const held = await heldMs();
		// The first one reads pages from the disk.
		if (round === 0) continue;
		calls.push(call);
		lists.push(list);
		holds.push(held);
	}
	return { callMs: median(calls), listMs: median(lists), heldMs: median(holds) };
}

export async function timeOf({ port }: ServerProcess, path: string): Promise<number> {
	const startedAt = performance.now();
	const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
	await answer.text();
	if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
	return performance.now() - startedAt;
}
