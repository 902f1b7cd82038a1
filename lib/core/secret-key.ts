/** The secret keys: the current one, created in the data directory at the first start, and those it replaced. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "./make-directory.ts";
import { SECRET_KEY_BYTES } from "./secret-box.ts";
import { syncFolder } from "./sync-folder.ts";

export const SECRET_KEY_FILE = "secret.key";
/** Replaced keys, newest first, one per line. */
export const PREVIOUS_KEYS_FILE = "secret.key.previous";

export interface SecretKeys {
	/** Encrypts new texts, and signs sessions and links. */
	current: Buffer;
	/** Older keys, which can only decrypt. */
	previous: Buffer[];
}

/**
 * @param given keys from the environment: a current one replaces the file's, which can then only decrypt.
 * @throws when a file contains anything but keys.
 */
export async function loadSecretKeys(
	dataDir: string,
	given: { current: Buffer | null; previous: readonly Buffer[] },
): Promise<SecretKeys> {
	const fileKey = given.current === null ? null : await readKey(path.join(dataDir, SECRET_KEY_FILE));
	const current = given.current ?? (await loadSecretKey(dataDir));
	const replaced = await readPrevious(dataDir);
	return { current, previous: [...(fileKey === null ? [] : [fileKey]), ...given.previous, ...replaced] };
}

/**
 * Replaces the current key, which stays available for decryption. Safe to kill at any moment: the old key is saved as a
 * previous one before the new one is written.
 * @throws when there is no key to replace.
 */
export async function rotateSecretKey(dataDir: string): Promise<void> {
	const current = await readKey(path.join(dataDir, SECRET_KEY_FILE));
	if (current === null) {
		throw new Error(`${SECRET_KEY_FILE} not found in ${dataDir}. Set TAPEDECK_DATA_DIR to the dashboard's directory.`);
	}
	const previous = await readPrevious(dataDir);
	const lines = [current, ...previous].map((key) => `${key.toString("hex")}\n`);
	await replaceFile(dataDir, PREVIOUS_KEYS_FILE, [...new Set(lines)].join(""));
	await replaceFile(dataDir, SECRET_KEY_FILE, `${randomBytes(SECRET_KEY_BYTES).toString("hex")}\n`);
}

/**
 * Reads the key, or creates it at the first start.
 * @param dataDir created if missing.
 * @returns the key, 32 bytes. The file contains 64 hex characters and is readable by its owner only.
 * @throws when the file contains anything else: a new key would make every encrypted secret unreadable.
 */
export async function loadSecretKey(dataDir: string): Promise<Buffer> {
	const file = path.join(dataDir, SECRET_KEY_FILE);
	const existing = await readKey(file);
	if (existing !== null) return existing;
	await makeDirectory(dataDir);
	await makeKey(dataDir, file);
	const created = await readKey(file);
	if (created === null) throw new Error(`The secret key ${file} was deleted while it was being created. Start again.`);
	return created;
}

/** @returns null when the file does not exist. */
async function readLines(file: string): Promise<string[] | null> {
	try {
		return (await readFile(file, "utf8")).trim().split(/\s+/);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
		throw error;
	}
}

async function readPrevious(dataDir: string): Promise<Buffer[]> {
	const file = path.join(dataDir, PREVIOUS_KEYS_FILE);
	const keys = ((await readLines(file)) ?? []).filter((line) => line !== "").map(parseSecretKey);
	if (!keys.every((key) => key !== null)) {
		throw new Error(
			`The keys in ${file} are not ${SECRET_KEY_BYTES * 2} hexadecimal characters each. Restore the file from a backup, or remove it if nothing is encrypted with an older key.`,
		);
	}
	return keys;
}

/** @returns the key that the hexadecimal text represents; null when it is not a key. */
export const parseSecretKey = (text: string): Buffer | null =>
	/^[0-9a-f]+$/i.test(text) && text.length === SECRET_KEY_BYTES * 2 ? Buffer.from(text, "hex") : null;

async function readKey(file: string): Promise<Buffer | null> {
	const lines = await readLines(file);
	if (lines === null) return null;
	const key = lines.length === 1 ? parseSecretKey(lines[0] ?? "") : null;
	if (key === null) {
		throw new Error(
			`The secret key in ${file} is not ${SECRET_KEY_BYTES * 2} hexadecimal characters. Restore the file from a backup; delete it only if no stored grid password is needed.`,
		);
	}
	return key;
}

/** Written to a temporary file and linked into place: never half a key, and of two processes the first one wins. */
async function makeKey(dataDir: string, file: string): Promise<void> {
	await withDraft(dataDir, `${randomBytes(SECRET_KEY_BYTES).toString("hex")}\n`, (draft) =>
		link(draft, file).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "EEXIST") throw error;
		}),
	);
}

const replaceFile = (dataDir: string, name: string, text: string): Promise<void> =>
	withDraft(dataDir, text, (draft) => rename(draft, path.join(dataDir, name)));

/** Writes a temporary file, lets `place` move it into place, and returns once both are on disk. */
async function withDraft(dataDir: string, text: string, place: (draft: string) => Promise<void>): Promise<void> {
	const draft = path.join(dataDir, `.${SECRET_KEY_FILE}.${randomBytes(6).toString("hex")}`);
	try {
		const handle = await open(draft, "wx", 0o600);
		try {
			await handle.writeFile(text);
			await handle.sync();
		} finally {
			await handle.close();
		}
		await place(draft);
		await syncFolder(dataDir);
	} finally {
		await rm(draft, { force: true });
	}
}
