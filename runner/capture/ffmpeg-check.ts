/** Checks that ffmpeg can record: it runs, is new enough, and has x11grab and libx264. */
import { execFile } from "node:child_process";
import { FatalError } from "../base/fault.ts";

/** The first version with `-fps_mode`. */
const OLDEST = [5, 1] as const;

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

const unusable = (code: string, what: string): FatalError =>
	new FatalError({
		code,
		what,
		remedy: "install it with: apt-get install ffmpeg (or set TAPEDECK_FFMPEG to another one)",
	});

/** Builds of ffmpeg's main branch have no number: they are taken for new ones. */
function isTooOld(line: string): boolean {
	const [, major, minor] = /^ffmpeg version n?(\d+)\.(\d+)/.exec(line)?.map(Number) ?? [];
	if (major === undefined || minor === undefined) return false;
	return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
}

/**
 * Checks the program once, at start.
 * @returns its version line.
 * @throws FatalError with the remedy when it is missing, is too old or lacks x11grab or libx264.
 */
export async function checkFfmpeg(program: string, env: NodeJS.ProcessEnv): Promise<string> {
	// Each start of Debian's ffmpeg takes 0.1 s of processor time: the list of encoders has the version above it.
	const [version, devices] = await Promise.all([
		output(program, ["-encoders"], env),
		output(program, ["-hide_banner", "-devices"], env),
	]);
	if (version.code === "ENOENT") throw unusable("ffmpeg_not_found", `ffmpeg was not found (looked for ${program})`);
	if (version.code === "EACCES") throw unusable("ffmpeg_not_executable", `${program} is not executable`);
	const line = version.text.split("\n").find((text) => text.startsWith("ffmpeg version"));
	if (version.code !== null || line === undefined) throw unusable("not_ffmpeg", `${program} is not ffmpeg`);
	if (isTooOld(line)) {
		throw unusable(
			"ffmpeg_too_old",
			`${line.split(" Copyright")[0]} is too old: ${OLDEST.join(".")} or later is needed`,
		);
	}
	const missing = [
		/\bx11grab\b/.test(devices.text) ? null : "x11grab",
		/\blibx264\b/.test(version.text) ? null : "libx264",
	].filter((name) => name !== null);
	if (missing.length > 0) {
		throw unusable("ffmpeg_incomplete", `This ffmpeg (${program}) was built without ${missing.join(" and ")}`);
	}
	return line;
}
