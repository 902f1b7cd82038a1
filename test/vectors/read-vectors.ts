/** The vectors of the files. */
import { glob, readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { Vector } from "./replay-server.ts";

/** @returns them by the name of their file. */
export async function readVectors(): Promise<Record<string, Vector[]>> {
	const files: Record<string, Vector[]> = {};
	for await (const path of glob(`${import.meta.dirname}/*.json`)) {
		files[basename(path, ".json")] = JSON.parse(await readFile(path, "utf8"));
	}
	return files;
}
