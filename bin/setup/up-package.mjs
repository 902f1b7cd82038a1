/** `npx tapedeck up`: starts everything from the npm package `@tapedeck/dashboard`, which has this as one file. */
import { homedir } from "node:os";
import { join } from "node:path";
import { startAll } from "./start-all.mjs";
import { ensurePrograms, forUp } from "./system-packages.mjs";

const folder = import.meta.dirname;
const dataHome = process.env.XDG_DATA_HOME || join(homedir(), ".local", "share");

/** @type {import("./product.mjs").Product} */
const PACKAGE = {
	command: "npx tapedeck up",
	folder,
	dashboard: [join(folder, "server.js")],
	runner: [join(folder, "command", "tapedeck.cjs"), "runner"],
	dataDir: join(dataHome, "tapedeck"),
	workingDir: process.cwd(),
};

startAll(PACKAGE, async () => {
	await ensurePrograms(forUp, { installs: false });
	return process.execPath;
});
