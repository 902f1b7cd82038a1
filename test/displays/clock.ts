/** A clock that can be set while a program runs, by libfaketime. Monotonic time is not changed. */
import { chmod, glob, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { requireProgram } from "../processes/programs.ts";

export interface SettableClock {
	/** Environment of a program that uses this clock. */
	env: Record<string, string>;
	/** Sets it ahead of the machine's clock, or behind it. */
	set(aheadSeconds: number): Promise<void>;
	/** @returns a program that runs `program` with this clock, for callers that set their own environment. */
	wrap(program: string): Promise<string>;
}

/** The environment of a program that reads the time often, and may notice a change this many seconds late. */
export const cachedFor = ({ env }: SettableClock, seconds: number): Record<string, string> => ({
	...env,
	FAKETIME_NO_CACHE: "0",
	FAKETIME_CACHE_DURATION: String(seconds),
});

/** Debian keeps it in the folder of the machine's architecture. */
async function faketimeLibrary(): Promise<string> {
	requireProgram("faketime");
	for await (const path of glob("/usr/lib/*/faketime/libfaketimeMT.so.1")) return path;
	throw new Error("libfaketimeMT.so.1 is missing; install it with: apt-get install faketime");
}

/** @param folder for its files; the caller removes it. */
export async function settableClock(folder: string): Promise<SettableClock> {
	const file = join(folder, "clock");
	const set = async (aheadSeconds: number) => {
		await writeFile(`${file}.new`, `${aheadSeconds < 0 ? "" : "+"}${aheadSeconds}\n`);
		await rename(`${file}.new`, file);
	};
	await set(0);
	const env = {
		LD_PRELOAD: await faketimeLibrary(),
		FAKETIME_TIMESTAMP_FILE: file,
		// Every reader sees the same time.
		FAKETIME_NO_CACHE: "1",
		FAKETIME_DONT_FAKE_MONOTONIC: "1",
		NO_FAKE_STAT: "1",
	};
	return {
		env,
		set,
		async wrap(program) {
			const path = join(folder, `${program}-under-the-clock`);
			const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
			await writeFile(path, `#!/bin/sh\nexec env ${variables.join(" ")} ${program} "$@"\n`);
			await chmod(path, 0o755);
			return path;
		},
	};
}
