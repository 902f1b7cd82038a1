/** Whether the disk is full: an ffmpeg that ends on a full disk often cannot even write down why. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CaptureFault, STORAGE_FULL } from "./ffmpeg-reason.ts";

/** As much as ffmpeg writes at once. */
const PROBE_BYTES = 32 << 10;

/** @returns the fault when nothing more can be written into the folder; null when something can. */
export async function fullDisk(folder: string): Promise<CaptureFault | null> {
	const probe = join(folder, "probe");
	try {
		await writeFile(probe, Buffer.alloc(PROBE_BYTES));
		return null;
	} catch (error) {
		return ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "") ? STORAGE_FULL : null;
	} finally {
		await rm(probe, { force: true }).catch(() => undefined);
	}
}
