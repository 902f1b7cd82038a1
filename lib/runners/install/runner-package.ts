/** The runner of this copy of Tapedeck as one archive, for machines that become runners. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";

/** The folder of this copy of Tapedeck. Not read while modules load: bundles, which Next makes of routes, have none. */
export const rootFolder = (): string => join(import.meta.dirname, "..", "..", "..");

const MAX_BYTES = 5_000_000;

/** What `npm ci --omit=dev` and a clone would leave on a runner's machine, without what only people read. */
const CONTENT = ["package.json", "LICENSE", "bin/tapedeck", "bin/node24", "lib", "runner", "node_modules/zod"];
const WITHOUT = ["*.test.ts", "node_modules/zod/src", "*.d.ts", "*.d.cts", "*.cjs"];

export interface RunnerPackage {
	/** A .tar.gz. */
	bytes: Uint8Array<ArrayBuffer>;
	sha256: string;
}

let made: Promise<RunnerPackage> | undefined;

/** @returns the archive, which is made once per process: the files of a running dashboard do not change. */
export const runnerPackage = (): Promise<RunnerPackage> => (made ??= make());

async function make(): Promise<RunnerPackage> {
	const { stdout } = await promisify(execFile)(
		"tar",
		[
			// The same bytes in every dashboard process of this version.
			...["-cz", "--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=go=u-w"],
			...WITHOUT.map((pattern) => `--exclude=${pattern}`),
			...["-C", rootFolder(), ...CONTENT, "-C", "docs", "tapedeck-runner.service"],
		],
		{ encoding: "buffer", maxBuffer: MAX_BYTES },
	);
	return { bytes: new Uint8Array(stdout), sha256: createHash("sha256").update(stdout).digest("hex") };
}
