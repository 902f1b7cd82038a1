import { chmod, chown, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { whyNotAsRoot } from "./foreign-files.ts";

const NOBODY = 65_534;

let folder: string;
let program: string;
beforeEach(async () => {
	if (process.getuid?.() !== 0) throw new Error("Run this test as root: it makes files of other users.");
	folder = await mkdtemp(join(tmpdir(), "tapedeck-foreign-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	await mkdir(join(folder, "1.0/bin"), { recursive: true });
	await writeFile(join(folder, "1.0/bin/tapedeck"), "");
	await symlink("1.0", join(folder, "current"));
	program = join(folder, "current/bin/tapedeck");
});

test("root runs what only root can change, also in a folder of /tmp", () => {
	expect(whyNotAsRoot(program)).toBeNull();
});

test.each([
	"",
	"1.0",
	"1.0/bin",
	"1.0/bin/tapedeck",
])("root does not run a program when another user owns its %j", async (place) => {
	await chown(join(folder, place), NOBODY, NOBODY);
	const sentence = `${join(folder, place)} belongs to the user ${NOBODY}, and root runs no file of another user`;
	expect(whyNotAsRoot(program)).toBe(sentence);
});

test("root does not run a program when others can write to it or to its folder", async () => {
	await chmod(join(folder, "1.0/bin"), 0o775);
	expect(whyNotAsRoot(program)).toBe(
		`other users can write to ${join(folder, "1.0/bin")}, and root runs no file that they can change`,
	);
	await chmod(join(folder, "1.0/bin"), 0o755);
	await chmod(join(folder, "1.0/bin/tapedeck"), 0o666);
	expect(whyNotAsRoot(program)).toContain("other users can write to");
});

test("root does not run a program that a link of root leads to when it is another user's", async () => {
	const home = await temporaryFolder("foreign-home");
	await writeFile(join(home, "tapedeck"), "");
	await chown(home, NOBODY, NOBODY);
	await symlink(join(home, "tapedeck"), join(folder, "link"));
	expect(whyNotAsRoot(join(folder, "link"))).toContain(`${home} belongs to the user ${NOBODY}`);
});
