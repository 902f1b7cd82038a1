/** The Python client as a wheel and a source archive. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Remedy } from "../bin/setup/remedy.mjs";

const run = promisify(execFile);

/**
 * @param root the project's folder.
 * @param epoch the time that the archives' files have, in seconds since 1970.
 * @returns the paths of the archives.
 */
export async function packPython(root: string, destination: string, epoch: string): Promise<string[]> {
	const source = join(root, "clients", "python");
	const environment = join(root, ".cache", "python-build");
	const python = join(environment, "bin", "python");
	if (!existsSync(python)) {
		await run("python3", ["-m", "venv", environment]).catch(
			because(
				"A release needs Python 3 with venv. Install it (on Debian: apt-get install python3-venv), then start again",
			),
		);
	}
	const pinned = ["--constraint", join(source, "requirements-dev.txt")];
	await run(python, ["-m", "pip", "install", "--quiet", ...pinned, "build", "hatchling"]).catch(
		because("What builds the Python packages could not be installed. Check the network, then start again"),
	);
	// biome-ignore lint/style/noProcessEnv: pip and Python need the caller's.
	const env = { ...process.env, SOURCE_DATE_EPOCH: epoch };
	await run(python, ["-m", "build", "--no-isolation", "--outdir", destination, source], { env });
	return (await readdir(destination)).sort().map((name) => join(destination, name));
}

const because =
	(sentence: string) =>
	({ stderr, message }: Error & { stderr?: string }): never => {
		throw new Remedy(`${sentence}:\n${(stderr || message).trim()}`);
	};
