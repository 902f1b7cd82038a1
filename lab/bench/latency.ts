/**
 * Measures the time from `POST /v1/jobs` to the start of ffmpeg, and from the response of a cancel to ffmpeg's stop
 * signal.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack } from "#test/stack.ts";
import { p99Under, type Results } from "./figures.ts";
import { samples } from "./samples.ts";

const JOBS = samples(50);
const PROMISED_START_MS = 300;
const PROMISED_SIGNAL_MS = 250;

export const figures = {
	start: { what: "`POST /v1/jobs` to ffmpeg started", promise: `p99 < ${PROMISED_START_MS} ms` },
	signal: { what: "cancel response to ffmpeg's stop signal", promise: `p99 < ${PROMISED_SIGNAL_MS} ms` },
};

/** Stands in front of ffmpeg and writes down when it is started and when it is signalled. */
const wrapper = (notes: string) => `#!/bin/sh
case "$*" in *x11grab*) ;; *) exec ffmpeg "$@" ;; esac
echo "start $(date +%s%3N)" >> '${notes}'
ffmpeg "$@" &
child=$!
trap 'echo "signal $(date +%s%3N)" >> "${notes}"; kill -INT $child 2>/dev/null' INT TERM
wait $child
status=$?
while kill -0 $child 2>/dev/null; do wait $child; status=$?; done
exit $status
`;

export async function run(): Promise<Results<typeof figures>> {
	const dir = await mkdtemp(join(tmpdir(), "tapedeck-bench-"));
	const notes = join(dir, "notes");
	const program = join(dir, "ffmpeg");
	await writeFile(notes, "");
	await writeFile(program, wrapper(notes));
	await chmod(program, 0o755);
	process.env.TAPEDECK_FFMPEG = program;
	const stack = await startStack();
	try {
		const starts: number[] = [];
		const signals: number[] = [];
		for (let index = 0; index < JOBS; index += 1) {
			const before = (await noted(notes, "start")).length;
			const body = { runnerId: stack.runnerId, displayId: stack.displayId, name: `latency ${index}` };
			const askedAt = Date.now();
			const { id } = await stack.api.createJob({ ...body, stopCondition: "interrupt" });
			await stack.api.waitFor(id, "recording");
			starts.push(((await noted(notes, "start"))[before] ?? Number.NaN) - askedAt);
			const signalled = (await noted(notes, "signal")).length;
			await stack.api.cancelJob(id);
			const answeredAt = Date.now();
			await stack.api.waitFor(id, "ended");
			signals.push(Math.max(0, ((await noted(notes, "signal"))[signalled] ?? Number.NaN) - answeredAt));
		}
		return { start: p99Under(PROMISED_START_MS, starts), signal: p99Under(PROMISED_SIGNAL_MS, signals) };
	} finally {
		delete process.env.TAPEDECK_FFMPEG;
		await stack.stop();
		await rm(dir, { recursive: true, force: true });
	}
}

async function noted(notes: string, what: "start" | "signal"): Promise<number[]> {
	const lines = (await readFile(notes, "utf8")).split("\n").filter((line) => line.startsWith(what));
	return lines.map((line) => Number(line.split(" ")[1]));
}
