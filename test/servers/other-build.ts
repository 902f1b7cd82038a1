/** Another build of the dashboard, made from the existing one: it works alike, but all its scripts have other names. */
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { root } from "../stack.ts";

const COPIED = ["server.ts", "package.json", "next.config.js"];
const LINKED = ["app", "bin", "components", "lib", "public", "runner", "clients", "node_modules"];
/** The parts of a build that servers do not read. */
const LEFT_OUT = ["cache", "diagnostics", "types", "trace", "trace-build"];

export interface OtherBuild {
	/** The program that serves it. */
	program: string;
	remove(): Promise<void>;
}

/** @param prefix of the names of its scripts. @param id its build id; that of the existing build if omitted. */
export async function makeOtherBuild(prefix: string, id?: string): Promise<OtherBuild> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-build-"));
	for (const name of COPIED) await cp(join(root, name), join(folder, name));
	for (const name of LINKED) await symlink(join(root, name), join(folder, name));
	const build = join(folder, ".next");
	await mkdir(build);
	for (const name of await readdir(join(root, ".next"))) {
		if (LEFT_OUT.includes(name)) continue;
		await cp(join(root, ".next", name), join(build, name), { recursive: true, verbatimSymlinks: true });
	}
	await renameScripts(build, prefix);
	if (id !== undefined) await changeText(build, new Map([[await readFile(join(build, "BUILD_ID"), "utf8"), id]]));
	return { program: join(folder, "server.ts"), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Gives each script and style another name, wherever it is named. */
async function renameScripts(build: string, prefix: string): Promise<void> {
	const names = await readdir(join(build, "static", "chunks"));
	const renamed = new Map(names.map((name) => [name, prefix + name]));
	for (const [name, other] of renamed) {
		await rename(join(build, "static", "chunks", name), join(build, "static", "chunks", other));
	}
	await changeText(build, renamed);
}

async function changeText(build: string, changes: ReadonlyMap<string, string>): Promise<void> {
	const pattern = new RegExp([...changes.keys()].map((text) => text.replaceAll(/\W/g, "\\$&")).join("|"), "g");
	for (const entry of await readdir(build, { recursive: true, withFileTypes: true })) {
		const file = join(entry.parentPath, entry.name);
		if (entry.isDirectory() && changes.has(entry.name)) {
			await rename(file, join(dirname(file), changes.get(basename(file)) as string));
		} else if (entry.isFile() && /(^BUILD_ID|\.(js|json|html|rsc|css|body))$/.test(entry.name)) {
			const text = await readFile(file, "utf8").catch(() => null);
			const changed = text?.replaceAll(pattern, (found) => changes.get(found) ?? found);
			if (changed !== undefined && changed !== text) await writeFile(file, changed);
		}
	}
}
