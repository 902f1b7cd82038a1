import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSecretBox, deriveSecret } from "./secret-box.ts";
import { loadSecretKey, SECRET_KEY_FILE } from "./secret-key.ts";

let dir: string;
beforeEach(async () => {
	dir = await mkdtemp(path.join(tmpdir(), "tapedeck-key-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

test("an encrypted text decrypts again, and does not contain the plain text", () => {
	const box = createSecretBox(randomBytes(32));
	for (const plain of ["", "hunter2", "пароль 🔑", "x".repeat(500)]) {
		const sealed = box.seal(plain);
		expect(box.open(sealed)).toBe(plain);
		if (plain !== "") expect(sealed).not.toContain(plain);
	}
	expect(box.seal("same")).not.toBe(box.seal("same"));
});

test("a text that was encrypted with another key, changed or truncated does not decrypt", () => {
	const box = createSecretBox(randomBytes(32));
	const sealed = box.seal("hunter2");
	expect(() => createSecretBox(randomBytes(32)).open(sealed)).toThrow(/another key/);
	const [version, keyId, body = ""] = sealed.split(".");
	const bytes = Buffer.from(body, "base64url");
	for (let at = 0; at < bytes.length; at++) {
		const changed = Buffer.from(bytes);
		changed[at] = (changed[at] ?? 0) ^ 1;
		expect(() => box.open(`${version}.${keyId}.${changed.toString("base64url")}`)).toThrow();
	}
	expect(() => box.open(`${version}.${keyId}.`)).toThrow(/truncated/);
	expect(() => box.open(`2.${keyId}.${body}`)).toThrow(/unknown format/);
	expect(() => box.open("hunter2")).toThrow();
});

test("after a rotation old texts still decrypt, and new ones use the new key", () => {
	const [old, fresh] = [randomBytes(32), randomBytes(32)];
	const sealed = createSecretBox(old).seal("hunter2");
	const rotated = createSecretBox(fresh, [old]);
	expect(rotated.open(sealed)).toBe("hunter2");
	expect(createSecretBox(fresh).open(rotated.seal("hunter3"))).toBe("hunter3");
});

test("a key of the wrong length is refused", () => {
	expect(() => createSecretBox(randomBytes(31))).toThrow(/32 bytes/);
});

test("a derived secret is the same for the same purpose and different for another", () => {
	const key = randomBytes(32);
	expect(deriveSecret(key, "a")).toBe(deriveSecret(key, "a"));
	expect(deriveSecret(key, "a")).not.toBe(deriveSecret(key, "b"));
	expect(deriveSecret(key, "a")).toMatch(/^[0-9a-f]{64}$/);
});

test("the key file is created once, readable by its owner only, without leaving a temporary file", async () => {
	const nested = path.join(dir, "data");
	const key = await loadSecretKey(nested);
	expect(key).toHaveLength(32);
	expect((await stat(path.join(nested, SECRET_KEY_FILE))).mode & 0o777).toBe(0o600);
	expect(await loadSecretKey(nested)).toEqual(key);
	expect(await readdir(nested)).toEqual([SECRET_KEY_FILE]);
});

test("processes that start together end up with one key", async () => {
	const keys = await Promise.all(Array.from({ length: 8 }, () => loadSecretKey(dir)));
	expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(1);
	expect(await readdir(dir)).toEqual([SECRET_KEY_FILE]);
});

test("a key file of the wrong length is refused with an error and left unchanged", async () => {
	const file = path.join(dir, SECRET_KEY_FILE);
	for (const text of ["", "abcd", "g".repeat(64), "a".repeat(66)]) {
		await writeFile(file, text);
		await expect(loadSecretKey(dir)).rejects.toThrow(/not 64 hexadecimal characters\. Restore the file from a backup/);
		expect(await readFile(file, "utf8")).toBe(text);
	}
});
