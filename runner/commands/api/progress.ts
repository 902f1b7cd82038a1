/** The progress of a transfer: a line on standard error that is written again and again, if it is a terminal. */
import { formatSize } from "../format.ts";

const REDRAW_MS = 200;
const BAR_CELLS = 24;

export interface Progress {
	show(bytes: number, total: number): void;
	/** Removes the line. */
	clear(): void;
}

export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
	if (!stream.isTTY) return { show: () => undefined, clear: () => undefined };
	let first: { at: number; bytes: number } | null = null;
	let drawnAt = Number.NEGATIVE_INFINITY;
	return {
		show(bytes, total) {
			const now = performance.now();
			first ??= { at: now, bytes };
			if (now - drawnAt < REDRAW_MS && bytes < total) return;
			drawnAt = now;
			const seconds = (now - first.at) / 1_000;
			const rate = seconds < 0.5 ? "" : `  ${formatSize((bytes - first.bytes) / seconds)}/s`;
			const share = total === 0 ? 1 : bytes / total;
			const cells = Math.floor(share * BAR_CELLS);
			const bar = `${"█".repeat(cells)}${"░".repeat(BAR_CELLS - cells)}`;
			const percent = `${Math.floor(share * 100)}%`.padStart(4);
			stream.write(`\r\u001b[K${bar}${percent}  ${formatSize(bytes)} of ${formatSize(total)}${rate}`);
		},
		clear: () => void stream.write("\r\u001b[K"),
	};
}
