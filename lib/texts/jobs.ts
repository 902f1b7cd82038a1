/** The words of the jobs list. */

import { quoted } from "./isolated.ts";
import { counted } from "./words.ts";

export const jobsTexts = {
	title: "Jobs",
	notLoaded: "The jobs could not be loaded.",

	search: "Search jobs",
	filterByRunner: "Filter by runner",
	allRunners: "All runners",
	filterByStatus: "Filter by status",
	allStatuses: "All",
	runner: (id: number) => `Runner ${id}`,

	noneFits: "No job fits these filters",
	noneFitsHint: "Try another name, or fewer filters.",
	clearFilters: "Clear filters",

	newJobs: (count: number) => counted(count, "new job", "new jobs"),
	newJobsAbove: "There are new jobs at the top of the list.",
} as const;

/** Of the button that opens the form; the form has its own. */
export const newJobTexts = {
	newJob: "New job",
	newJobHint: "New job (N)",
	created: (name: string) => `Created ${quoted(name)}.`,
} as const;

export const columnTexts = {
	status: "Status",
	name: "Name",
	runner: "Runner",
	display: "Display",
	stopCondition: "Stop condition",
	createdBy: "Created by",
	started: "Started",
	duration: "Duration",
	actions: "Actions",
} as const;

export const rowTexts = {
	actionsFor: (name: string) => `Actions for ${name}`,
	viewDetails: "View details",
	playVideo: "Play video",
	copyId: "Copy job ID",
	idCopied: (id: number) => `Copied the job's ID, ${id}.`,
	idNotCopied: (id: number) => `The browser did not allow copying. The job's ID is ${id}.`,
	cancelJob: "Cancel job",
	cancelling: "Cancelling…",
	waiting: "waiting",
	since: "since",
	nothing: "–",
} as const;

/** What is worth knowing of a job beside its status, in a few words. */
export const noteTexts = {
	offlineFor: (span: string) => `Runner offline for ${span}`,
	neverSeen: "Runner was never online",
	runnerTakesIt: "Waiting for the runner",
	stoppedEarly: "Stopped early",
	ended: { runner_shutdown: "Runner was shut down", grid_unreachable: "Grid was unreachable" },
} as const;

export const selectionTexts = {
	column: "Select",
	select: (name: string) => `Select ${name}`,
	selectAll: "Select all loaded jobs",
	bar: "Selected jobs",
	selected: (count: number) => `${count} selected`,
	cancelJobs: "Cancel jobs",
	cancelQuestion: (count: number) => `Cancel ${counted(count, "job", "jobs")}?`,
	cancelEffect:
		"Recording stops at once. What was recorded so far is kept; jobs that have not started yet leave no video.",
	cancelSome: (count: number) => `${count} of them can be cancelled`,
	cancelNone: "None of them can be cancelled any more",
	deleteRecordings: "Delete recordings",
	deleteSome: (count: number) => `${counted(count, "of them has", "of them have")} a recording`,
	deleteNone: "None of them has a recording that is complete",
	clear: "Clear selection",
	clearHint: "Clear selection (Esc)",
	cancelled: (count: number) => `Cancelled ${counted(count, "job", "jobs")}.`,
	notCancelled: (name: string, why: string) => `${quoted(name)} was not cancelled. ${why}`,
	someNotCancelled: (failed: number, all: number, why: string) =>
		`${failed} of ${counted(all, "job was", "jobs were")} not cancelled. ${why}`,
} as const;
