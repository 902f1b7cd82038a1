/** `tapedeck spool`: the recordings that a runner keeps because they are not delivered, and what to do with them. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ControlClient, ControlError } from "../control/control-client.ts";
import { belonging, type DashboardIdentity } from "../spool/dashboard-identity.ts";
import { lockDataDir } from "../data-dir.ts";
import { FatalError } from "../log.ts";
import { ConfigError } from "../config/settings.ts";
import {
	type Call,
	type Command,
	CommandError,
	EXIT,
	EXIT_HELP,
	type ExitStatus,
	PLACE_HELP,
	PLACE_OPTIONS,
} from "./command.ts";
import { findDataDir, inWords } from "./find-runner.ts";
import { sizeInWords, titleOf } from "./in-words.ts";
import { type LeftRecording, leftBehind } from "./undelivered.ts";

/** How long a dashboard may take to answer the first call. */
const CONNECT_MS = 15_000;

const help = `usage: tapedeck spool list
       tapedeck spool send [<entry> --as-new]
       tapedeck spool remove <entry> | --all

A runner keeps every recording on its disk until the dashboard that it was made for has confirmed it. A recording that is
for another dashboard or organization than the runner is signed in to is kept and not sent.

  list                    what is kept, and for which dashboard
  send                    deliver what is for the dashboard in TAPEDECK_URL, and say why the rest is not delivered. Needs
                          TAPEDECK_TOKEN when no runner runs; a runner that runs delivers by itself
  send <entry> --as-new   deliver a recording of another dashboard to this one, as a new job
  remove <entry>          delete a recording from the disk, delivered or not; one that is being recorded has to be
                          stopped first
  remove --all            delete every recording that is neither being recorded nor being delivered
${PLACE_HELP}

${EXIT_HELP}
With send, 1 says that something was not delivered.
`;

interface Entry extends LeftRecording {
	/** Whether it is for the dashboard that the runner is signed in to; null when no runner is signed in. */
	belongs: boolean | null;
}

interface Place {
	dataDir: string;
	/** The runner that runs with the directory. */
	runner: { client: ControlClient; identity: DashboardIdentity | null; setAside: readonly string[] } | null;
	entries: Entry[];
}

async function run(call: Call): Promise<ExitStatus> {
	const [verb, key] = call.positionals;
	const { all, "as-new": asNew } = call.values;
	const isFit =
		(verb === "list" && key === undefined && !all && !asNew) ||
		(verb === "send" && !all && (key === undefined) === !asNew) ||
		(verb === "remove" && !asNew && (key === undefined) === (all === true));
	if (!isFit) throw new CommandError("usage", `${help.split("\n\n")[0]}`, EXIT.usage);
	const place = await look(call);
	if (key !== undefined && !place.entries.some((entry) => entry.key === key)) {
		const words = `No recording "${key}" is kept in ${place.dataDir}; "tapedeck spool list" shows what there is.`;
		throw new CommandError("entry_not_found", words);
	}
	if (verb === "list") return list(call, place);
	return verb === "send" ? send(call, place, key) : remove(call, place, key);
}

async function look(call: Call): Promise<Place> {
	const dataDir = await findDataDir(call);
	const client = new ControlClient(dataDir);
	const status = await client.status().catch((error) => {
		if (error instanceof ControlError && error.code === "absent") return null;
		throw inWords(error);
	});
	const identity = status?.dashboard.identity ?? null;
	const entries = (await leftBehind(dataDir)).map((one) => {
		const belongs =
			identity === null ? null : belonging(one, identity) !== "other" && !status?.setAside.includes(one.key);
		return { ...one, belongs };
	});
	return { dataDir, entries, runner: status === null ? null : { client, identity, setAside: status.setAside } };
}

function list(call: Call, { dataDir, entries, runner }: Place): ExitStatus {
	const lines = entries.map((entry) => `${entry.key}\n  ${lineOf(entry)}`);
	const bytes = entries.reduce((sum, { videoBytes }) => sum + videoBytes, 0);
	const text =
		entries.length === 0
			? `Nothing is kept in ${dataDir}.`
			: [...lines, `${entries.length} in ${dataDir}, ${sizeInWords(bytes)}.`].join("\n");
	call.tell({ dataDir, running: runner !== null, entries }, text);
	return EXIT.done;
}

function lineOf(entry: Entry): string {
	const { videoBytes, startedAt, dashboard, belongs, ffmpegs } = entry;
	const when = startedAt === null ? "" : `, recorded from ${startedAt}`;
	const whose = dashboard === null ? "of an unknown dashboard" : `for ${dashboard.url}`;
	const state = belongs === null ? "" : belongs ? ", being delivered" : ", kept: the runner is signed in elsewhere";
	const records = ffmpegs.length === 0 ? "" : ", still recording";
	return `${titleOf(entry)}, ${sizeInWords(videoBytes)}${when}, ${whose}${state}${records}`;
}

async function remove(call: Call, place: Place, key: string | undefined): Promise<ExitStatus> {
	const { runner, entries } = place;
	const isFree = (entry: Entry) =>
		entry.ffmpegs.length === 0 && (runner === null || runner.setAside.includes(entry.key));
	const chosen = entries.filter((entry) => (key === undefined ? isFree(entry) : entry.key === key));
	if (runner !== null) {
		for (const entry of chosen) {
			await runner.client.remove(entry.key).catch((error) => {
				throw inWords(error);
			});
		}
	} else if (chosen.length > 0) await removeHere(place.dataDir, chosen);
	const text = chosen.map((entry) => `Removed: ${lineOf({ ...entry, belongs: null })}.`).join("\n");
	call.tell({ removed: chosen }, text === "" ? "Nothing is removed: nothing is kept that is not in use." : text);
	return EXIT.done;
}

/** With the directory locked, so that no runner takes up in the meantime what goes. */
async function removeHere(dataDir: string, chosen: Entry[]): Promise<void> {
	const recording = chosen.find(({ ffmpegs }) => ffmpegs.length > 0);
	if (recording !== undefined) {
		const words = `${titleOf(recording)} is still being recorded; start the runner and stop it first, or wait until it has ended.`;
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

async function send(call: Call, place: Place, key: string | undefined): Promise<ExitStatus> {
	const { runner, dataDir } = place;
	if (runner !== null && key !== undefined) {
		await runner.client.adopt(key).catch((error) => {
			throw inWords(error);
		});
	}
	const url = runner === null ? await deliverHere(call, dataDir, key) : (runner.identity?.url ?? null);
	const { entries } = await look(call);
	const left = entries.map((entry) => ({
		...entry,
		why: runner === null ? whyKept(entry, url) : whyWaits(entry, url),
	}));
	const waiting = runner === null ? left : left.filter(({ belongs }) => belongs !== true);
	const sent = place.entries.filter((before) => !entries.some((after) => after.key === before.key));
	const lines = [
		...sent.map((entry) => `Delivered: ${titleOf(entry)}.`),
		...left.map((entry) => `${entry.key}: ${entry.why}`),
		...(place.entries.length === 0 ? ["Nothing is kept."] : []),
	];
	call.tell({ url, sent, left }, lines.join("\n"));
	return waiting.length === 0 ? EXIT.done : EXIT.failed;
}

const AS_NEW = (key: string): string => `To deliver it here as a new job: tapedeck spool send ${key} --as-new`;

function whyWaits(entry: Entry, url: string | null): string {
	if (entry.belongs === null) return "The runner is not connected to a dashboard yet; it is delivered when it is.";
	return entry.belongs ? "The runner delivers it now; tapedeck status says how far it is." : whyKept(entry, url);
}

function whyKept({ key, dashboard }: Entry, url: string | null): string {
	if (dashboard === null) return `The dashboard at ${url} does not know its job. ${AS_NEW(key)}`;
	if (dashboard.url !== url) return `It is for the dashboard at ${dashboard.url}, not ${url}. ${AS_NEW(key)}`;
	return `It is for another dashboard or organization than the one that answers at ${url} now. ${AS_NEW(key)}`;
}

/** Signs in as the runner would, and delivers. @returns the dashboard's address. */
async function deliverHere(call: Call, dataDir: string, adopted: string | undefined): Promise<string> {
	const [{ Agent }, { readConfig }] = await Promise.all([import("../agent.ts"), import("../config/config.ts")]);
	const say = (line: string) => call.remark(line);
	const log = { info: say, warn: say, error: say };
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
		throw new CommandError("not_connected", `The dashboard at ${config.url} was not reached; nothing was delivered.`);
	} catch (error) {
		if (error instanceof ConfigError) throw new CommandError("configuration", error.message, EXIT.usage);
		if (error instanceof FatalError) throw new CommandError("not_delivered", error.message);
		throw error;
	}
}

export const command: Command = {
	help,
	options: { all: { type: "boolean" }, "as-new": { type: "boolean" }, ...PLACE_OPTIONS },
	maxWords: 2,
	run,
};
