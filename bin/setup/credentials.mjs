/** The first account, API key and runner token: from the environment or generated, and stored for the next start. */
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Remedy } from "./remedy.mjs";

const variables = {
	email: "TAPEDECK_BOOTSTRAP_EMAIL",
	password: "TAPEDECK_BOOTSTRAP_PASSWORD",
	apiKey: "TAPEDECK_BOOTSTRAP_API_KEY",
	runnerToken: "TAPEDECK_BOOTSTRAP_RUNNER_TOKEN",
};

const syllables = () =>
	Array.from({ length: 3 }, () => "bdfgklmnprstvz"[randomInt(14)] + "aeiou"[randomInt(5)]).join("");
/** 40 base-62-like characters; base64url's two others are left out so that a double click takes the whole key. */
const secret = (prefix) => `${prefix}_${randomBytes(60).toString("base64url").replace(/[-_]/g, "").slice(0, 40)}`;

const made = {
	email: () => "owner@tapedeck.local",
	// Easy to type: 4 words of 3 syllables are 73 bits.
	password: () => [1, 2, 3, 4].map(syllables).join("-"),
	apiKey: () => secret("tdk"),
	runnerToken: () => secret("tdr"),
};

/**
 * The values that this data directory's database was, or will be, set up with.
 * @returns `{ values, file, ignored }`; `ignored` names variables that differ from the stored values.
 * @throws Remedy when the file exists and cannot be read.
 */
export function loadCredentials(dataDir, env = process.env) {
	const file = join(dataDir, "first-sign-in.json");
	const kept = read(file);
	const values = {};
	const ignored = [];
	for (const [name, variable] of Object.entries(variables)) {
		const given = env[variable] || undefined;
		values[name] = kept[name] ?? given ?? made[name]();
		if (given !== undefined && given !== values[name]) ignored.push(variable);
	}
	if (Object.keys(variables).some((name) => kept[name] === undefined)) write(file, values);
	return { values, file, ignored };
}

/** The values as the dashboard's environment. */
export const bootstrapEnv = (values) =>
	Object.fromEntries(Object.entries(variables).map(([name, variable]) => [variable, values[name]]));

function read(file) {
	let text;
	try {
		text = readFileSync(file, "utf8");
	} catch (error) {
		if (error.code === "ENOENT") return {};
		throw new Remedy(`${file} cannot be read (${error.code}): make it readable for this user.`);
	}
	try {
		return JSON.parse(text);
	} catch {
		throw new Remedy(`${file} is not valid JSON: restore it, or delete it and sign in as before.`);
	}
}

function write(file, values) {
	// Written to another file first: a crash must not leave half a file.
	writeFileSync(`${file}.new`, `${JSON.stringify(values, null, "\t")}\n`, { mode: 0o600 });
	renameSync(`${file}.new`, file);
}
