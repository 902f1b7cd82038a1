/** The JUnit reports that a recorded command wrote: markers for its tests, and copies of the reports with links. */
import { glob, readFile, stat, writeFile } from "node:fs/promises";
import { sanitizeName } from "#lib/contract/plain-text.ts";
import { MAX_TEST_MARKERS } from "#lib/contract/runner-protocol.ts";
import { errorMessage } from "../base/fault.ts";
import type { LocalRecording, TestMarker } from "../control/messages.ts";
import type { Call } from "./command.ts";
import { momentOf, readJunit, type TestCase, withLinks } from "./junit.ts";

const MAX_FILES = 500;
const MAX_LABEL = 200;
/** File systems round the time of a change. */
const CLOCK_GRAIN_MS = 2_000;
const COPY = ".tapedeck.xml";
const KINDS = { passed: "pass", failed: "fail", skipped: "note" } as const;

interface TestReports {
	/** By time, failed tests first when there are too many for all. */
	markers: TestMarker[];
	/** Writes the copies. @param url the job's page. */
	writeLinks(url: string): Promise<void>;
}

/** @param startedAt when the command was started: older reports are of another run. */
export async function testReports(call: Call, begun: LocalRecording, startedAt: number): Promise<TestReports> {
	const patterns = Array.isArray(call.values.junit) ? call.values.junit : [];
	const from = Date.parse(begun.startedAt ?? "");
	const recording = { from, to: Date.now() };
	const reports: { file: string; text: string; offsets: Map<TestCase, number> }[] = [];
	let outside = 0;
	for (const file of patterns.length === 0 ? [] : await filesOf(patterns, startedAt)) {
		try {
			const text = (await readFile(file, "utf8")).replace(/^\ufeff/, "");
			const offsets = new Map<TestCase, number>();
			for (const each of readJunit(text)) {
				const moment = momentOf(each, recording);
				if (moment === null || Number.isNaN(from)) outside++;
				else offsets.set(each, Math.round(moment - from) / 1_000);
			}
			reports.push({ file, text, offsets });
		} catch (error) {
			call.remark(`tapedeck: ${file} was not read: ${errorMessage(error)}.`);
		}
	}
	if (patterns.length > 0 && reports.length === 0) {
		call.remark(`tapedeck: The command wrote no JUnit report at ${patterns.join(", ")}.`);
	}
	if (outside > 0) {
		const what = outside === 1 ? "1 test has" : `${outside} tests have`;
		call.remark(`tapedeck: ${what} no time within the recording, and no marker.`);
	}
	return {
		markers: chosen(reports.flatMap(({ offsets }) => [...offsets].map(([each, at]) => markerOf(each, at)))),
		writeLinks: async (url) => {
			for (const { file, text, offsets } of reports) {
				const links = new Map([...offsets].map(([each, at]) => [each, `${url}?t=${at}`]));
				await writeFile(copyOf(file), withLinks(text, links)).catch((error) =>
					call.remark(`tapedeck: ${copyOf(file)} was not written: ${errorMessage(error)}.`),
				);
			}
		},
	};
}

const copyOf = (file: string): string => file.replace(/(\.xml)?$/, COPY);

const markerOf = ({ name, result }: TestCase, offsetSeconds: number): TestMarker => ({
	label: sanitizeName(name, MAX_LABEL) || "Test",
	kind: KINDS[result],
	offsetSeconds,
});

function chosen(markers: TestMarker[]): TestMarker[] {
	const failed = markers.filter(({ kind }) => kind === "fail");
	const others = markers.filter(({ kind }) => kind !== "fail");
	return [...failed, ...others].slice(0, MAX_TEST_MARKERS).sort((a, b) => a.offsetSeconds - b.offsetSeconds);
}

async function filesOf(patterns: readonly string[], startedAt: number): Promise<string[]> {
	const files: string[] = [];
	for await (const file of glob([...patterns])) {
		if (file.endsWith(COPY) || files.length >= MAX_FILES) continue;
		const found = await stat(file).catch(() => null);
		if (found?.isFile() && found.mtimeMs >= startedAt - CLOCK_GRAIN_MS) files.push(file);
	}
	return files.sort();
}
