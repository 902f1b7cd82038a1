/** The words of an empty list of jobs. */

/** Once the first steps are behind. */
export const noJobsTexts = {
	title: "No jobs yet",
	meaning: "A job records one display until its stop condition ends it.",
	forWriters: "Press “New job” above, or send one with curl: the form shows the command.",

	noRunner: "First, a runner",
	noRunnerMeaning:
		"Jobs record the displays of a runner, and there is none yet. Add one: it is a single command on the machine with the display.",
	goToRunners: "Go to runners",
} as const;
