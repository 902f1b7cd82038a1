/** The packages of the clients in programs of every module system, with the compiler of TypeScript 5 and with Node. */
import { execFile } from "node:child_process";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installClients } from "../../../test/clients/install-clients.ts";

const PACKAGE = new URL("..", import.meta.url).pathname;
const MODULES = join(PACKAGE, "../../node_modules");
const run = promisify(execFile);

const SCRIPT = `
import { Tapedeck, TapedeckError, type Job, type LiveRecording } from "@tapedeck/client";
import Reporter, { test, type TapedeckReporterOptions } from "@tapedeck/playwright";

const client: Tapedeck = new Tapedeck({ url: "http://127.0.0.1:9", apiKey: "tdk_1", retries: 0 });
const options: TapedeckReporterOptions = { displayId: ":99" };
export const nameOf = (recording: LiveRecording): Job["name"] => recording.job.name;
client.jobs.get(1).catch((error: unknown) => {
	const code: string = error instanceof TapedeckError ? error.code : "none";
	console.log([code, typeof new Reporter(options).onBegin, typeof test.step].join(" "));
});
// @ts-expect-error the types are known
client.jobs.get("one").catch(() => undefined);
`;

let folder: string;
beforeAll(async () => {
	({ folder } = await installClients("typescript", "playwright"));
	for (const name of ["playwright", "playwright-core"]) {
		await symlink(join(MODULES, name), join(folder, "node_modules", name));
	}
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

test.each([
	["module commonjs, which resolves as node10", { module: "commonjs" }, "commonjs"],
	["node16 in a CommonJS module", { module: "node16" }, "commonjs"],
	["node16 in an ES module", { module: "node16" }, "module"],
	["nodenext in a CommonJS module", { module: "nodenext" }, "commonjs"],
	["moduleResolution bundler", { module: "es2022", moduleResolution: "bundler" }, "module"],
] as const)("a program is compiled and runs with %s", async (name, modules, type) => {
	const own = join(folder, name.replaceAll(/\W+/g, "-"));
	await mkdir(own);
	await writeFile(join(own, "package.json"), JSON.stringify({ type }));
	await writeFile(join(own, "script.ts"), SCRIPT);
	const types = { types: ["node"], typeRoots: [join(MODULES, "@types")] };
	const compilerOptions = { target: "es2022", lib: ["es2023", "dom"], strict: true, esModuleInterop: true, ...types };
	// The libraries' own declarations are not checked: Playwright's have faults.
	const isChecked = { skipLibCheck: true };
	await writeFile(
		join(own, "tsconfig.json"),
		JSON.stringify({ compilerOptions: { ...compilerOptions, ...isChecked, ...modules }, files: ["script.ts"] }),
	);
	const tsc = join(PACKAGE, "node_modules/typescript/bin/tsc");
	const faults = await run(process.execPath, [tsc, "-p", own]).then(
		() => "",
		({ stdout }) => stdout,
	);
	expect(faults).toBe("");
	const { stdout } = await run(process.execPath, [join(own, "script.js")]);
	expect(stdout).toBe("unreachable function function\n");
});

test("a program that requires and imports the client has each class once", async () => {
	const script = `
		const { TapedeckError } = require("@tapedeck/client");
		import("@tapedeck/client").then((imported) => console.log(imported.TapedeckError === TapedeckError));
	`;
	await writeFile(join(folder, "both.cjs"), script);
	const { stdout } = await run(process.execPath, ["both.cjs"], { cwd: folder });
	expect(stdout).toBe("true\n");
});
