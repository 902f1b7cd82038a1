/**
 * The program that a start runs: a clone, or the npm package.
 * @typedef {{
 *   command: string,
 *   folder: string,
 *   dashboard: string[],
 *   runner: string[],
 *   dataDir: string,
 *   workingDir: string,
 * }} Product `command`: starts it again; `folder`: its programs run there; `dashboard` and `runner`: the arguments of Node;
 *   `dataDir`: the default; `workingDir`: paths are relative to it.
 */
import { join } from "node:path";
import { root } from "./run.mjs";

/** @type {Product} */
export const CLONE = {
	command: "npm run up",
	folder: root,
	dashboard: ["server.ts"],
	runner: ["runner/cli.ts", "runner"],
	dataDir: join(root, "data"),
	workingDir: root,
};
