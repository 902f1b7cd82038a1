/** The secret keys: the one of now, made in the data directory on the first start, and those before it. */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { makeDirectory } from "./make-directory.ts";
import { SECRET_KEY_BYTES } from "./secret-box.ts";

export const SECRET_KEY_FILE = "secret.key";
/** Keys that were replaced, the newest first, a line each. */
export const PREVIOUS_KEYS_FILE = "secret.key.previous";

export interface SecretKeys {
	/** What new texts are sealed under, and sessions and links are signed with. */
	current: Buffer;
	/** What older texts may still be sealed under. */
	previous: Buffer[];
}

/**
 * @param given keys of the environment: a current one takes the place of the file's, which then opens what it sealed.
 * @throws when a file holds anything but keys.
 */
export async function loadSecretKeys(
	dataDir: string,
	given: { current: Buffer | null; previous: readonly Buffer[] },
): Promise<SecretKeys> {
	const kept = given.current === null ? null : await readKey(path.join(dataDir, SECRET_KEY_FILE));
	const current = given.current ?? (await loadSecretKey(dataDir));
	const replaced = await readPrevious(dataDir);
	return { current, previous: [...(kept === null ? [] : [kept]), ...given.previous, ...replaced] };
}

/**
 * Puts a new key into the place of the current one, which is kept for opening. Killed at any moment, it leaves every key
 * in one of the files: the old one is written down as such before the new one is there.
 * @throws when there is no key to replace.
 */
export async function rotateSecretKey(dataDir: string): Promise<void> {
	const current = await readKey(path.join(dataDir, SECRET_KEY_FILE));
	if (current === null) {
		throw new Error(
			`There is no ${SECRET_KEY_FILE} in ${dataDir}. Set TAPEDECK_DATA_DIR to the dashboard's directory.`,
		);
	}
	const previous = await readPrevious(dataDir);
	const lines = [current, ...previous].map((key) => `${key.toString("hex")}\n`);
	await replaceFile(dataDir, PREVIOUS_KEYS_FILE, [...new Set(lines)].join(""));
	await replaceFile(dataDir, SECRET_KEY_FILE, `${randomBytes(SECRET_KEY_BYTES).toString("hex")}\n`);
}

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

/** @returns null when there is no such file. */
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
			`The keys in ${file} are not ${SECRET_KEY_BYTES * 2} hexadecimal characters each. Bring the file back from a backup, or remove it if nothing is sealed under an older key any more.`,
		);
	}
	return keys;
}

/** @returns the key that the text tells in hexadecimal characters; null when it is none. */
export const parseSecretKey = (text: string): Buffer | null =>
	/^[0-9a-f]+$/i.test(text) && text.length === SECRET_KEY_BYTES * 2 ? Buffer.from(text, "hex") : null;

async function readKey(file: string): Promise<Buffer | null> {
	const lines = await readLines(file);
	if (lines === null) return null;
	const key = lines.length === 1 ? parseSecretKey(lines[0] ?? "") : null;
	if (key === null) {
		throw new Error(
			`The secret key in ${file} is not ${SECRET_KEY_BYTES * 2} hexadecimal characters. Bring the file back from a backup; delete it only if no stored grid password is needed any more.`,
		);
	}
	return key;
}

/** Written beside its place and linked into it: never half a key, and of two processes the first one wins. */
async function makeKey(dataDir: string, file: string): Promise<void> {
	await withDraft(dataDir, `${randomBytes(SECRET_KEY_BYTES).toString("hex")}\n`, (draft) =>
		link(draft, file).catch((error: NodeJS.ErrnoException) => {
			if (error.code !== "EEXIST") throw error;
		}),
	);
}

const replaceFile = (dataDir: string, name: string, text: string): Promise<void> =>
	withDraft(dataDir, text, (draft) => rename(draft, path.join(dataDir, name)));

/** Writes a file beside its place, lets it be put there, and is back when the disk has both. */
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
		const folder = await open(dataDir, "r");
		await folder.sync().finally(() => folder.close());
	} finally {
		await rm(draft, { force: true });
	}
}
