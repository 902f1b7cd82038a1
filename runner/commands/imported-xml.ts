/** Reads reports in XML besides JUnit's: Open Test Reporting (of JUnit 5 and PHPUnit), and Robot Framework's output.xml. */
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import sax from "sax";
import {
	type ImportedFile,
	type ImportedStep,
	type ImportedTest,
	instantFrom,
	joined,
	stepLimit,
} from "./imported-test.ts";

const MAX_DEPTH = 200;
const MAX_TEXT = 40_000;

/** The name of the first element, without its prefix; null if the text is no XML. */
export function rootOf(text: string): string | null {
	let root: string | null = null;
	try {
		const parser = sax.parser(true, {});
		parser.onerror = (error) => {
			throw error;
		};
		parser.onopentag = ({ name }) => {
			root ??= plainName(name);
		};
		parser.write(text.slice(0, 200_000));
	} catch {
		// The rest is cut off, or no XML.
	}
	return root;
}

const plainName = (qualified: string): string => qualified.slice(qualified.indexOf(":") + 1);

interface Element {
	name: string;
	attributes: Record<string, string>;
	/** Text directly in the element. */
	text: string;
	/** The element around it. */
	parent: Element | null;
	depth: number;
}

/**
 * Calls back as elements begin and end. Names are without their prefix.
 * @throws Error with a sentence for what is no XML, or nested too deep. Entities of the document's own are never expanded.
 */
function readElements(text: string, open: (element: Element) => void, close: (element: Element) => void): void {
	const parser = sax.parser(true, {});
	let current: Element | null = null;
	parser.onerror = (error) => {
		throw new Error((error.message.split("\n")[0] ?? "it is not XML").toLowerCase());
	};
	parser.onopentag = ({ name, attributes }) => {
		const own = Object.entries(attributes as Record<string, string>).map(([key, value]) => [plainName(key), value]);
		const depth: number = (current?.depth ?? 0) + 1;
		if (depth > MAX_DEPTH) throw new Error(`its elements are nested deeper than ${MAX_DEPTH}`);
		current = { name: plainName(name), attributes: Object.fromEntries(own), text: "", parent: current, depth };
		open(current);
	};
	const addText = (more: string) => {
		if (current !== null && current.text.length < MAX_TEXT) current.text = (current.text + more).slice(0, MAX_TEXT);
	};
	parser.ontext = addText;
	parser.oncdata = addText;
	parser.onclosetag = () => {
		const ended = current as Element | null;
		if (ended === null) return;
		current = ended.parent;
		close(ended);
	};
	parser.write(text).close();
}

const textOrNull = (text: string | undefined): string | null =>
	text === undefined || text.trim() === "" ? null : text.trim();
const lineOf = (text: string | undefined): number | null => (/^\d{1,9}$/.test(text ?? "") ? Number(text) : null);

const OTR: Readonly<Record<string, Outcome>> = {
	SUCCESSFUL: "passed",
	FAILED: "failed",
	ERRORED: "error",
	SKIPPED: "skipped",
	ABORTED: "skipped",
};

/** A node of the tree of an Open Test Report: a suite or a test. */
interface Node {
	name: string;
	parent: Node | null;
	hasChildren: boolean;
	file: string | null;
	line: number | null;
	outcome: Outcome | null;
	startedAt: number | null;
	endedAt: number | null;
	message: string | null;
	stack: string | null;
	files: ImportedFile[];
}

const MAX_FILES = 100;

/** Open Test Reporting 0.1 and 0.2, both as events and as a hierarchy. Its times are exact. */
export function readOpenTestReport(text: string): ImportedTest[] {
	const nodes: Node[] = [];
	const byId = new Map<string, Node>();
	/** Open nodes of the hierarchy. */
	const open: Node[] = [];
	let current: Node | null = null;
	const add = (element: Element, parent: Node | null, startedAt: number | null): Node => {
		if (parent !== null) parent.hasChildren = true;
		const node: Node = {
			name: element.attributes.name ?? "Test",
			parent,
			hasChildren: false,
			file: null,
			line: null,
			outcome: null,
			startedAt,
			endedAt: null,
			message: null,
			stack: null,
			files: [],
		};
		nodes.push(node);
		return node;
	};
	const isNode = ({ name }: Element): boolean => name === "root" || name === "child";
	readElements(
		text,
		(element) => {
			const { name, attributes } = element;
			if (name === "started") {
				const parent = byId.get(attributes.parentId ?? attributes.parent ?? "") ?? null;
				current = add(element, parent, instantFrom(attributes.time));
				byId.set(attributes.id ?? "", current);
			} else if (name === "reported") {
				current = byId.get(attributes.id ?? "") ?? null;
			} else if (current !== null && name === "file" && element.parent?.name === "attachments") {
				const { path, mediaType = null } = attributes;
				if (path && current.files.length < MAX_FILES) current.files.push({ name: null, contentType: mediaType, path });
			} else if (name === "finished") {
				current = byId.get(attributes.id ?? "") ?? null;
				if (current !== null) current.endedAt = instantFrom(attributes.time);
			} else if (isNode(element)) {
				const node = add(element, open.at(-1) ?? null, instantFrom(attributes.start));
				const ms = isoDurationMs(attributes.duration);
				node.endedAt = node.startedAt === null || ms === null ? null : node.startedAt + ms;
				open.push(node);
				current = node;
			} else if (current !== null && name === "result") {
				current.outcome = OTR[attributes.status ?? ""] ?? "error";
			} else if (current !== null && name === "fileSource") {
				current.file ??= textOrNull(attributes.path);
			} else if (current !== null && name === "filePosition") {
				current.line ??= lineOf(attributes.line);
			} else if (current !== null && name === "throwable") {
				current.message ??= "";
				if (attributes.assertionError === "false" && current.outcome === "failed") current.outcome = "error";
			}
		},
		(element) => {
			if (isNode(element)) {
				open.pop();
				current = open.at(-1) ?? null;
			}
			if (current === null) return;
			if (element.name === "throwable") {
				current.stack = textOrNull(element.text);
				current.message = textOrNull(element.text.trim().split(/\n[^\S\n]*(?:at |#\d+ |\/)/)[0]);
			} else if (element.name === "reason") current.message ??= textOrNull(element.text);
			else if (["started", "reported", "finished"].includes(element.name)) current = null;
		},
	);
	return nodes.flatMap((node): ImportedTest[] => {
		const hasFailed = node.outcome === "failed" || node.outcome === "error";
		// A suite is no test, unless it failed by itself or was skipped as a whole.
		if (node.hasChildren ? !(hasFailed && node.stack !== null) : node.parent === null && node.outcome === "passed")
			return [];
		const names: string[] = [];
		for (let each = node.hasChildren ? node : node.parent; each !== null; each = each.parent) names.unshift(each.name);
		// The outermost one is the engine, such as JUnit Jupiter.
		const suite = joined(...(names.length > 1 ? names.slice(1) : names)) || null;
		const title = node.hasChildren ? "(outside of tests)" : node.name;
		return [
			{
				test: suite !== null && title.startsWith(suite) ? title : joined(suite, title),
				suite,
				file: node.file,
				line: node.line,
				project: null,
				attempt: null,
				outcome: node.hasChildren ? "error" : (node.outcome ?? "error"),
				startedAt: node.startedAt,
				endedAt: node.endedAt,
				isApproximate: node.startedAt === null,
				message: node.message,
				stack: node.stack,
				steps: [],
				files: node.files,
			},
		];
	});
}

/** `PT1M2.5S` */
function isoDurationMs(text: string | undefined): number | null {
	const match = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:([\d.]{1,20})S)?$/.exec(text ?? "");
	if (match === null) return null;
	const [hours, minutes, seconds] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0));
	return Math.round(((hours ?? 0) * 3_600 + (minutes ?? 0) * 60 + (seconds ?? 0)) * 1_000);
}

const ROBOT: Readonly<Record<string, Outcome>> = {
	PASS: "passed",
	FAIL: "failed",
	SKIP: "skipped",
	"NOT RUN": "skipped",
};
/** Elements of a test that are steps, with what they are called without a name. */
const ROBOT_STEPS = [
	"kw",
	"for",
	"while",
	"iter",
	"if",
	"branch",
	"try",
	"group",
	"return",
	"var",
	"setup",
	"teardown",
];

/** Robot Framework's output.xml, of version 4 and later. Its times are those of the machine that ran it, without a zone. */
export function readRobot(text: string): ImportedTest[] {
	const tests: ImportedTest[] = [];
	const suites: { name: string; source: string | null }[] = [];
	let isFirst = stepLimit();
	let current: ImportedTest | null = null;
	/** Open nodes; null for one that is left out. */
	const steps: (ImportedStep | null)[] = [];
	readElements(
		text,
		({ name, attributes }) => {
			if (name === "suite") suites.push({ name: attributes.name ?? "Suite", source: textOrNull(attributes.source) });
			else if (name === "test") {
				const suite = joined(...suites.map((each) => each.name)) || null;
				isFirst = stepLimit();
				current = {
					test: joined(suite, attributes.name ?? "Test"),
					suite,
					file: suites.at(-1)?.source ?? null,
					line: lineOf(attributes.line),
					project: null,
					attempt: 1,
					outcome: "error",
					startedAt: null,
					endedAt: null,
					isApproximate: false,
					message: null,
					stack: null,
					steps: [],
				};
				tests.push(current);
			} else if (current !== null && ROBOT_STEPS.includes(name)) {
				const title = [attributes.owner ?? attributes.library, attributes.name ?? name.toUpperCase()]
					.filter(Boolean)
					.join(".");
				const step: ImportedStep | null = isFirst()
					? {
							title,
							category: attributes.type ?? name,
							startedAt: null,
							endedAt: null,
							outcome: null,
							message: null,
							steps: [],
						}
					: null;
				const around = steps.at(-1);
				if (step !== null) (steps.length === 0 ? current.steps : (around?.steps ?? [])).push(step);
				steps.push(step);
			}
		},
		({ name, attributes, text, parent }) => {
			if (name === "suite") suites.pop();
			else if (name === "test") current = null;
			else if (current !== null && ROBOT_STEPS.includes(name)) steps.pop();
			else if (current !== null && name === "status") {
				const of = parent?.name === "test" ? current : ROBOT_STEPS.includes(parent?.name ?? "") ? steps.at(-1) : null;
				if (of == null) return;
				Object.assign(of, robotTimes(attributes), { outcome: ROBOT[attributes.status ?? ""] ?? "error" });
				of.message = of.outcome === "passed" ? null : textOrNull(text);
				if (of === current) current.isApproximate = current.startedAt === null;
			}
		},
	);
	return tests;
}

function robotTimes({ start, elapsed, starttime, endtime }: Record<string, string>) {
	// Version 7 has an ISO time and seconds; earlier ones have 20260101 12:00:00.123.
	const older = (time: string | undefined) => instantFrom(time?.replace(/^(\d{4})(\d\d)(\d\d) /, "$1-$2-$3T"));
	const startedAt = start === undefined ? older(starttime) : instantFrom(start);
	const seconds = Number(elapsed ?? Number.NaN);
	const endedAt = startedAt !== null && seconds >= 0 ? startedAt + Math.round(seconds * 1_000) : older(endtime);
	return { startedAt, endedAt };
}
