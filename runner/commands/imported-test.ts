/** A test result as it is read from a report of any format, and what the readers share. */
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";
import type { LinkPlace } from "./junit.ts";

export interface ImportedStep {
	title: string;
	category?: string | null;
	/** Milliseconds since 1970, like all times here. */
	startedAt: number | null;
	endedAt: number | null;
	outcome: Outcome | null;
	message: string | null;
	steps: ImportedStep[];
}

/** A file that a report names. */
export interface ImportedFile {
	/** The name that is shown; null for the name of the file. */
	name: string | null;
	/** The type in the report; null if it has none. */
	contentType: string | null;
	/** The path as it is written. */
	path: string;
}

export interface ImportedTest {
	/** Name that includes the suite: `Login › wrong password`. */
	test: string;
	suite: string | null;
	file: string | null;
	line: number | null;
	project: string | null;
	/** The number of the attempt, from 1; null if the report only says when each attempt began. */
	attempt: number | null;
	outcome: Outcome;
	startedAt: number | null;
	endedAt: number | null;
	isApproximate: boolean;
	/** Texts are masked before they are cut to the length that the dashboard takes; see imported-results.ts. */
	message: string | null;
	stack: string | null;
	steps: ImportedStep[];
	/** Left out by formats that have none. */
	files?: ImportedFile[];
	/** The place of its link in a JUnit report; null for another run of a test case. Left out by other formats. */
	link?: LinkPlace | null;
}

/** More than the dashboard keeps of each test, so that what was left out is said. */
const MAX_FILES = 100;
/** @param list of objects. @param key of the path. */
export const filesOf = (list: unknown, key: "source" | "path"): ImportedFile[] =>
	listOf(list)
		.slice(0, MAX_FILES)
		.map(fieldsOf)
		.flatMap((file) => {
			const path = textOf(file[key]);
			if (path === null || path.length > MAX_PATH) return [];
			return [{ name: textOf(file.name), contentType: textOf(file.type ?? file.contentType), path }];
		});
const MAX_PATH = 4_096;

/** More than the dashboard keeps of a message, a stack or a title. */
const MAX_TEXT = 40_000;
const MAX_STEPS = 2_000;

export const textOf = (value: unknown): string | null =>
	typeof value === "string" && value.trim() !== "" ? value.slice(0, MAX_TEXT) : null;
export const numberOf = (value: unknown): number | null =>
	typeof value === "number" && Number.isFinite(value) ? value : null;
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export type Fields = Record<string, unknown>;
export const fieldsOf = (value: unknown): Fields =>
	typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};

/** The names of suites and of the test in them, in one. */
export const joined = (...names: readonly (string | null | undefined)[]): string => names.filter(Boolean).join(" › ");

/** Counts the steps of one test, so that no report makes us keep more than the dashboard does. */
export const stepLimit = (): (() => boolean) => {
	let left = MAX_STEPS;
	return () => {
		left -= 1;
		return left >= 0;
	};
};

/** A time as written: RFC 3339, or without a zone in this machine's. */
export function instantFrom(text: string | undefined | null): number | null {
	const at = text == null ? Number.NaN : Date.parse(text);
	return Number.isNaN(at) ? null : at;
}
