/** A thread that makes calls, one after the other with a pause, so that the work which loads the dashboard does not hold them back. */
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

const { port, token, paths, pauseMs } = workerData as OtherCalls;
const taken: number[] = [];
let isDone = false;

/** The data for the thread, which answers any message with how many milliseconds each call took. */
export interface OtherCalls {
	port: number;
	token: string;
	paths: readonly string[];
	pauseMs: number;
}

parentPort?.once("message", () => {
	isDone = true;
});
for (let index = 0; !isDone; index += 1) {
	const began = performance.now();
	const answer = await fetch(`http://127.0.0.1:${port}${paths[index % paths.length]}`, {
		headers: { authorization: `Bearer ${token}` },
	});
	await answer.arrayBuffer();
	taken.push(performance.now() - began);
	await sleep(pauseMs);
}
parentPort?.postMessage(taken);
