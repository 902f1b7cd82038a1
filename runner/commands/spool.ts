/** `tapedeck spool`: lists, sends and deletes recordings that are not uploaded yet. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { FatalError } from "../base/fault.ts";
import { ConfigError } from "../config/settings.ts";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { type DashboardIdentity, isFor } from "../spool/dashboard-identity.ts";
import { lockDataDir } from "../spool/data-dir.ts";
import { type Call, CommandError, EXIT, type ExitStatus, usageError } from "./command.ts";
import { option } from "./define-command.ts";
import { asCommandError, findDataDir } from "./find-runner.ts";
import { formatSize, titleOf } from "./format.ts";
import { runnerCommand } from "./runner-command.ts";
import { type UndeliveredRecording, undelivered } from "./undelivered.ts";

/** Maximum wait for the dashboard's first answer. */
const CONNECT_MS = 15_000;

const USAGE = `tapedeck spool list
       tapedeck spool send [<entry> --as-new]
       tapedeck spool remove <entry> | --all`;

interface Entry extends UndeliveredRecording {
	/** Whether it is for the dashboard that the runner is signed in to; null when no runner is signed in. */
	belongs: boolean | null;
}

interface SpoolState {
	dataDir: string;
	/** The runner that uses the directory; null when none is running. */
	runner: { client: ControlClient; identity: DashboardIdentity | null; setAside: readonly string[] } | null;
	entries: Entry[];
}

async function run(call: Call): Promise<ExitStatus> {
	const [verb, key] = call.positionals;
	const { all, asNew } = call.values;
	const isValid =
		(verb === "list" && key === undefined && !all && !asNew) ||
		(verb === "send" && !all && (key === undefined) === !asNew) ||
		(verb === "remove" && !asNew && (key === undefined) === (all === true));
	if (!isValid) throw usageError(`usage: ${USAGE}`);
	const state = await readSpool(call);
	if (key !== undefined && !state.entries.some((entry) => entry.key === key)) {
		const words = `${state.dataDir} has no recording "${key}"; see "tapedeck spool list".`;
		throw new CommandError("entry_not_found", words);
	}
	if (verb === "list") return list(call, state);
	return verb === "send" ? send(call, state, key) : remove(call, state, key);
}

async function readSpool(call: Call): Promise<SpoolState> {
	const dataDir = await findDataDir(call);
	const client = new ControlClient(dataDir);
	const status = await client.status().catch((error) => {
		if (error instanceof ControlError && error.code === "absent") return null;
		throw asCommandError(error);
	});
	const identity = status?.dashboard.identity ?? null;
	const entries = (await undelivered(dataDir)).map((one) => {
		const belongs = identity === null ? null : isFor(identity, one.dashboard) && !status?.setAside.includes(one.key);
		return { ...one, belongs };
	});
	return { dataDir, entries, runner: status === null ? null : { client, identity, setAside: status.setAside } };
}

function list(call: Call, { dataDir, entries, runner }: SpoolState): ExitStatus {
	const lines = entries.map((entry) => `${entry.key}\n  ${lineOf(entry)}`);
	const bytes = entries.reduce((sum, { videoBytes }) => sum + videoBytes, 0);
	const text =
		entries.length === 0
			? `The spool in ${dataDir} is empty.`
			: [...lines, `${entries.length} in ${dataDir}, ${formatSize(bytes)}.`].join("\n");
	call.print({ dataDir, running: runner !== null, entries }, text);
	return EXIT.done;
}

function lineOf(entry: Entry): string {
	const { videoBytes, startedAt, dashboard, belongs, ffmpegs } = entry;
	const when = startedAt === null ? "" : `, recorded from ${startedAt}`;
	const state = belongs === null ? "" : belongs ? ", uploading" : ", kept: the runner is signed in elsewhere";
	const records = ffmpegs.length === 0 ? "" : ", still recording";
	return `${titleOf(entry)}, ${formatSize(videoBytes)}${when}, for ${dashboard.url}${state}${records}`;
}

async function remove(call: Call, state: SpoolState, key: string | undefined): Promise<ExitStatus> {
	const { runner, entries } = state;
	const isFree = (entry: Entry) =>
		entry.ffmpegs.length === 0 && (runner === null || runner.setAside.includes(entry.key));
	const chosen = entries.filter((entry) => (key === undefined ? isFree(entry) : entry.key === key));
	if (runner !== null) {
		for (const entry of chosen) {
			await runner.client.remove(entry.key).catch((error) => {
				throw asCommandError(error);
			});
		}
	} else if (chosen.length > 0) await removeHere(state.dataDir, chosen);
	const text = chosen.map((entry) => `Deleted: ${lineOf({ ...entry, belongs: null })}.`).join("\n");
	call.print({ removed: chosen }, text === "" ? "Nothing to delete: every recording is in use." : text);
	return EXIT.done;
}

/** Deletes with the directory locked, so that no runner picks the recordings up meanwhile. */
async function removeHere(dataDir: string, chosen: Entry[]): Promise<void> {
	const recording = chosen.find(({ ffmpegs }) => ffmpegs.length > 0);
	if (recording !== undefined) {
		const words = `${titleOf(recording)} is still recording; start the runner and stop it first, or wait until it has ended.`;
		throw new CommandError("recording_in_use", words);
	}
	const { lock } = await lockDataDir(dataDir).catch((error) => {
		throw error instanceof FatalError ? new CommandError("data_directory", error.message) : error;
	});
	try {
		for (const { key } of chosen) await rm(join(dataDir, "jobs", key), { recursive: true, force: true });
	} finally {
		lock.close();
	}
}

async function send(call: Call, state: SpoolState, key: string | undefined): Promise<ExitStatus> {
	const { runner, dataDir } = state;
	if (runner !== null && key !== undefined) {
		await runner.client.adopt(key).catch((error) => {
			throw asCommandError(error);
		});
	}
	const url = runner === null ? await deliverHere(call, dataDir, key) : (runner.identity?.url ?? null);
	const { entries } = await readSpool(call);
	const left = entries.map((entry) => ({
		...entry,
		why: runner === null ? whyKept(entry, url) : whyNotSent(entry, url),
	}));
	const waiting = runner === null ? left : left.filter(({ belongs }) => belongs !== true);
	const sent = state.entries.filter((before) => !entries.some((after) => after.key === before.key));
	const lines = [
		...sent.map((entry) => `Uploaded: ${titleOf(entry)}.`),
		...left.map((entry) => `${entry.key}: ${entry.why}`),
		...(state.entries.length === 0 ? ["The spool is empty."] : []),
	];
	call.print({ url, sent, left }, lines.join("\n"));
	return waiting.length === 0 ? EXIT.done : EXIT.failed;
}

const AS_NEW = (key: string): string => `To upload it here as a new job: tapedeck spool send ${key} --as-new`;

function whyNotSent(entry: Entry, url: string | null): string {
	if (entry.belongs === null) return "The runner is not connected to a dashboard yet; it is uploaded once it is.";
	return entry.belongs ? "The runner is uploading it; see tapedeck status." : whyKept(entry, url);
}

function whyKept({ key, dashboard }: Entry, url: string | null): string {
	if (dashboard.url !== url) return `It is for the dashboard at ${dashboard.url}, not ${url}. ${AS_NEW(key)}`;
	return `It is for another dashboard or organization than the one at ${url}. ${AS_NEW(key)}`;
}

/** Signs in as the runner would, and uploads. @returns the dashboard's address. */
async function deliverHere(call: Call, dataDir: string, adopted: string | undefined): Promise<string> {
	const [{ Agent }, { readConfig }] = await Promise.all([import("../agent.ts"), import("../config/config.ts")]);
	const log = { info: call.remark, warn: call.remark, error: call.remark };
	try {
		const config = readConfig(["--data-dir", dataDir], call.env);
		const agent = new Agent(config, log, { deliversOnly: true });
		let reached = false;
		const timer = setTimeout(() => agent.leave(), CONNECT_MS);
		for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => agent.leave());
		await agent.deliver(new Set(adopted === undefined ? [] : [adopted]), () => {
			reached = true;
			clearTimeout(timer);
		});
		if (reached) return config.url;
		throw new CommandError("not_connected", `The dashboard at ${config.url} can't be reached; nothing was uploaded.`);
	} catch (error) {
		if (error instanceof ConfigError) throw new CommandError("configuration", error.message, EXIT.usage);
		if (error instanceof FatalError) throw new CommandError("not_delivered", error.message);
		throw error;
	}
}

export const command = runnerCommand({
	usage: USAGE,
	about: `A runner keeps every recording on its disk until the dashboard it belongs to has confirmed it. Recordings for another
dashboard or organization than the one the runner is signed in to are kept and not sent.`,
	words: {
		list: "list the recordings, and the dashboard of each",
		send: `upload those for the dashboard in TAPEDECK_URL, and say why the others are kept. Needs
TAPEDECK_TOKEN if no runner is running; a running runner uploads by itself`,
		"remove <entry>": "delete a recording from the disk, uploaded or not; stop one in progress first",
	},
	options: [
		option("--as-new", "with send <entry>: upload a recording of another dashboard to this one, as a new job"),
		option("--all", "with remove: delete all recordings that are neither in progress nor being uploaded"),
	],
	exit: "With send, 1 means that something was not uploaded.",
	maxArguments: 2,
	run,
});
