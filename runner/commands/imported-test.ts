/** A test result as it is read from a report of any format, and what the readers share. */
import type { Outcome } from "@tapedeck/contract/recording-kinds.ts";

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

export interface ImportedTest {
	/** Name that includes the suite: `Login › wrong password`. */
	test: string;
	suite: string | null;
	file: string | null;
	line: number | null;
	project: string | null;
	/** From 1; null if the report only says when each attempt began. */
	attempt: number | null;
	outcome: Outcome;
	startedAt: number | null;
	endedAt: number | null;
	isApproximate: boolean;
	message: string | null;
	stack: string | null;
	steps: ImportedStep[];
}

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
