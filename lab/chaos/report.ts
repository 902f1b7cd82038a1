/** The report of a run. */
import type { RecordingResult } from "./check-recording.ts";
import type { JobResult } from "./check-run.ts";
import type { NodeChaosReport } from "./node-chaos.ts";
import { FAULT_KINDS, ORIGINS } from "./plan.ts";
import type { Fault } from "./run-record.ts";

export interface RunReport {
	minutes: number;
	seed: number;
	faults: readonly Fault[];
	jobs: readonly JobResult[];
	/** Faults that belong to no job. */
	wrong: readonly string[];
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

export function problemsOf({ jobs, wrong }: RunReport): string[] {
	const ofJob = (job: { jobId: number; wrong: string[] }) => job.wrong.map((words) => `job ${job.jobId}: ${words}`);
	return [...wrong, ...jobs.flatMap(ofJob)];
}

/** The lines before the last one. */
export function details(report: RunReport): string[] {
	const counts = FAULT_KINDS.map(
		(kind) => [kind, report.faults.filter((fault) => fault.kind === kind).length] as const,
	);
	const started = ORIGINS.map((origin) => `${report.jobs.filter((job) => job.origin === origin).length} by ${origin}`);
	const drift = Math.max(0, ...report.jobs.map(({ recording }) => Math.abs(recording?.drift ?? 0)));
	return [
		"",
		"Faults",
		...counts.map(([kind, count]) => `  ${kind.padEnd(24)}${String(count).padStart(5)}`),
		`Jobs: ${started.join(", ")}`,
		`Largest difference between a frame's time and what it shows: ${Math.round(drift)} ms`,
		...problemsOf(report).map((words) => `WRONG  ${words}`),
		"",
	];
}

/** The one line to quote. */
export function closingLine(report: RunReport): string {
	const recordings = report.jobs.flatMap(({ recording }) => (recording === null ? [] : [recording]));
	const problems = problemsOf(report).length;
	return [
		`chaos: ${plural(report.minutes, "minute")}, seed ${report.seed}`,
		`${plural(report.faults.length, "fault")}, ${plural(report.jobs.length, "job")}, ${plural(recordings.length, "recording")} of ${recorded(recordings)} s`,
		losses(recordings),
		wrong(problems),
	].join("; ");
}

/** The same for several dashboards. */
export function closingLineOfNodes(report: NodeChaosReport, bucket: boolean): string {
	const { recordings } = report;
	return [
		`chaos over three dashboards, videos ${bucket ? "in a bucket" : "on their disks"}: ${plural(Math.round(report.seconds / 60), "minute")}, seed ${report.seed}`,
		`${plural(sum(Object.values(report.faults)), "fault")}, ${plural(report.jobs, "job")}, ${plural(recordings.length, "recording")} of a real display of ${recorded(recordings)} s`,
		losses(recordings),
		wrong(report.problems.length),
	].join("; ");
}

const recorded = (recordings: readonly RecordingResult[]): number =>
	Math.round(sum(recordings.map(({ seconds }) => seconds)));

function losses(recordings: readonly RecordingResult[]): string {
	const within = sum(recordings.map(({ lostWithin }) => lostWithin));
	const beyond = sum(recordings.map(({ lostBeyond }) => lostBeyond));
	return `lost within the rules ${within.toFixed(1)} s, beyond the rules ${beyond.toFixed(1)} s`;
}

const wrong = (count: number): string => (count === 0 ? "nothing wrong" : `${plural(count, "thing")} wrong`);
