/** The npm packages of the clients, packed and installed into a separate folder without a network. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
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
		const { archive, paths } = await pack(name);
		files.push(archive);
		contents.push(paths);
	}
	await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
	const flags = ["--offline", "--no-audit", "--no-fund", "--legacy-peer-deps"];
	await run("npm", ["install", ...flags, ...files], { cwd: folder });
	return { folder, contents };
}

/**
 * Packs a client into a folder that is kept for other tests: building it takes 5 s of processor time. One client at a time,
 * because each builds its package and its dependencies in the checkout.
 */
async function pack(name: string): Promise<{ archive: string; paths: string[] }> {
	const kept = join(root, ".cache", "packed-clients", await digestOfSources());
	await mkdir(kept, { recursive: true });
	const lock = join(root, ".cache", "pack.lock");
	const script =
		'test -e "$0.json" || { (cd "$1" && npm pack --json --pack-destination "$2") > "$0.new" && mv "$0.new" "$0.json"; }';
	const words = [lock, "sh", "-c", script, name, join(root, "clients", name), kept];
	await run("flock", words, { cwd: kept });
	const text = await readFile(join(kept, `${name}.json`), "utf8");
	// Skips the output of the build.
	const [{ filename, files }] = JSON.parse(text.slice(text.indexOf("[\n")));
	return { archive: join(kept, filename), paths: files.map(({ path }: { path: string }) => path) };
}

/** A digest of all that may become a part of the clients' packages. Their types come from the routes. */
async function digestOfSources(): Promise<string> {
	const folders = ["app/v1", "clients", "contract", "lib/http/openapi", "machine", "media", "package-lock.json"];
	const listed = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...folders];
	const { stdout } = await run("git", listed, { cwd: root, maxBuffer: 16 << 20 });
	const hash = createHash("sha256");
	for (const path of stdout.split("\0").filter(Boolean).sort()) {
		hash.update(path).update("\0");
		hash.update(await readFile(join(root, path)).catch(() => "deleted"));
	}
	return hash.digest("hex").slice(0, 16);
}
