/** The location of this program: installed by a dashboard's install.sh, or a clone or an image. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { VERSION } from "@tapedeck/contract/version.ts";
import { OWN_PROGRAM } from "./own-program.ts";

/** The program's folder: `dist` in it has the file. */
const PROGRAM = join(OWN_PROGRAM, "..", "..");

/** The version that install.sh writes into the program's folder, with the dashboard's build. */
function installedVersion(): string | null {
	try {
		return readFileSync(`${PROGRAM}/installed-version`, "utf8").trim();
	} catch {
		return null;
	}
}

const installed = installedVersion();

/** The version of this program as the dashboard and `--version` show it: `0.2.0`, or installed `0.2.0+3f2a9c1b70de`. */
export const OWN_VERSION = installed ?? VERSION;

/**
 * The folder of the installation: with `current`, a link to the folder of a version, and `runner.env`, the settings.
 * Null for a clone and in an image.
 */
export const INSTALLATION = installed === null ? null : dirname(PROGRAM);

/** The command of the version that an installation starts. */
export const installedCommand = (installation: string): string => `${installation}/current/bin/tapedeck`;
