/** `tapedeck up`: starts a dashboard with a demo display, from the npm package of the dashboard. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { VERSION } from "@tapedeck/contract/version.ts";
import { INSTALLATION } from "../base/installation.ts";
import { OWN_PROGRAM } from "../base/own-program.ts";
import { type Environment, homeFolder } from "../config/settings.ts";
import { type Call, CommandError, EXIT, type ExitStatus } from "./command.ts";
import { defineCommand } from "./define-command.ts";

const PACKAGE = "@tapedeck/dashboard";
/** The lines of npm's output that an error shows. Its code and reason come first. */
const SHOWN_LINES = 5;

async function run(call: Call): Promise<ExitStatus> {
	if (OWN_PROGRAM.endsWith(".ts")) {
		throw new CommandError("not_a_package", 'This is a clone of Tapedeck: run "npm run up" in its folder.');
	}
	if (INSTALLATION !== null) {
		throw new CommandError(
			"not_a_package",
			'This runner belongs to a dashboard, which runs elsewhere. To start another one here, run "npx tapedeck up".',
		);
	}
	const folder = installedBeside() ?? (await install(call));
	// Signals of a terminal reach both processes; others are passed on.
	const child = spawn(process.execPath, [join(folder, "dist", "up.js")], {
		stdio: "inherit",
		env: call.env as NodeJS.ProcessEnv,
	});
	const pass = (signal: NodeJS.Signals) => child.kill(signal);
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, pass);
	const [status] = await once(child, "close");
	return status === 0 ? EXIT.done : EXIT.failed;
}

/** @returns the folder of this version's dashboard, if npm has installed it together with this command. */
function installedBeside(): string | null {
	try {
		const file = createRequire(import.meta.url).resolve(`${PACKAGE}/package.json`);
		return versionOf(file) === VERSION ? join(file, "..") : null;
	} catch {
		return null;
	}
}

const versionOf = (file: string): string => JSON.parse(readFileSync(file, "utf8")).version;

/** Installs the dashboard of this version with npm, once. @returns its folder. @throws CommandError. */
async function install(call: Call): Promise<string> {
	const folder = join(cacheFolder(call.env), `dashboard-${VERSION}`);
	const installed = join(folder, "node_modules", PACKAGE);
	if (existsSync(join(installed, "dist", "up.js"))) return installed;
	call.remark(`Installing ${PACKAGE} ${VERSION} into ${folder} …`);
	mkdirSync(folder, { recursive: true });
	const words = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", `${PACKAGE}@${VERSION}`];
	const npm = spawn("npm", words, { stdio: ["ignore", "ignore", "pipe"], env: call.env as NodeJS.ProcessEnv });
	let output = "";
	npm.stderr.setEncoding("utf8").on("data", (text: string) => {
		output += text;
	});
	npm.on("error", (error) => {
		output += error.message;
	});
	const [status] = await once(npm, "close");
	if (status === 0) return installed;
	const lines = output.trim().split("\n").slice(0, SHOWN_LINES).join("\n");
	throw new CommandError(
		"not_installed",
		`npm could not install ${PACKAGE} ${VERSION}. Check that this machine reaches npm's registry, then try again:\n${lines}`,
	);
}

const cacheFolder = (env: Environment): string => join(env.XDG_CACHE_HOME || join(homeFolder(), ".cache"), "tapedeck");

export const command = defineCommand({
	usage: "tapedeck up",
	about: `Starts a dashboard on this machine, and a runner with a virtual display that it records, to try Tapedeck. Prints the
address and the sign-in. Ctrl-C stops everything, and the next start has the recordings. Installs the npm package
@tapedeck/dashboard of this version unless it is installed already. Needs ffmpeg and Xvfb.`,
	options: [],
	notes: [
		`environment: PORT and HOST of the dashboard, 3000 and 127.0.0.1 by default; TAPEDECK_DATA_DIR, ~/.local/share/tapedeck by
default; and the other variables of the dashboard`,
		"exit status: 0 stopped; 1 failed; 2 invalid command line",
	],
	run,
});
