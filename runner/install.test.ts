/** A runner's install is small: it has what a runner imports, and nothing that only the dashboard needs. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../test/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const json = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

/** The folders of the runner, each with its own package.json. */
const FOLDERS = ["runner", "contract", "machine", "media", "clients/typescript/src"];
const folderOf = (file: string) => FOLDERS.find((folder) => relative(root, file).startsWith(`${folder}/`));

/** Every file that the program ever loads, and the packages that the files of each folder import. */
function importsOf(program: string): { files: Set<string>; packages: Map<string, Set<string>> } {
	const files = new Set<string>();
	const packages = new Map(FOLDERS.map((folder) => [folder, new Set<string>()]));
	const left = [join(root, program)];
	for (let file = left.pop(); file !== undefined; file = left.pop()) {
		if (files.has(file)) continue;
		files.add(file);
		for (const [, named = ""] of readFileSync(file, "utf8").matchAll(
			/(?:\bfrom|\bimport\(|^import) ?"([^"\s()]+)"/gm,
		)) {
			if (named.startsWith(".")) left.push(join(dirname(file), named));
			else if (!isBuiltin(named)) {
				packages.get(folderOf(file) ?? "")?.add(/^(@[^/]+\/)?[^/]+/.exec(named)?.[0] ?? named);
			}
			const own = named.replace("client-source/", "clients/typescript/src/");
			if (own.startsWith("@tapedeck/")) left.push(join(root, own.slice("@tapedeck/".length)));
		}
	}
	return { files, packages };
}

const { files, packages } = importsOf("runner/cli.ts");

test.each(FOLDERS)("the dependencies of %s are exactly the packages that the runner imports there", (folder) => {
	const { dependencies = {} } = json(`${folder}/package.json`);
	expect([...(packages.get(folder) ?? [])].sort()).toEqual(Object.keys(dependencies).sort());
});

test("the root has the same versions as the runner, of Node and of what both depend on", () => {
	const { dependencies, optionalDependencies } = json("package.json");
	for (const folder of FOLDERS) {
		for (const [name, version] of Object.entries(json(`${folder}/package.json`).dependencies ?? {})) {
			expect([name, dependencies[name] ?? version]).toEqual([name, version]);
		}
	}
	expect(json("runner/package.json").optionalDependencies).toEqual(optionalDependencies);
});

test("npm ci for a runner installs only its dependencies and the Node of the lock file", async () => {
	const copy = await temporaryFolder("copy");
	const manifests = FOLDERS.map((folder) => join(folder, "package.json"));
	for (const name of ["package.json", "package-lock.json", ...manifests]) await cp(join(root, name), join(copy, name));
	const words = ["ci", "--workspace", "runner", "--omit=dev", "--dry-run", "--offline", "--no-audit", "--no-fund"];
	const { stdout } = await promisify(execFile)("npm", words, { cwd: copy });
	const { name, dependencies, optionalDependencies } = json("runner/package.json");
	expect([...stdout.matchAll(/^add (\S+)/gm)].map(([, added]) => added).sort()).toEqual(
		[name, ...Object.keys({ ...dependencies, ...optionalDependencies })].sort(),
	);
});

test("without Node 24, the tapedeck command says which version it found and how to install the packages", async () => {
	const copy = await temporaryFolder("copy");
	await mkdir(join(copy, "bin"));
	for (const name of ["tapedeck", "node24"]) await cp(join(root, "bin", name), join(copy, "bin", name));
	const path = join(copy, "path");
	await mkdir(path);
	await writeFile(join(path, "node"), "#!/bin/sh\necho v20.20.2\n", { mode: 0o755 });
	const failed = promisify(execFile)(join(copy, "bin", "tapedeck"), ["status"], {
		env: { PATH: `${path}:/usr/bin:/bin` } as unknown as NodeJS.ProcessEnv,
	});
	await expect(failed).rejects.toMatchObject({
		code: 1,
		stderr: expect.stringMatching(
			/^Tapedeck runs on Node 24, and this machine has v20\.20\.2\. .+ npm ci --workspace runner --omit=dev .+\n$/,
		),
	});
});

test("every file that the runner loads is in the runner image", () => {
	const loaded = [...files].map((file) => relative(root, file));
	const copied = /^(contract|machine|media|runner|clients\/typescript\/src)\//;
	expect(loaded.filter((path) => !copied.test(path))).toEqual([]);
	// Dynamic imports were followed too.
	expect(loaded).toContain("runner/commands/doctor.ts");
});
