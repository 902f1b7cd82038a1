/** The npm packages of the clients, packed and installed into a separate folder without a network. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * @param names their folders in `clients`.
 * @returns the folder with its node_modules, and what each package contains.
 */
export async function installClients(...names: string[]): Promise<{ folder: string; contents: string[][] }> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-clients-"));
	const files: string[] = [];
	const contents: string[][] = [];
	for (const name of names) {
		const { filename, paths } = await pack(name, folder);
		files.push(`./${filename}`);
		contents.push(paths);
	}
	await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
	const flags = ["--offline", "--no-audit", "--no-fund", "--legacy-peer-deps"];
	await run("npm", ["install", ...flags, ...files], { cwd: folder });
	return { folder, contents };
}

/** Packs one client at a time, because each builds its package and its dependencies in the checkout. */
async function pack(name: string, folder: string): Promise<{ filename: string; paths: string[] }> {
	const lock = join(root, ".cache", "pack.lock");
	await mkdir(join(root, ".cache"), { recursive: true });
	const command = ["npm", "pack", "--json", "--pack-destination", folder];
	const { stdout } = await run("flock", [lock, ...command], { cwd: join(root, "clients", name) });
	// Skips the output of the build.
	const [{ filename, files }] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
	return { filename, paths: files.map(({ path }: { path: string }) => path) };
}
