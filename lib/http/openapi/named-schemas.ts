/** The names of schemas in the OpenAPI document, and so of types in generated clients. Never changed once released. */
import * as account from "@tapedeck/contract/account.ts";
import * as attachment from "@tapedeck/contract/attachment.ts";
import * as audit from "@tapedeck/contract/audit.ts";
import * as build from "@tapedeck/contract/build.ts";
import * as buildReport from "@tapedeck/contract/build-report.ts";
import * as credential from "@tapedeck/contract/credential.ts";
import { dailyTotalSchema, dailyTotalsSchema } from "@tapedeck/contract/daily-total.ts";
import * as deletedRecording from "@tapedeck/contract/deleted-recording.ts";
import * as deviceSignIn from "@tapedeck/contract/device-sign-in.ts";
import * as failure from "@tapedeck/contract/failure.ts";
import * as firstDifference from "@tapedeck/contract/first-difference.ts";
import * as gate from "@tapedeck/contract/gate.ts";
import * as identity from "@tapedeck/contract/identity.ts";
import * as job from "@tapedeck/contract/job.ts";
import { labelListSchema } from "@tapedeck/contract/label-list.ts";
import * as link from "@tapedeck/contract/link.ts";
import * as listedTest from "@tapedeck/contract/listed-test.ts";
import * as marker from "@tapedeck/contract/marker.ts";
import * as member from "@tapedeck/contract/member.ts";
import * as organization from "@tapedeck/contract/organization.ts";
import * as privacy from "@tapedeck/contract/privacy.ts";
import { faultSchema, problemSchema } from "@tapedeck/contract/problem.ts";
import * as receipt from "@tapedeck/contract/receipt.ts";
import * as recording from "@tapedeck/contract/recording.ts";
import * as recordingSettings from "@tapedeck/contract/recording-settings.ts";
import * as retention from "@tapedeck/contract/retention.ts";
import * as runner from "@tapedeck/contract/runner.ts";
import * as schedule from "@tapedeck/contract/schedule.ts";
import * as session from "@tapedeck/contract/session.ts";
import { STOP_CONDITION_SCHEMAS } from "@tapedeck/contract/stop-condition.ts";
import { storageSchema } from "@tapedeck/contract/storage.ts";
import * as testFailure from "@tapedeck/contract/test-failure.ts";
import * as testResult from "@tapedeck/contract/test-result.ts";
import * as testRun from "@tapedeck/contract/test-run.ts";
import * as track from "@tapedeck/contract/track.ts";
import { regionSchema, videoFormatSchema, videoOptionsSchema } from "@tapedeck/contract/video-options.ts";
import * as view from "@tapedeck/contract/view.ts";
import * as webhook from "@tapedeck/contract/webhook.ts";
import type * as z from "zod";

/** `selenium_idle` → `SeleniumIdle`. */
const pascalCase = (name: string): string =>
	name.replace(/(^|_)([a-z])/g, (_, _separator, letter: string) => letter.toUpperCase());

/** Names for the variants of a job, by their stop condition or else by their type: `DurationJob`, `ScreenshotJob` and so on. */
const variantNames = (union: { options: readonly z.ZodType[] }, nameOf: (variant: string) => string) =>
	Object.fromEntries(
		union.options.map((option) => {
			const { shape } = option as unknown as { shape: Record<string, { value?: string } | undefined> };
			return [nameOf(pascalCase(shape.stopCondition?.value ?? shape.type?.value ?? "")), option];
		}),
	);

const configNames = Object.fromEntries(
	Object.entries(STOP_CONDITION_SCHEMAS).flatMap(([condition, { config, publicConfig }]): [string, z.ZodType][] =>
		(config as z.ZodType) === publicConfig
			? [[`${pascalCase(condition)}Config`, config]]
			: [
					[`${pascalCase(condition)}Config`, config],
					[`${pascalCase(condition)}PublicConfig`, publicConfig],
				],
	),
);

export const NAMED_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
	Job: job.jobSchema,
	...variantNames(job.jobSchema, (condition) => `${condition}Job`),
	JobPage: job.jobPageSchema,
	JobCounts: job.jobCountsSchema,
	JobError: job.jobErrorSchema,
	JobRecording: job.jobRecordingSchema,
	JobEvent: job.jobEventSchema,
	JobEventPage: job.jobEventPageSchema,
	Creator: job.creatorSchema,
	CreateJob: job.documentedJobBodySchema,
	...variantNames(job.documentedJobBodySchema, (condition) => `Create${condition}Job`),
	ScheduledJob: job.scheduledJobSchema,
	...variantNames(job.scheduledJobSchema, (condition) => `Scheduled${condition}Job`),
	Schedule: schedule.scheduleSchema,
	SchedulePage: schedule.schedulePageSchema,
	CreateSchedule: schedule.documentedScheduleBodySchema,
	UpdateSchedule: schedule.changeScheduleBodySchema,
	...configNames,
	UpdateJob: job.changeJobBodySchema,
	Recording: recording.recordingSchema,
	DeleteOrganization: organization.deleteOrganizationBodySchema,
	OrganizationDeletion: organization.organizationDeletionSchema,
	RemoveRunners: runner.removeRunnersBodySchema,
	RemovedRunners: runner.removedRunnersSchema,
	RecordingPage: recording.recordingPageSchema,
	UnpinRecordings: recording.unpinBodySchema,
	UnpinnedRecordings: recording.unpinnedSchema,
	RestoreDeletedRecordings: deletedRecording.restoreDeletedBodySchema,
	RestoredRecordings: deletedRecording.restoredSchema,
	ChangePrivacy: privacy.changePrivacyBodySchema,
	Privacy: privacy.privacySchema,
	PrivateStretch: privacy.privateStretchSchema,
	RecordingSession: session.recordingSessionSchema,
	GridSession: session.sessionSchema,
	UpdateGridSession: session.changeSessionBodySchema,
	LabelList: labelListSchema,
	Build: build.buildSchema,
	BuildPage: build.buildPageSchema,
	BuildReport: buildReport.buildReportSchema,
	FailuresSeen: failure.failuresSeenSchema,
	MarkFailuresSeen: failure.failuresSeenBodySchema,
	LastPassed: failure.lastPassedSchema,
	FirstDifference: firstDifference.firstDifferenceSchema,
	Attachment: attachment.attachmentSchema,
	SignedAttachment: attachment.signedAttachmentSchema,
	Receipt: receipt.receiptSchema,
	TestRun: testRun.testRunSchema,
	TestRunDetail: testRun.testRunDetailSchema,
	TestRunPage: testRun.testRunPageSchema,
	CreateTestRun: testRun.createTestRunBodySchema,
	EndTestRun: testRun.endTestRunBodySchema,
	TestResult: testResult.testResultSchema,
	TestResultDetail: testResult.testResultDetailSchema,
	TestResultPage: testResult.testResultPageSchema,
	TestResultList: testResult.testResultListSchema,
	TestStep: testResult.testStepSchema,
	NewTestResult: testResult.newTestResultSchema,
	CreateTestResults: testResult.createTestResultsBodySchema,
	Test: testResult.testSchema,
	TestSummary: testResult.testSummarySchema,
	TestHistory: testResult.testHistorySchema,
	ListedTest: listedTest.listedTestSchema,
	ListedTestPage: listedTest.listedTestPageSchema,
	RecentResult: listedTest.recentResultSchema,
	FailureGroup: testFailure.failureGroupSchema,
	FailureGroupList: testFailure.failureGroupListSchema,
	FailureTriage: testFailure.triageSchema,
	SetFailureTriage: testFailure.triageBodySchema,
	LettingPass: testFailure.lettingPassSchema,
	SavedView: view.savedViewSchema,
	SavedViewPage: view.savedViewPageSchema,
	CreateSavedView: view.createViewBodySchema,
	UpdateSavedView: view.changeViewBodySchema,
	Webhook: webhook.webhookSchema,
	WebhookPage: webhook.webhookPageSchema,
	NewWebhook: webhook.newWebhookSchema,
	CreateWebhook: webhook.createWebhookBodySchema,
	UpdateWebhook: webhook.changeWebhookBodySchema,
	WebhookDelivery: webhook.deliverySchema,
	WebhookDeliveryPage: webhook.deliveryPageSchema,
	WholeWebhookDelivery: webhook.wholeDeliverySchema,
	WebhookPayload: webhook.webhookPayloadSchema,
	FinishBuild: webhook.finishBuildBodySchema,
	BuildEnd: webhook.buildEndSchema,
	DecideGate: gate.gateBodySchema,
	Gate: gate.gateSchema,
	MissedSession: session.missedSessionSchema,
	Coverage: session.coverageSchema,
	DailyTotal: dailyTotalSchema,
	DailyTotals: dailyTotalsSchema,
	UpdateRecording: recording.changeRecordingBodySchema,
	VideoOptions: videoOptionsSchema,
	VideoFormat: videoFormatSchema,
	VideoRegion: regionSchema,
	Storyboard: recording.storyboardSchema,
	Marker: marker.markerSchema,
	MarkerPage: marker.markerPageSchema,
	CreateJobMarker: marker.createMarkerBodySchema,
	CreateRecordingMarker: marker.createRecordingMarkerBodySchema,
	CreateJobMarkers: marker.createMarkersBodySchema,
	CreateRecordingMarkers: marker.createRecordingMarkersBodySchema,
	MarkerList: marker.markerListSchema,
	Track: track.trackSchema,
	TrackList: track.trackListSchema,
	TrackLineFault: track.trackLineFaultSchema,
	AppendedTrack: track.appendedTrackSchema,
	TrackLine: track.trackLineSchema,
	TrackLinePage: track.trackLinePageSchema,
	SignedUrl: link.signedUrlSchema,
	ShareLink: link.shareLinkSchema,
	ShareLinkList: link.shareLinkListSchema,
	NewShareLink: link.newShareLinkSchema,
	CreateShareLink: link.createShareLinkBodySchema,
	SharedRecording: link.sharedRecordingSchema,
	SharedTest: link.sharedTestSchema,
	SharedTestPage: link.sharedTestPageSchema,
	Embed: link.embedSchema,
	Runner: runner.runnerSchema,
	RunnerPage: runner.runnerPageSchema,
	RenameRunner: runner.renameRunnerBodySchema,
	Display: runner.displaySchema,
	Storage: storageSchema,
	Organization: organization.organizationSchema,
	OrganizationName: organization.organizationBodySchema,
	RetentionPolicy: retention.retentionBodySchema,
	Retention: retention.retentionSchema,
	RetentionPreview: retention.retentionPreviewSchema,
	DeletedRecording: deletedRecording.deletedRecordingSchema,
	DeletedRecordingPage: deletedRecording.deletedRecordingPageSchema,
	RecordingDeletion: deletedRecording.deletedOfJobSchema,
	RecordingSettings: recordingSettings.recordingSettingsSchema,
	SetRecordingSettings: recordingSettings.recordingSettingsBodySchema,
	Member: member.memberSchema,
	MemberPage: member.memberPageSchema,
	ChangeRole: member.changeRoleBodySchema,
	TransferOwnership: member.transferOwnershipBodySchema,
	Invitation: member.invitationSchema,
	InvitationPage: member.invitationPageSchema,
	NewInvitation: member.newInvitationSchema,
	CreateInvitation: member.createInvitationBodySchema,
	OpenedInvitation: member.openedInvitationSchema,
	LinkToken: member.linkTokenBodySchema,
	ApiKey: credential.apiKeySchema,
	ApiKeyPage: credential.apiKeyPageSchema,
	NewApiKey: credential.newApiKeySchema,
	CreateApiKey: credential.createApiKeyBodySchema,
	RunnerToken: credential.runnerTokenSchema,
	RunnerTokenPage: credential.runnerTokenPageSchema,
	NewRunnerToken: credential.newRunnerTokenSchema,
	RotatedRunnerToken: credential.rotatedTokenSchema,
	CreateRunnerToken: credential.createRunnerTokenBodySchema,
	BeginDeviceSignIn: deviceSignIn.beginDeviceSignInBodySchema,
	DeviceSignIn: deviceSignIn.deviceSignInSchema,
	DeviceCode: deviceSignIn.deviceCodeBodySchema,
	DeviceKey: deviceSignIn.deviceKeySchema,
	UserCode: deviceSignIn.userCodeBodySchema,
	OpenedDeviceSignIn: deviceSignIn.openedDeviceSignInSchema,
	ApproveDeviceSignIn: deviceSignIn.approveDeviceSignInBodySchema,
	AuditEntry: audit.auditEntrySchema,
	AuditPage: audit.auditPageSchema,
	Identity: identity.identitySchema,
	SessionUser: identity.sessionUserSchema,
	ApiKeyIdentity: identity.apiKeyIdentitySchema,
	Session: account.sessionSchema,
	SessionList: account.sessionListSchema,
	SetupState: account.setupStateSchema,
	Setup: account.setupBodySchema,
	SignUp: account.signUpBodySchema,
	ChangeName: account.changeNameBodySchema,
	ChangePassword: account.changePasswordBodySchema,
	ConfirmPassword: account.confirmedBodySchema,
	NewSecondFactor: account.newSecondFactorSchema,
	ConfirmSecondFactor: account.secondFactorCodeBodySchema,
	Passkey: account.passkeySchema,
	PasskeyPage: account.passkeyListSchema,
	PasskeyOptions: account.passkeyOptionsSchema,
	NewPasskey: account.newPasskeySchema,
	NewPasswordReset: account.newPasswordResetSchema,
	RequestPasswordReset: account.requestPasswordResetBodySchema,
	ResetPassword: account.resetPasswordBodySchema,
	Problem: problemSchema,
	Fault: faultSchema,
};
