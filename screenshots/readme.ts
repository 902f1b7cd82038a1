/** The pictures that the README shows, in docs/screenshots. */
export const README = [
	{ look: "jobs", size: "desk", scheme: "light", file: "jobs.png" },
	{ look: "recording", size: "desk", scheme: "dark", file: "recording.png" },
	{ look: "job-live", size: "desk", scheme: "light", file: "job-live.png" },
	{ look: "recordings", size: "desk", scheme: "dark", file: "recordings.png" },
	{ look: "job-ended", size: "desk", scheme: "light", file: "job-ended.png" },
	{ look: "form-grid", size: "desk", scheme: "dark", file: "new-job.png" },
	{ look: "jobs", size: "phone", scheme: "light", file: "jobs-phone.png" },
	{ look: "recording", size: "phone", scheme: "dark", file: "recording-phone.png" },
] as const;
