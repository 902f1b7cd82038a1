/**
 * The command that `tapedeck run` records: it lasts until the post step says how the job ended, and ends in that way.
 *
 *     node hold.mjs <folder> [<width>x<height>]
 *
 * It writes `begun.json` into the folder and waits for the file `outcome` there. With a size, it starts a display of its
 * own: that is for a job that cannot be recorded, but needs its display.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const POLL_MS = 100;

const [folder = "", size] = process.argv.slice(2);
const xvfb = size === undefined ? null : await startXvfb(size).catch(fail);
const begun = {
	display: xvfb?.display ?? process.env.DISPLAY ?? "",
	authority: xvfb?.authority ?? process.env.XAUTHORITY ?? "",
	jobId: process.env.TAPEDECK_JOB_ID ?? "",
	url: process.env.TAPEDECK_JOB_URL ?? "",
	folder: process.env.TAPEDECK_RUN ?? "",
};
writeFileSync(join(folder, "begun.new"), JSON.stringify(begun));
renameSync(join(folder, "begun.new"), join(folder, "begun.json"));

let outcome = readOutcome();
for (; outcome === null; outcome = readOutcome()) await pause(POLL_MS);
await xvfb?.stop();
if (outcome === "passed") process.exit(0);
if (outcome === "failed") process.exit(1);
// Neither: for `tapedeck run`, a command that a signal ends has no result.
process.kill(process.pid, "SIGTERM");

/** @returns null while the job runs; `gone` when nobody will say it any more, because GitHub has emptied its folder. */
function readOutcome() {
	if (!existsSync(folder)) return "gone";
	const file = join(folder, "outcome");
	return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function fail({ message }) {
	console.error(`tapedeck: ${message}`);
	process.exit(1);
}

/** Xvfb chooses the number, so that no two displays get the same. */
async function startXvfb(screen) {
	const authority = join(folder, "Xauthority");
	const cookie = randomBytes(16);
	writeFileSync(authority, authorityEntry(0xffff, "", "", cookie), { mode: 0o600 });
	const words = ["-displayfd", "3", "-screen", "0", `${screen}x24`, "-nolisten", "tcp", "-noreset", "-auth", authority];
	const child = spawn("Xvfb", words, { stdio: ["ignore", "ignore", "inherit", "pipe"] });
	const ended = new Promise((resolve) => {
		child.once("exit", resolve);
	});
	const display = await new Promise((resolve, reject) => {
		child.once("error", ({ code, message }) =>
			reject(new Error(code === "ENOENT" ? "new-display needs Xvfb, which is not installed." : `Xvfb: ${message}.`)),
		);
		ended.then((status) => reject(new Error(`Xvfb ended with status ${status}.`)));
		child.stdio[3]?.on("data", (text) => resolve(`:${String(text).trim()}`));
	});
	// Some programs look for their host and number only.
	const own = authorityEntry(256, hostname(), display.slice(1), cookie);
	// Xvfb reads a changed file when a client connects, and lets everybody in when it has no entry: so it is never written in
	// place, where it is empty for a moment.
	writeFileSync(`${authority}.new`, Buffer.concat([own, authorityEntry(0xffff, "", "", cookie)]), { mode: 0o600 });
	renameSync(`${authority}.new`, authority);
	const stop = () => {
		child.kill();
		return ended;
	};
	return { display, authority, stop };
}

/** An entry of an Xauthority file. Families: 256 is this machine, 65,535 any. */
function authorityEntry(family, address, number, cookie) {
	const fields = [address, number, "MIT-MAGIC-COOKIE-1", cookie].map((value) => Buffer.from(value));
	const withLength = (field) => [Buffer.from([field.length >> 8, field.length & 0xff]), field];
	return Buffer.concat([Buffer.from([family >> 8, family & 0xff]), ...fields.flatMap(withLength)]);
}
