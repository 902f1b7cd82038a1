/** Reads a zip with programs that are not the dashboard's: unzip checks it, and Python's zipfile reads it. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

const READ = `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as zip:
    assert zip.testzip() is None
    json.dump([[i.filename, i.compress_type, base64.b64encode(zip.read(i)).decode()] for i in zip.infolist()], sys.stdout)
`;

/** @returns its files in their order, with their compression methods. */
export async function readZip(zip: Buffer): Promise<{ name: string; method: number; content: Buffer }[]> {
	const folder = await mkdtemp(join(tmpdir(), "tapedeck-zip-"));
	const path = join(folder, "downloaded.zip");
	try {
		await writeFile(path, zip);
		await run("unzip", ["-tq", path]);
		const { stdout } = await run("python3", ["-c", READ, path], { maxBuffer: 2 ** 28 });
		return (JSON.parse(stdout) as [string, number, string][]).map(([name, method, content]) => ({
			...{ name, method },
			content: Buffer.from(content, "base64"),
		}));
	} finally {
		await rm(folder, { recursive: true });
	}
}
