export type { NewAttachment } from "./attachments.ts";
export { ciLabels } from "./ci-labels.ts";
export { Tapedeck } from "./client.ts";
export { displayEnvironment } from "./display-environment.ts";
export type { Download, DownloadOptions } from "./download.ts";
export { TapedeckError } from "./error.ts";
export type { LiveEvent } from "./events.ts";
export type { Outcome } from "./guard.ts";
export type { CallOptions, ClientOptions, RequestOptions } from "./http.ts";
export type { JobFilter, JobMarker, Jobs, PageFilter, TrackFilter, WaitFor } from "./jobs.ts";
export { warnOfMisspelledVariables } from "./known-variables.ts";
export type { List, Page } from "./list.ts";
export type * from "./openapi.ts";
export type { LiveRecording, MarkerKind, RecordOptions } from "./record.ts";
export type { Clip, ClipOptions, DigestOptions, RecordingFilter, Recordings, UploadOptions } from "./recordings.ts";
export type { RunnerFilter, Runners } from "./runners.ts";
export type { Schedules } from "./schedules.ts";
export { SecretMask } from "./secret-mask.ts";
export type {
	ReportedStep,
	ReportedTest,
	TestFilter,
	TestHistoryFilter,
	TestSummaryFilter,
	Tests,
} from "./test-results.ts";
export type { TestRunFilter, TestRuns } from "./test-runs.ts";
export type { ReportedLine } from "./tracks.ts";
export type { DeliveryFilter, Webhooks } from "./webhooks.ts";
