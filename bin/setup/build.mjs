/** Runs `next build` when the sources have changed, one build at a time. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureNodePackages, node24 } from "./node-packages.mjs";
import { isAlive } from "./process-table.mjs";
import { fail, Remedy } from "./remedy.mjs";
import { lastLines, root, run, say, withPackages } from "./run.mjs";

const sources = ["app", "components", "contract", "lib", "machine", "media", "public"];
const settings = ["next.config.js", "postcss.config.js", "postcss.config.mjs", "package-lock.json", "tsconfig.json"];
const commandSources = ["clients/typescript/src", "contract", "machine", "media", "release", "runner"];
const commandStamp = join(root, ".cache", "command-sources");
const stampFile = join(root, ".next", "tapedeck-sources");
const lockFile = join(root, ".cache", "build.lock");

function* filesUnder(folder) {
	if (!existsSync(folder)) return;
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) yield* filesUnder(path);
		else if (!/\.test\.tsx?$/.test(entry.name)) yield path;
	}
}

const isFolder = (name) => statSync(join(root, name), { throwIfNoEntry: false })?.isDirectory() === true;

const readOr = (path, otherwise) => {
	try {
		return readFileSync(path);
	} catch {
		return otherwise;
	}
};

/** A digest of everything that the build of the pages reads. The build's id comes from it (next.config.js). */
export const digestOfSources = () => digestOf([...settings, ...sources]);

/** A digest of files and of those in folders. */
function digestOf(names) {
	const hash = createHash("sha256");
	const paths = names.flatMap((name) => (isFolder(name) ? [...filesUnder(join(root, name))] : [join(root, name)]));
	for (const path of paths.sort())
		hash.update(relative(root, path)).update("\0").update(readOr(path, "absent")).update("\0");
	return hash.digest("hex");
}

const isBuilt = (digest) =>
	String(readOr(stampFile, "")) === digest && readOr(join(root, ".next", "BUILD_ID"), null) !== null;

/** Waits until no other build runs in this checkout, then runs `work`. The lock of a dead process is ignored. */
async function alone(work) {
	mkdirSync(join(root, ".cache"), { recursive: true });
	for (let announced = false; ; await new Promise((next) => setTimeout(next, 200))) {
		try {
			writeFileSync(lockFile, String(process.pid), { flag: "wx" });
			break;
		} catch (error) {
			if (error.code !== "EEXIST") throw error;
		}
		const holder = Number(readOr(lockFile, ""));
		if (holder > 0 && !isAlive(holder)) rmSync(lockFile, { force: true });
		else if (!announced) {
			announced = true;
			say("Another build runs in this checkout; waiting for it …");
		}
	}
	try {
		return await work();
	} finally {
		rmSync(lockFile, { force: true });
	}
}

/** Bundles the command that the dashboard installs on runners, unless it is up to date. */
async function ensureCommand() {
	const digest = digestOf([...commandSources, "package-lock.json"]);
	if (String(readOr(commandStamp, "")) === digest && existsSync(join(root, "command", "tapedeck.mjs"))) return;
	const { code, output } = await run(await node24(), ["release/write-command.ts"], { quiet: true });
	if (code !== 0) throw new Remedy(`The build failed. Fix the errors, then start again:\n${lastLines(output, 30)}`);
	mkdirSync(join(root, ".cache"), { recursive: true });
	writeFileSync(commandStamp, digest);
}

/**
 * Builds the pages unless the build is up to date.
 * @throws Remedy with the compiler's last lines.
 */
export async function ensureBuilt() {
	await ensureCommand();
	if (isBuilt(digestOfSources())) return;
	await alone(async () => {
		const digest = digestOfSources();
		if (isBuilt(digest)) return;
		say("Building the dashboard (next build); this takes about a minute …");
		const env = withPackages({ NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
		const { code, output } = await run(join(root, "node_modules/.bin/next"), ["build"], { env, quiet: true });
		if (code !== 0) throw new Remedy(`The build failed. Fix the errors, then start again:\n${lastLines(output, 30)}`);
		writeFileSync(stampFile, digest);
	});
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
	ensureNodePackages()
		.then(ensureBuilt)
		.then(() => say("The dashboard is built."), fail);
}
