/** Writes a clip of a recording to a file, which appears when it is whole. */
import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Clip } from "@tapedeck/client-source/index.ts";

/** @throws what the file system says. */
export async function writeClip({ bytes }: Pick<Clip, "bytes">, target: string): Promise<void> {
	const part = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString("hex")}.part`);
	try {
		await writeFile(part, bytes, { flag: "wx" });
		await rename(part, target);
	} finally {
		await rm(part, { force: true });
	}
}
