/** Is there an ffmpeg that can do the work? */
import { execFile } from "node:child_process";
import { FatalError } from "../log.ts";

interface Output {
	text: string;
	code: string | number | null;
}

function output(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Output> {
	return new Promise((resolve) => {
		execFile(program, args, { env, timeout: 10_000, maxBuffer: 4 << 20 }, (error, stdout, stderr) => {
			resolve({ text: stdout + stderr, code: error?.code ?? null });
		});
	});
}

/**
 * Checks the program once, at start.
 * @returns its version line.
 * @throws FatalError with the remedy when it is missing or lacks x11grab or libx264.
 */
export async function checkFfmpeg(program: string, env: NodeJS.ProcessEnv): Promise<string> {
	const remedy = "install it with: apt-get install ffmpeg (or set TAPEDECK_FFMPEG to another one)";
	const version = await output(program, ["-hide_banner", "-version"], env);
	if (version.code === "ENOENT") throw new FatalError(`There is no ffmpeg (looked for ${program}); ${remedy}.`);
	if (version.code === "EACCES") throw new FatalError(`${program} cannot be run as a program; ${remedy}.`);
	const line = version.text.split("\n").find((text) => text.startsWith("ffmpeg version"));
	if (version.code !== null || line === undefined) {
		throw new FatalError(`${program} does not run as ffmpeg; ${remedy}.`);
	}
	const [devices, encoders] = await Promise.all([
		output(program, ["-hide_banner", "-devices"], env),
		output(program, ["-hide_banner", "-encoders"], env),
	]);
	const missing = [
		/\bx11grab\b/.test(devices.text) ? null : "x11grab",
		/\blibx264\b/.test(encoders.text) ? null : "libx264",
	].filter((name) => name !== null);
	if (missing.length > 0) {
		throw new FatalError(`This ffmpeg (${program}) was built without ${missing.join(" and ")}; ${remedy}.`);
	}
	return line;
}
