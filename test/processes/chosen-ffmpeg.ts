/** Lets tests run with another ffmpeg than the machine's: `TAPEDECK_TEST_FFMPEG`, a folder with ffmpeg and ffprobe. */
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/**
 * Puts the folder first on this process's PATH. Dashboards, runners and tests inherit the PATH, so all of them use that
 * ffmpeg. Does nothing without the variable. Can be called again.
 * @throws when the folder lacks one of the programs: otherwise, the tests would pass with another version.
 */
export function chooseFfmpeg(env: NodeJS.ProcessEnv = process.env): void {
	const chosen = env.TAPEDECK_TEST_FFMPEG;
	if (chosen === undefined || chosen === "") return;
	const folder = resolve(chosen);
	for (const program of ["ffmpeg", "ffprobe"]) {
		try {
			accessSync(join(folder, program), constants.X_OK);
		} catch (cause) {
			throw new Error(`TAPEDECK_TEST_FFMPEG is ${chosen}, which has no ${program} that can be executed.`, { cause });
		}
	}
	const others = (env.PATH ?? "").split(delimiter).filter((other) => other !== folder);
	env.PATH = [folder, ...others].join(delimiter);
}
