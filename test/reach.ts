/** The files that a test can reach: by imports, and by the programs that it starts. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../bin/setup/run.mjs";

const STATIC = /^(?:import|export)\s(?:type\s)?(?:[\w$*{},\s]+?\sfrom\s)?"([^"]+)"/gm;
const DYNAMIC = /\bimport\("([^"]+)"\)/g;

/** @returns the imports of a file as written: static ones, dynamic ones, and those of types. */
export const importsOf = (text: string): string[] =>
	[...text.matchAll(STATIC), ...text.matchAll(DYNAMIC)].flatMap(([, imported]) => imported ?? []);

/** @returns the files that git tracks or would add. */
export const projectFiles = (): string[] =>
	linesOf("git", "ls-files", "--cached", "--others", "--exclude-standard").filter((file) =>
		existsSync(join(root, file)),
	);

/** @returns the files that differ from a commit, in the index and the working tree too. @throws if there is no such commit */
export function changedSince(commit: string): string[] {
	const base = linesOf("git", "merge-base", commit, "HEAD")[0] ?? commit;
	const untracked = linesOf("git", "ls-files", "--others", "--exclude-standard");
	return [...linesOf("git", "diff", "--name-only", "--no-renames", base), ...untracked];
}

const linesOf = (command: string, ...args: string[]): string[] =>
	execFileSync(command, args, { cwd: root, maxBuffer: 1 << 26 })
		.toString()
		.split("\n")
		.filter(Boolean);

/** Files that a test or its support starts or reads without an import, by words in its text. */
const BY_WORDS: readonly (readonly [RegExp, readonly string[]])[] = [
	[/\bserver\.ts\b/, ["server.ts"]],
	[/\bcli\.ts\b|\bbin\W+tapedeck\b/, ["runner/cli.ts", "bin/tapedeck"]],
	// Pages are seen in browsers only, of dashboards that have pages: Playwright is also a tool that tests start.
	[
		/^(?=.*(?:from "playwright(?:\/test)?"|remote-debugging|webdriver))(?=.*(?:\/stack\.ts|\bpages:))/s,
		["app/", "components/", "public/", "server.ts"],
	],
	[
		/\bup\.mjs\b|\bbin\W+up\b|"run", "--silent", "up"/,
		["app/", "components/", "public/", "bin/", "server.ts", "runner/cli.ts"],
	],
	[/lab\/chaos/, ["lab/chaos/"]],
	[/clients\W+python/, ["clients/python/"]],
	[/\baction\.yml|["'`./]action\//, ["action/", "action.yml"]],
	[/["'`./]deploy\b/, ["deploy/"]],
	// Runners are installed from the files of the dashboard.
	[/installed-runner|runner-downloads|install-script/, ["runner/", "machine/", "media/", "release/", "bin/node24"]],
];

/** The one file of the product that loads others by their path. */
const ROUTE_TABLE = "lib/http/route-table.ts";
const ROUTES = ["app/v1/", "app/metrics/", "app/install.sh/"];

/** Files whose words count. */
const STARTS = /^(test|e2e|lab|bin|release)\/|\.test\.tsx?$/;

/** The folders of workspaces by the names of their packages. */
const PACKAGES: Readonly<Record<string, string>> = {
	"@tapedeck/contract": "contract",
	"@tapedeck/media": "media",
	"@tapedeck/machine": "machine",
	"@tapedeck/client": "clients/typescript/src",
	"@tapedeck/client-source": "clients/typescript/src",
	"@tapedeck/playwright": "clients/playwright/src",
};

/** Finds the files that each file of the project leads to. */
export class Reach {
	readonly #files: ReadonlySet<string>;
	readonly #byName: ReadonlyMap<string, readonly string[]>;
	readonly #direct = new Map<string, readonly string[]>();

	/** @param files all files of the project. */
	constructor(files: readonly string[]) {
		this.#files = new Set(files);
		this.#byName = Map.groupBy(files, (file) => posix.basename(file));
	}

	/** @returns the files that a test loads or starts, itself included. */
	of(test: string): Set<string> {
		const reached = new Set<string>();
		const waiting = [test];
		for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
			if (reached.has(file)) continue;
			reached.add(file);
			waiting.push(...this.direct(file));
		}
		return reached;
	}

	/** @returns the files that a file imports, starts or reads itself. */
	direct(file: string): readonly string[] {
		const known = this.#direct.get(file);
		if (known !== undefined) return known;
		const found = this.#read(file);
		this.#direct.set(file, found);
		return found;
	}

	#read(file: string): string[] {
		if (!/\.(tsx?|mjs)$/.test(file) || !this.#files.has(file) || !existsSync(join(root, file))) return [];
		const text = readFileSync(join(root, file), "utf8");
		const imported = importsOf(text).flatMap((name) => this.#fileOf(file, name) ?? []);
		const isSupport = STARTS.test(file);
		const byWords = isSupport ? BY_WORDS.filter(([words]) => words.test(text)).flatMap(([, places]) => places) : [];
		const places = file === ROUTE_TABLE ? ROUTES : byWords;
		const started = [...this.#files].filter((each) =>
			places.some((place) => each === place || (place.endsWith("/") && each.startsWith(place))),
		);
		const named = isSupport ? this.#namedIn(text) : [];
		return [...imported, ...started, ...named].filter((each) => this.#files.has(each) && !isTest(each));
	}

	/** Files whose path, or the end of it, stands in the text, such as a document that a test reads. */
	#namedIn(text: string): string[] {
		const names = text.match(/[\w./-]+\.(?:md|json|ya?ml|cfg|conf|py|sh|css|html|Dockerfile)\b/g) ?? [];
		return names.flatMap((name) => {
			const path = name.replace(/^[./]+/, "");
			return (this.#byName.get(posix.basename(path)) ?? []).filter((file) => `/${file}`.endsWith(`/${path}`));
		});
	}

	#fileOf(from: string, imported: string): string | undefined {
		if (imported.startsWith("#")) return imported.slice(1);
		if (imported.startsWith(".")) return posix.join(posix.dirname(from), imported);
		const [, name = "", rest] = /^(@[^/]+\/[^/]+)\/?(.*)$/.exec(imported) ?? [];
		const folder = PACKAGES[name];
		return folder === undefined ? undefined : `${folder}/${rest === "" ? "index.ts" : rest}`;
	}
}

export const isTest = (file: string): boolean => /\.(test\.tsx?|spec\.ts)$/.test(file);
