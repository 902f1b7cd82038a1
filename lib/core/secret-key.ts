/** The secret key in the data directory: made on the first start, read on every other. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "./make-directory.ts";
import { SECRET_KEY_BYTES } from "./secret-box.ts";

export const SECRET_KEY_FILE = "secret.key";

/**
 * @param dataDir is made when it is missing.
 * @returns the key, 32 bytes. The file holds it as 64 hex characters, readable by its owner alone.
 * @throws when the file holds anything else: a new key would make every sealed secret unreadable.
 */
export async function loadSecretKey(dataDir: string): Promise<Buffer> {
	const file = path.join(dataDir, SECRET_KEY_FILE);
	const kept = await readKey(file);
	if (kept !== null) return kept;
	await makeDirectory(dataDir);
	await makeKey(dataDir, file);
	const made = await readKey(file);
	if (made === null) throw new Error(`The secret key ${file} vanished while it was made. Start again.`);
	return made;
}

async function readKey(file: string): Promise<Buffer | null> {
	let text: string;
	try {
		text = (await readFile(file, "utf8")).trim();
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
	if (!/^[0-9a-f]+$/i.test(text) || text.length !== SECRET_KEY_BYTES * 2) {
		throw new Error(
			`The secret key in ${file} is not ${SECRET_KEY_BYTES * 2} hexadecimal characters. Bring the file back from a backup; delete it only if no stored grid password is needed any more.`,
		);
	}
	return Buffer.from(text, "hex");
}

/** Written beside its place and linked into it: never half a key, and of two processes the first one wins. */
async function makeKey(dataDir: string, file: string): Promise<void> {
	const draft = path.join(dataDir, `.${SECRET_KEY_FILE}.${randomBytes(6).toString("hex")}`);
	try {
		const handle = await open(draft, "wx", 0o600);
		try {
			await handle.writeFile(`${randomBytes(SECRET_KEY_BYTES).toString("hex")}\n`);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await link(draft, file).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "EEXIST") throw error;
		});
		const folder = await open(dataDir, "r");
		await folder.sync().finally(() => folder.close());
	} finally {
		await rm(draft, { force: true });
	}
}
