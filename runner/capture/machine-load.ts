/** Records the load of the machine once a second, as the track `load` of each recording. It can explain a slow test. */
import { appendFile, open } from "node:fs/promises";
import { pause } from "../base/wait.ts";
import { trackFile } from "../spool/track-files.ts";

const EVERY_MS = 1_000;
/** Enough for the first line of /proc/stat, and for the needed part of /proc/meminfo. */
const READ_BYTES = 512;

/** Shares of the machine, from 0 to 1. */
interface Load {
	cpu: number;
	memory: number;
	/** Time in which the host let others run. */
	steal: number;
	/** Time in which all that could run waited for a disk. */
	diskWait: number;
}

/** Times of all processors since boot, in ticks, as /proc/stat has them. */
interface Ticks {
	total: number;
	idle: number;
	steal: number;
	diskWait: number;
}

/** Writes the track until the signal aborts. Never throws. */
export async function recordLoad(folder: string, over: AbortSignal): Promise<void> {
	const path = trackFile(folder, "load");
	let before = await readTicks().catch(() => null);
	while (before !== null && !over.aborted) {
		await pause(EVERY_MS, over);
		const now = await readTicks().catch(() => null);
		const memory = await readMemory().catch(() => null);
		if (now === null || memory === null) return;
		const line = lineOf(loadBetween(before, now, memory));
		before = now;
		// A deleted folder does not come back, and on a full disk the line is not worth a retry.
		await appendFile(path, line, { mode: 0o600 }).catch(() => undefined);
	}
}

/** @param memory the share that is in use. */
export function loadBetween(before: Ticks, now: Ticks, memory: number): Load {
	const total = now.total - before.total;
	const share = (ticks: number): number => Math.round((Math.max(0, ticks) / Math.max(1, total)) * 1_000) / 1_000;
	const [idle, steal, diskWait] = [now.idle - before.idle, now.steal - before.steal, now.diskWait - before.diskWait];
	return { cpu: share(total - idle - diskWait - steal), memory, steal: share(steal), diskWait: share(diskWait) };
}

function lineOf(load: Load): string {
	const { cpu, memory, steal, diskWait } = load;
	const percent = (share: number): string => `${Math.round(share * 100)} %`;
	const text = `CPU ${percent(cpu)}, memory ${percent(memory)}, steal ${percent(steal)}, disk wait ${percent(diskWait)}`;
	return `${JSON.stringify({ at: new Date().toISOString(), text, data: load })}\n`;
}

/** Fields of the first line: user, nice, system, idle, iowait, irq, softirq, steal, and two that user and nice include. */
export function ticksIn(stat: string): Ticks {
	const fields = (stat.split("\n", 1)[0] ?? "").trim().split(/\s+/).slice(1, 9).map(Number);
	const [, , , idle = 0, diskWait = 0, , , steal = 0] = fields;
	return { total: fields.reduce((sum, ticks) => sum + ticks, 0), idle, steal, diskWait };
}

const readTicks = async (): Promise<Ticks> => ticksIn(await readBeginning("/proc/stat"));

async function readMemory(): Promise<number> {
	const info = await readBeginning("/proc/meminfo");
	const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(info)?.[1]);
	return Math.round((1 - of("MemAvailable") / of("MemTotal")) * 1_000) / 1_000;
}

/** Reading all of /proc/stat would take a hundred times as long on a large machine. */
async function readBeginning(path: string): Promise<string> {
	const file = await open(path, "r");
	try {
		const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, 0);
		return buffer.toString("latin1", 0, bytesRead);
	} finally {
		await file.close();
	}
}
