/** Shared parts of all commands that call the API: the client, the help, and parsers of ids, numbers and lists. */
import { setTimeout as sleep } from "node:timers/promises";
import { type List, type Page, type PageFilter, type Tapedeck, TapedeckError } from "@tapedeck/client-source/index.ts";
import { type Call, type Command, type CommandGroup, type ExitStatus, usageError } from "../command.ts";
import { type Declaration, defineCommand, helpLine, option } from "../define-command.ts";
import { asCommandError, clientOf } from "./dashboard-client.ts";

const JSON_OPTION = option("--json", 'print the API\'s own answer as JSON, errors too: {"error": {"code", "message"}}');
const ENVIRONMENT_HELP =
	"environment: TAPEDECK_URL, the dashboard's address; TAPEDECK_API_KEY, a key from its settings; or run tapedeck login";
const EXIT_HELP =
	"exit status: 0 done, 1 failed or refused, 2 invalid command line or environment, 3 the dashboard does not respond";

export interface ApiCall extends Call {
	client: Tapedeck;
}

interface ApiCommand extends Omit<Declaration, "options" | "notes" | "run"> {
	options?: Declaration["options"];
	/** Meanings of the command's own exit statuses. */
	exit?: string;
	run(call: ApiCall): Promise<ExitStatus>;
}

/** A command that calls the dashboard's API. */
export const apiCommand = ({ options = [], exit, run, ...declaration }: ApiCommand): Command =>
	defineCommand({
		...declaration,
		options: [...options, JSON_OPTION],
		notes: [ENVIRONMENT_HELP, exit === undefined ? EXIT_HELP : `${EXIT_HELP}\n${exit}`],
		async run(call) {
			const client = clientOf(call.env);
			try {
				return await run({ ...call, client });
			} catch (error) {
				throw asCommandError(error, client.url);
			}
		},
	});

/** Commands with a common first word. */
export const apiCommands = (name: string, about: string, commands: Record<string, Command>): CommandGroup => ({
	help: `usage: tapedeck ${name} <command>

${about}

${Object.entries(commands)
	.map(([word, { summary }]) => `  ${word.padEnd(11)} ${summary}`)
	.join("\n")}

${helpLine(JSON_OPTION.flags, JSON_OPTION.description)}

${ENVIRONMENT_HELP}

Run "tapedeck ${name} <command> --help" for its flags. ${EXIT_HELP}.
`,
	commands,
});

/** Reads an id. @param noun what it identifies, such as `job`. */
export function idOf(text: string | undefined, noun: string): number {
	if (text === undefined) throw usageError(`Name the ${noun} by its id, a number such as 12.`);
	const id = /^\d{1,15}$/.test(text) ? Number(text) : 0;
	if (id >= 1) return id;
	throw usageError(`"${text}" is no id of a ${noun}; ids are numbers such as 12.`);
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100_000;

/** Reads --limit. */
export function limitOf({ values }: Call): number {
	if (values.limit === undefined) return DEFAULT_LIMIT;
	const limit = /^\d{1,6}$/.test(String(values.limit)) ? Number(values.limit) : 0;
	if (limit >= 1 && limit <= MAX_LIMIT) return limit;
	throw usageError(`--limit: Use a whole number from 1 to ${MAX_LIMIT}.`);
}

export const LIST_OPTIONS = [
	option(
		"--query <search>",
		"only those that match, such as 'checkout branch:main outcome:failed'; see docs/finding.md",
	),
	option("--limit <count>", `how many, from the newest; default ${DEFAULT_LIMIT}`),
	option("--cursor <cursor>", "continue after an earlier list: the nextCursor of its JSON"),
];

/** The largest page that the API returns. */
const PAGE_SIZE = 100;
/** Wait before the next page of a list when the rate limit refuses it. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Reads what --query, --limit and --cursor say. @param list the list from a page on. */
export function readList<T>(call: Call, list: (filter: PageFilter & { q?: string }) => List<T>): Promise<Page<T>> {
	const { query: q, cursor } = call.values as Record<string, string | undefined>;
	return readPages((page) => list({ q, ...page }), limitOf(call), cursor);
}

/** Reads pages until `limit` entries are there, or all. @param list the list from a page on. */
export async function readPages<T>(
	list: (page: PageFilter) => List<T>,
	limit: number,
	cursor?: string,
): Promise<Page<T>> {
	const data: T[] = [];
	for (let from = cursor; ; ) {
		const page = await firstPage(list({ limit: Math.min(PAGE_SIZE, limit - data.length), cursor: from }));
		data.push(...page.data);
		if (page.nextCursor === null || data.length >= limit) return { data, nextCursor: page.nextCursor };
		from = page.nextCursor;
	}
}

/** Waits as long as the rate limit says, once: a long list is many calls. */
async function firstPage<T>(list: List<T>): Promise<Page<T>> {
	try {
		return await list.page();
	} catch (error) {
		const seconds = error instanceof TapedeckError && error.status === 429 ? error.retryAfterSeconds : null;
		if (seconds === null || seconds > MAX_RETRY_AFTER_SECONDS) throw error;
		await sleep(seconds * 1_000);
		return list.page();
	}
}

/** Says that a list has more entries than were printed. */
export function remarkMore({ remark, values }: Call, nextCursor: string | null): void {
	if (nextCursor !== null && values.json !== true) remark(`There are more; use --limit, or narrow the search.`);
}
