/** The pictures that the README and the guides show, in docs/screenshots. */
export const README = [
	{ view: "jobs", size: "desk", scheme: "light", file: "jobs.png" },
	{ view: "recording", size: "desk", scheme: "dark", file: "recording.png" },
	{ view: "job-live", size: "desk", scheme: "light", file: "job-live.png" },
	{ view: "recordings", size: "desk", scheme: "dark", file: "recordings.png" },
	{ view: "job-ended", size: "desk", scheme: "light", file: "job-ended.png" },
	{ view: "recording-sessions", size: "desk", scheme: "light", file: "recording-sessions.png" },
	{ view: "recording-tests", size: "desk", scheme: "light", file: "recording-tests.png" },
	{ view: "search", size: "desk", scheme: "light", file: "search.png" },
	{ view: "build", size: "desk", scheme: "dark", file: "build.png" },
	{ view: "test", size: "desk", scheme: "light", file: "test.png" },
	{ view: "failures", size: "desk", scheme: "light", file: "failures.png" },
	{ view: "compare", size: "desk", scheme: "dark", file: "compare.png" },
	{ view: "form-grid", size: "desk", scheme: "dark", file: "new-job.png" },
	{ view: "jobs", size: "phone", scheme: "light", file: "jobs-phone.png" },
	{ view: "recording", size: "phone", scheme: "dark", file: "recording-phone.png" },
] as const;
