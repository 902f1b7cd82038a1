/** A runner's install, `npm ci --omit=dev`, is small: it holds what a runner imports, and nothing that only pages need. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const json = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8"));

/** Every file and package that the program ever loads. */
function importsOf(program: string): { files: Set<string>; packages: Set<string> } {
	const [files, packages] = [new Set<string>(), new Set<string>()];
	const left = [join(root, program)];
	for (let file = left.pop(); file !== undefined; file = left.pop()) {
		if (files.has(file)) continue;
		files.add(file);
		for (const [, named = ""] of readFileSync(file, "utf8").matchAll(/(?:\bfrom|\bimport\(|^import) ?"([^"]+)"/gm)) {
			if (named.startsWith(".")) left.push(join(dirname(file), named));
			else if (named.startsWith("#")) left.push(join(root, named.slice(1)));
			else if (!isBuiltin(named)) packages.add(/^(@[^/]+\/)?[^/]+/.exec(named)?.[0] ?? named);
		}
	}
	return { files, packages };
}

const { files, packages } = importsOf("runner/cli.ts");

test("dependencies are exactly the packages that the runner imports", () => {
	expect([...packages].sort()).toEqual(Object.keys(json("package.json").dependencies).sort());
});

test("npm ci --omit=dev installs only the dependencies and the Node of the lock file", () => {
	type Locked = { dev?: true; devOptional?: true; link?: true };
	const locked = json("package-lock.json").packages as Record<string, Locked>;
	// Workspaces of this repository are links and folders of it: nothing is downloaded for them.
	const installed = Object.entries(locked).filter(
		([path, { dev, devOptional, link }]) => path.includes("node_modules/") && !dev && !devOptional && !link,
	);
	const { dependencies, optionalDependencies } = json("package.json");
	const wanted = Object.keys({ ...dependencies, ...optionalDependencies }).map((name) => `node_modules/${name}`);
	expect(installed.map(([path]) => path).sort()).toEqual(wanted.sort());
});

test("without Node 24, the tapedeck command says which version it found and how to install the packages", async () => {
	const copy = await mkdtemp(join(tmpdir(), "tapedeck-copy-"));
	onTestFinished(() => rm(copy, { recursive: true }));
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
			/^Tapedeck runs on Node 24, and this machine has v20\.20\.2\. .+ npm ci --omit=dev .+\n$/,
		),
	});
});

test("every file that the runner loads is in the runner image", () => {
	const loaded = [...files].map((file) => relative(root, file));
	// The folders that it copies.
	expect(loaded.filter((path) => !/^(lib|runner|clients\/typescript\/src)\//.test(path))).toEqual([]);
	// Dynamic imports were followed too.
	expect(loaded).toContain("runner/commands/doctor.ts");
});
