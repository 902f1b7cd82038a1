/** Interface of a GitHub Actions step: inputs, state, files and workflow commands. */
import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

/** An input that the workflow has to change. The step fails with its message. */
export class InputError extends Error {
	name = "InputError";
}

/** @returns the input without surrounding white space; empty if it is not set. */
export const input = (name) => (process.env[`INPUT_${name.toUpperCase()}`] ?? "").trim();

/** @returns the lines of the input that are not empty. */
export const inputLines = (name) =>
	input(name)
		.split("\n")
		.map((line) => line.trim())
		.filter((line) => line !== "");

/** @throws InputError */
export function booleanInput(name) {
	const text = input(name);
	if (/^(true|false|)$/i.test(text)) return text.toLowerCase() === "true";
	throw new InputError(`${name}: Use true or false.`);
}

/** @returns what the begin step saved for the post step; empty if it did not come that far. */
export const state = (name) => process.env[`STATE_${name}`] ?? "";

/** Keeps a value for the post step. */
export const saveState = (name, value) => append("GITHUB_STATE", name, value);
/** For later steps, as `steps.<id>.outputs.<name>`. */
export const setOutput = (name, value) => append("GITHUB_OUTPUT", name, value);
/** A variable of all later steps. */
export const exportVariable = (name, value) => append("GITHUB_ENV", name, value);

/** The later steps find the programs of this folder. */
export const addPath = (folder) => appendTo("GITHUB_PATH", `${folder}\n`);
/** Markdown on the page of the workflow's run. */
export const addSummary = (text) => appendTo("GITHUB_STEP_SUMMARY", text);

function append(variable, name, value) {
	// No value contains the end mark, so none can set another variable.
	const end = `end-${randomUUID()}`;
	appendTo(variable, `${name}<<${end}\n${value}\n${end}\n`);
}

function appendTo(variable, text) {
	const file = process.env[variable];
	if (file) appendFileSync(file, text);
}

/** From here on, GitHub shows *** in its place in all logs of the job. */
export function mask(secret) {
	if (secret !== "") command("add-mask", secret);
}

/** An annotation of the run. It fails nothing. */
export const warning = (message) => command("warning title=Tapedeck", message);
/** An annotation of the run, for what fails the step. */
export const error = (message) => command("error title=Tapedeck", message);

/** Lines that are folded in the log. */
export function group(title, text) {
	command("group", title);
	console.log(text.trimEnd());
	command("endgroup", "");
}

const command = (name, message) => console.log(`::${name}::${escaped(message)}`);

const escaped = (text) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
