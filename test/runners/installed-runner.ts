/** A runner that a dashboard's install.sh has installed, as an older version. */
import { readlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { VERSION } from "@tapedeck/contract/version.ts";
import { TEST_RUNNER_TOKEN } from "../api-server.ts";
import { type Child, startChild } from "../processes/child.ts";

const NOBODY = 65_534;
/** The version that the installation reports. */
export const OLD_VERSION = "0.0.9+0123456789ab";

export interface InstalledRunner {
	folder: string;
	/** The version that it would report if it were not OLD_VERSION. */
	dashboardVersion: string;
	/** Runs its `tapedeck` as a user other than root. */
	tapedeck(...words: string[]): Child;
	/** Starts it as people do, without systemd. */
	start(env?: Record<string, string>): Child;
	/** The version that is started. */
	current(): Promise<string>;
	/** Makes it OLD_VERSION again. */
	age(): Promise<void>;
}

/**
 * @param home an empty folder of a user other than root.
 * @param path the folders of programs; without Node 24 in them, the runner gets the dashboard's.
 */
export async function installOldRunner(
	url: string,
	home: string,
	path: string = [dirname(process.execPath), "/usr/bin:/bin"].join(delimiter),
): Promise<InstalledRunner> {
	const folder = join(home, "runner");
	const isRoot = process.getuid?.() === 0;
	const run = (program: string, words: string[], env: Record<string, string> = {}) =>
		startChild(program, words, {
			env: {
				PATH: path,
				HOME: home,
				TMPDIR: home,
				...env,
			} as never,
			cwd: home,
			...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
		});
	const script = join(home, "install.sh");
	await writeFile(script, await (await fetch(`${url}/install.sh`)).text());
	const installed = run("/bin/sh", [script, "--dir", folder, "--name", "machine"], {
		TAPEDECK_TOKEN: TEST_RUNNER_TOKEN,
	});
	if ((await installed.exited) !== 0) throw new Error(installed.output());
	const current = () => readlink(join(folder, "current"));
	const dashboardVersion = await current();
	const age = async () => {
		const aged = run("/bin/sh", [
			"-euc",
			`cd "$1"; rm -rf "$3"; mv "$2" "$3"; echo "$3" > "$3/installed-version"; ln -sfn "$3" current
			sed -i 's/VERSION = "${VERSION}"/VERSION = "0.0.9"/' "$3/dist/tapedeck.mjs"`,
			...["sh", folder, dashboardVersion, OLD_VERSION],
		]);
		if ((await aged.exited) !== 0) throw new Error(aged.output());
	};
	await age();
	return {
		folder,
		dashboardVersion,
		tapedeck: (...words) => run(join(folder, "current/bin/tapedeck"), words),
		start: (env) => run(join(folder, "start.sh"), [], env),
		current,
		age,
	};
}
