/** Generated from the OpenAPI document by generate-types.ts: do not edit. */
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        ApiKey: {
            capabilities: ("record" | "screenshot" | "upload")[] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: {
                id: number;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member" | "viewer";
            } | null;
            expiresAt: string | null;
            id: number;
            lastUsedAt: string | null;
            name: string;
            prefix: string;
            scopes: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
        };
        ApiKeyIdentity: {
            apiKeyId: number;
            /** @constant */
            kind: "apiKey";
            name: string;
            organizationId: number;
            organizationName: string;
            scopes: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
        };
        ApiKeyPage: {
            data: components["schemas"]["ApiKey"][];
            nextCursor: string | null;
        };
        AppendedTrack: {
            /** @description The size of its lines as NDJSON: 64 MiB at most. */
            bytes: number;
            /** @description The first 20 of them. */
            faults: components["schemas"]["TrackLineFault"][];
            /** @description The time of the earliest line. */
            firstAt: string | null;
            /** @enum {string} */
            kind: "log" | "console" | "network" | "load" | "windows";
            /** @description The time of the latest line. */
            lastAt: string | null;
            lines: number;
            name: string;
            /** @description Bytes of the sender's stream that are stored: where the next call continues, as `from`. */
            received: number;
            /** @description The number of lines of the body that were not stored. */
            refused: number;
        };
        ApproveDeviceSignIn: {
            scopes: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
            userCode: string;
        };
        Attachment: {
            bytes: number;
            contentType: string;
            height: number | null;
            id: number;
            name: string;
            url: string;
            width: number | null;
        };
        AuditEntry: {
            /** @enum {string} */
            action: "setup.done" | "session.started" | "session.refused" | "session.ended" | "session.revoked" | "password.changed" | "password.reset_link_created" | "password.reset" | "second_factor.added" | "second_factor.removed" | "passkey.added" | "passkey.removed" | "organization.created" | "organization.updated" | "organization.transferred" | "organization.deletion_requested" | "organization.deletion_cancelled" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "member.joined" | "member.role_changed" | "member.removed" | "member.left" | "api_key.created" | "api_key.revoked" | "device_sign_in.approved" | "runner_token.created" | "runner_token.rotated" | "runner_token.revoked" | "runner.renamed" | "runner.removed" | "job.created" | "job.renamed" | "job.changed" | "job.cancelled" | "job.privacy_started" | "job.privacy_ended" | "job.deleted" | "test_run.created" | "test_run.deleted" | "test_run.let_through" | "attachment.deleted" | "attachment.signed" | "recording.uploaded" | "recording.renamed" | "recording.changed" | "recording.kept" | "recording.pinned" | "recording.unpinned" | "recording.deleted" | "recording.restored" | "recording.purged" | "retention.changed" | "retention.clock_confirmed" | "retention.many_deleted" | "recording_settings.changed" | "view.created" | "view.changed" | "view.deleted" | "link.created" | "link.signed" | "link.revoked" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.test_sent" | "webhook.delivery_repeated" | "build.finish_announced" | "schedule.created" | "schedule.paused" | "schedule.resumed" | "schedule.deleted";
            actor: {
                id: number | null;
                /** @enum {string} */
                kind: "user" | "apiKey" | "runner" | "system" | "visitor";
                name: string;
            };
            address: string | null;
            /** Format: date-time */
            at: string;
            detail: {
                [key: string]: unknown;
            };
            id: number;
            organizationId: number;
            target: {
                id: number | null;
                /** @enum {string} */
                kind: "user" | "organization" | "invitation" | "apiKey" | "runnerToken" | "runner" | "job" | "recording" | "link";
                name: string | null;
            } | null;
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            nextCursor: string | null;
        };
        BeginDeviceSignIn: {
            name: string;
            scopes?: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
        };
        Build: {
            black: number;
            branch: string | null;
            build: string;
            commit: string | null;
            durationSeconds: number;
            endedAt: string | null;
            error: number;
            failed: number;
            /** Format: date-time */
            firstAt: string;
            jobs: number;
            /** Format: date-time */
            lastAt: string;
            letThrough: number;
            passed: number;
            recordings: number;
            repository: string | null;
            running: number;
            skipped: number;
            startedAt: string | null;
            status: ("queued" | "running" | "failed" | "passed") | null;
            testRuns: number;
            tests: {
                all: number;
                error: number;
                failed: number;
                flaky: number;
                passed: number;
                running: number;
                skipped: number;
            };
            withoutOutcome: number;
            workflow: string | null;
        };
        BuildEnd: {
            build: string;
            endedJobs: number;
            expectedJobs: number | null;
            finishedAt: string | null;
        };
        BuildPage: {
            data: components["schemas"]["Build"][];
            nextCursor: string | null;
        };
        BuildReport: {
            branch: string | null;
            build: string;
            causes: {
                all: number;
                data: {
                    cause: string | null;
                    first: {
                        failureOffsetSeconds: number | null;
                        file: string | null;
                        hasFrame: boolean;
                        id: number;
                        isApproximate: boolean;
                        jobId: number | null;
                        line: number | null;
                        project: string | null;
                        recordingId: number | null;
                        test: string;
                        testId: number;
                        testRunId: number | null;
                    };
                    newTests: number;
                    tests: number;
                    title: string;
                    triage: components["schemas"]["FailureTriage"];
                }[];
                new: number;
                newTests: number;
            };
            ciUrl: string | null;
            commit: string | null;
            endedAt: string | null;
            fixed: {
                data: components["schemas"]["TestResult"][];
                tests: number;
            };
            flaky: {
                data: components["schemas"]["TestResult"][];
                tests: number;
            };
            isMore: boolean;
            newlyFailing: {
                data: components["schemas"]["TestResult"][];
                tests: number;
            };
            previous: string | null;
            previousBranch: string | null;
            repository: string | null;
            startedAt: string | null;
            stillFailing: {
                data: components["schemas"]["TestResult"][];
                tests: number;
            };
            tests: {
                all: number;
                error: number;
                failed: number;
                passed: number;
                running: number;
                skipped: number;
            };
        };
        ChangeName: {
            name: string;
        };
        ChangePassword: {
            currentPassword: string;
            /** @default false */
            endOtherSessions?: boolean;
            newPassword: string;
        };
        ChangePrivacy: {
            on: boolean;
        };
        ChangeRole: {
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
        };
        ConfirmPassword: {
            password: string;
        };
        ConfirmSecondFactor: {
            code: string & (unknown & unknown);
        };
        Coverage: {
            data: components["schemas"]["MissedSession"][];
            missed: number;
            nextCursor: string | null;
            recorded: number;
            seen: number;
        };
        CreateApiKey: {
            /** @description What the key may make, within its scopes: all of it if null or omitted */
            capabilities?: ("record" | "screenshot" | "upload")[] | null;
            expiresAt?: string | null;
            name: string;
            scopes?: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
        };
        CreateDurationJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display?: string;
                /** @default {} */
                labels?: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "duration";
            stopConditionConfig: components["schemas"]["DurationConfig"];
            /**
             * @default recording
             * @constant
             */
            type?: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        CreateFileUploadJob: {
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            name?: string;
            /** @description Within the folder that the runner allows (TAPEDECK_UPLOAD_DIR, else TAPEDECK_WATCH_DIR), or absolute. Links are not followed. */
            path: string;
            runnerId: number;
            /** @constant */
            type: "file_upload";
        };
        CreateInterruptJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display?: string;
                /** @default {} */
                labels?: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "interrupt";
            /** @default {} */
            stopConditionConfig?: components["schemas"]["InterruptConfig"];
            /**
             * @default recording
             * @constant
             */
            type?: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        CreateInvitation: {
            /** Format: email */
            email?: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
        };
        CreateJob: components["schemas"]["CreateDurationJob"] | components["schemas"]["CreateInterruptJob"] | components["schemas"]["CreateSeleniumIdleJob"] | components["schemas"]["CreateSeleniumSessionJob"] | components["schemas"]["CreateScreenshotJob"] | components["schemas"]["CreateFileUploadJob"];
        CreateJobMarker: {
            /** Format: date-time */
            at?: string;
            /**
             * @default note
             * @enum {string}
             */
            kind?: "step" | "pass" | "fail" | "note";
            label: string;
            /** @description Text of several lines, such as an error. Terminal sequences and control characters are removed; what is longer than 8 KiB is cut, with a note. */
            message?: string | null;
        };
        CreateJobMarkers: {
            markers: components["schemas"]["CreateJobMarker"][];
        };
        CreateRecordingMarker: {
            /**
             * @default note
             * @enum {string}
             */
            kind?: "step" | "pass" | "fail" | "note";
            label: string;
            /** @description Text of several lines, such as an error. Terminal sequences and control characters are removed; what is longer than 8 KiB is cut, with a note. */
            message?: string | null;
            offsetSeconds: number;
        };
        CreateRecordingMarkers: {
            markers: components["schemas"]["CreateRecordingMarker"][];
        };
        CreateRunnerToken: {
            /** @description What its runners do: record, take screenshots (screenshot), upload files (upload) */
            capabilities?: ("record" | "screenshot" | "upload")[] | null;
            /** @description The only displays that its runners have */
            displays?: string[] | null;
            /** @description After it, only runners that have signed in before can, from the same data directory */
            enrollUntil?: string | null;
            /** @description The only grids whose jobs its runners get: addresses, hosts, or *.example.com for all subdomains */
            grids?: string[] | null;
            /** @description Given to its runners, which cannot have other values of them */
            labels?: {
                [key: string]: string;
            };
            /** @description The maximum number of runners that signed in with it; removed ones do not count */
            maxRunners?: number | null;
            name: string;
            /** @description A pattern for the names of its runners; * is a wildcard */
            namePattern?: string | null;
        };
        CreateSavedView: {
            name: string;
            /** @enum {string} */
            page: "jobs" | "recordings";
            query: string & (unknown & unknown);
            /** @default false */
            shared?: boolean;
        };
        CreateSchedule: {
            /** @description No job starts at this time or later. A job that runs then continues. */
            endsAt?: string | null;
            /** @description The time from one start to the next. The first job starts at once. */
            everySeconds: number;
            job: components["schemas"]["CreateJob"];
        };
        CreateScreenshotJob: {
            displayId: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            name?: string;
            runnerId: number;
            /** @constant */
            type: "screenshot";
            /** @description The part of the display that the picture shows, instead of all of it. */
            video?: {
                region?: components["schemas"]["VideoRegion"];
                window?: string;
            };
        };
        CreateSeleniumIdleJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display?: string;
                /** @default {} */
                labels?: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "selenium_idle";
            stopConditionConfig: components["schemas"]["SeleniumIdleConfig"];
            /**
             * @default recording
             * @constant
             */
            type?: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        CreateSeleniumSessionJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display?: string;
                /** @default {} */
                labels?: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "selenium_session";
            stopConditionConfig: components["schemas"]["SeleniumSessionConfig"];
            /**
             * @default recording
             * @constant
             */
            type?: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        CreateShareLink: {
            /** @description The moment at which the page opens, or that of the frame. */
            at?: number | null;
            expiresAt: string | null;
            /** @description The format of a clip. */
            format?: ("mp4" | "gif") | null;
            /** @description Where the stretch begins that the page repeats, or that the clip has; with to. */
            from?: number | null;
            /**
             * @description Further parts of the page: the tests with their outcomes and messages, their steps, their attachments, the tracks, and a review cut with its receipt, which name markers, steps, tests, labels and the runner. Parts that are left out cannot be fetched with the link.
             * @default []
             */
            include?: ("tests" | "steps" | "attachments" | "tracks" | "proof")[];
            /**
             * @description The target of the link: a page with the whole video, or nothing but one clip or one frame.
             * @default page
             * @enum {string}
             */
            opens?: "page" | "clip" | "frame";
            /** @description Its end. Of a clip at most 600 s after from, or 60 s for a GIF. */
            to?: number | null;
            /** @description The width of a clip or a frame, in pixels. A narrower video keeps its own width. */
            width?: number | null;
        };
        CreateTestResults: components["schemas"]["NewTestResult"][];
        CreateTestRun: {
            key?: string;
            labels?: {
                [key: string]: string;
            };
            name?: string;
            quietHistory?: boolean;
            source?: string;
        };
        CreateWebhook: {
            /**
             * @description The token of a Slack bot with the scope files:write, with which frames of new failures are uploaded to Slack and shown in the message. Only for the kind slack, and never shown again.
             * @default null
             */
            botToken?: string | null;
            events: ("job.ended" | "recording.ready" | "test.failed" | "build.finished" | "runner.offline" | "runner.online" | "storage.full" | "coverage.gap")[];
            /**
             * @description The format that the receiver understands: standard for signed payloads, or slack, teams and mattermost for a message at the end of a build.
             * @default standard
             * @enum {string}
             */
            kind?: "standard" | "slack" | "teams" | "mattermost";
            /**
             * @description Leaves out the end of a build in which nothing fails that did not fail with the same cause before.
             * @default false
             */
            onlyNew?: boolean;
            /**
             * @description A search: events of jobs, recordings, tests and builds that it does not find are left out. Other events are not filtered.
             * @default null
             */
            q?: string | null;
            url: string;
        };
        Creator: {
            id: number;
            /** @enum {string} */
            kind: "user" | "apiKey" | "runner";
            name: string;
        };
        DailyTotal: {
            /** Format: date */
            day: string;
            failed: number;
            flaky: number;
            recordedSessions: number;
            sessions: number;
            storedBytes: number | null;
            tests: number;
        };
        DailyTotals: {
            data: components["schemas"]["DailyTotal"][];
        };
        DecideGate: {
            /**
             * @description Results that the caller knows to have failed. If the job or test run lacks one, the gate stays shut.
             * @default []
             */
            failed?: number[];
        };
        DeletedRecording: {
            bytes: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deletedAt: string;
            deletedBy: string | null;
            durationSeconds: number;
            id: number;
            jobId: number | null;
            labels: {
                [key: string]: string;
            };
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            /** @enum {string} */
            reason: "request" | "age" | "size" | "disk" | "passed";
            restorableUntil: string | null;
            runnerId: number | null;
            /** @enum {string} */
            state: "live" | "ready" | "partial";
            verdict: ("ok" | "black" | "frozen") | null;
        };
        DeletedRecordingPage: {
            data: components["schemas"]["DeletedRecording"][];
            nextCursor: string | null;
        };
        DeleteOrganization: {
            name: string;
        };
        DeviceCode: {
            deviceCode: string;
        };
        DeviceKey: {
            /** @constant */
            state: "pending";
        } | {
            apiKey: components["schemas"]["NewApiKey"];
            /** @constant */
            state: "approved";
            url: string;
        };
        DeviceSignIn: {
            deviceCode: string;
            /** Format: date-time */
            expiresAt: string;
            intervalSeconds: number;
            url: string;
            userCode: string;
        };
        Display: {
            height: number;
            id: string;
            width: number;
        };
        DurationConfig: {
            durationSeconds: number;
        };
        DurationJob: {
            cancelRequestedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** @description The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display. */
            display?: {
                height?: number;
                width?: number;
            };
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload. */
            displayId: string;
            endedAt: string | null;
            error: components["schemas"]["JobError"] | null;
            id: number;
            /** @enum {string} */
            keep: "always" | "failed";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            maxDurationSeconds: number | null;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pinned: boolean;
            preSeconds: number;
            recording: components["schemas"]["JobRecording"] | null;
            runnerId: number;
            selector: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            /** @constant */
            stopCondition: "duration";
            stopConditionConfig: components["schemas"]["DurationConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
            /** @constant */
            type: "recording";
            video: components["schemas"]["VideoOptions"];
        };
        Embed: {
            cache_age: number;
            height: number;
            html: string;
            /** @constant */
            provider_name: "Tapedeck";
            provider_url: string;
            thumbnail_height: number;
            thumbnail_url: string;
            thumbnail_width: number;
            title: string;
            /** @constant */
            type: "video";
            /** @constant */
            version: "1.0";
            width: number;
        } | {
            cache_age: number;
            /** @constant */
            provider_name: "Tapedeck";
            provider_url: string;
            thumbnail_height: number;
            thumbnail_url: string;
            thumbnail_width: number;
            title: string;
            /** @constant */
            type: "link";
            /** @constant */
            version: "1.0";
        };
        EndTestRun: {
            message?: string | null;
            /** @enum {string} */
            outcome: "passed" | "failed" | "error" | "skipped";
        };
        FailureGroup: {
            builds: number;
            failures: number;
            /** Format: date-time */
            firstAt: string;
            flaky: number;
            key: string | null;
            known: number;
            /** Format: date-time */
            lastAt: string;
            new: number;
            newest: components["schemas"]["TestResult"];
            /** Format: date-time */
            newestAt: string;
            recent: components["schemas"]["RecentResult"][];
            tests: number;
            title: string;
            triage: components["schemas"]["FailureTriage"] | null;
            unseen: number;
        };
        FailureGroupList: {
            /** @enum {string} */
            by: "cause" | "test" | "build" | "screen";
            data: components["schemas"]["FailureGroup"][];
            failures: number;
            groups: number;
            isMore: boolean;
            muted: number;
            newestAt: string | null;
            tests: number;
            unseen: number;
        };
        FailuresSeen: {
            seenAt: string | null;
        };
        FailureTriage: {
            assignee: {
                name: string;
                userId: number;
            } | null;
            letsPass: boolean;
            mutedBy: string | null;
            mutedUntil: string | null;
            muteReason: string | null;
        };
        Fault: {
            code: string;
            message: string;
            path: string;
        };
        FileUploadJob: {
            cancelRequestedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** @description The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display. */
            display?: {
                height?: number;
                width?: number;
            };
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload. */
            displayId: string;
            endedAt: string | null;
            error: components["schemas"]["JobError"] | null;
            id: number;
            /** @enum {string} */
            keep: "always" | "failed";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            maxDurationSeconds: number | null;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            /** @description The file, on its runner. */
            path: string;
            pinned: boolean;
            preSeconds: number;
            recording: components["schemas"]["JobRecording"] | null;
            runnerId: number;
            selector: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            stopCondition: null;
            stopConditionConfig: null;
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
            /** @constant */
            type: "file_upload";
            video: components["schemas"]["VideoOptions"];
        };
        FinishBuild: {
            /** @description Jobs and test runs that the build has in all: it is finished when as many have ended. Without it, those that it has now. */
            expectedJobs?: number;
        };
        FirstDifference: {
            at: number | null;
            comparedTo: number;
        };
        Gate: {
            known: {
                cause: string | null;
                /** Format: date-time */
                mutedUntil: string;
                names: string[];
                owner: string;
                reason: string | null;
                tests: number;
                title: string;
            }[];
            new: {
                cause: string | null;
                names: string[];
                since: {
                    build: string | null;
                    commit: string | null;
                    id: number;
                    /** Format: date-time */
                    startedAt: string;
                } | null;
                tests: number;
                title: string;
            }[];
            passes: boolean;
            refusal: string | null;
            /** @description Such as: 2 causes: 1 known (let through by Ada until 2026-12-04: …), 1 new: Checkout › pays, since this commit. */
            summary: string;
        };
        GetJobQuery: {
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @default 30 */
            timeoutSeconds?: number;
            /** @enum {string} */
            waitFor?: "recording" | "ended" | "playable";
        };
        GetRecordingClipQuery: {
            /**
             * @description last-passed: beside it, on the right, the last recording of the same test that passed, aligned at the step before the failure.
             * @enum {string}
             */
            against?: "last-passed";
            /**
             * @description 1: the clip begins with the frame at from, and is encoded for that. Otherwise it may begin a little earlier.
             * @enum {string}
             */
            exact?: "0" | "1";
            /**
             * @default mp4
             * @enum {string}
             */
            format?: "mp4" | "gif";
            /** @description Seconds from the beginning. Without from and to, the clip is of 20 s before the first failure to 5 s after it, or of the last 25 s. */
            from?: number;
            /**
             * @description The size that the clip never exceeds.
             * @default 10000000
             */
            maxBytes?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @description The width in pixels; a narrower video keeps its own. */
            size?: number;
            /** @description At most 600 s after from, or 60 s for a GIF. */
            to?: number;
        };
        GetRecordingDigestQuery: {
            /**
             * @description The maximum number of frames that it names: those of failures, and those that changed most.
             * @default 9
             */
            frames?: number;
            /**
             * @description The Markdown has at most 4 times as many bytes.
             * @default 2000
             */
            maxTokens?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /**
             * @description sheet: the frames as one JPEG, in rows, at most 1,500 × 1,500 pixels and 600 kB.
             * @default text
             * @enum {string}
             */
            part?: "text" | "sheet";
        };
        GetRecordingProofQuery: {
            /**
             * @description A GIF plays where no video does. Its pictures are smaller, and it has no chapters.
             * @default mp4
             * @enum {string}
             */
            format?: "mp4" | "gif";
            /**
             * @description The size that the cut never exceeds.
             * @default 10000000
             */
            maxBytes?: number;
            /**
             * @description The length that the cut never exceeds: what changes is shown faster if need be.
             * @default 60
             */
            maxSeconds?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
        };
        GetTestHistoryQuery: {
            branch?: string;
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            project?: string;
            repository?: string;
            test?: string;
            testId?: number;
        };
        GridSession: {
            capabilities: {
                [key: string]: string;
            };
            endedAt: string | null;
            jobId: number | null;
            message: string | null;
            name: string | null;
            offsetSeconds: number | null;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            reason: ("no_runner" | "runner_offline" | "not_wanted" | "node_ambiguous" | "display_unavailable" | "storage_full" | "recording_failed") | null;
            recordingId: number | null;
            sessionId: string;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            state: "recording" | "recorded" | "not_recorded";
            url: string | null;
        };
        Identity: components["schemas"]["SessionUser"] | components["schemas"]["ApiKeyIdentity"];
        InterruptConfig: Record<string, never>;
        InterruptJob: {
            cancelRequestedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** @description The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display. */
            display?: {
                height?: number;
                width?: number;
            };
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload. */
            displayId: string;
            endedAt: string | null;
            error: components["schemas"]["JobError"] | null;
            id: number;
            /** @enum {string} */
            keep: "always" | "failed";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            maxDurationSeconds: number | null;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pinned: boolean;
            preSeconds: number;
            recording: components["schemas"]["JobRecording"] | null;
            runnerId: number;
            selector: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            /** @constant */
            stopCondition: "interrupt";
            stopConditionConfig: components["schemas"]["InterruptConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
            /** @constant */
            type: "recording";
            video: components["schemas"]["VideoOptions"];
        };
        Invitation: {
            acceptedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string | null;
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            id: number;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @enum {string} */
            state: "open" | "accepted" | "revoked" | "expired";
        };
        InvitationPage: {
            data: components["schemas"]["Invitation"][];
            nextCursor: string | null;
        };
        Job: components["schemas"]["DurationJob"] | components["schemas"]["InterruptJob"] | components["schemas"]["SeleniumIdleJob"] | components["schemas"]["SeleniumSessionJob"] | components["schemas"]["ScreenshotJob"] | components["schemas"]["FileUploadJob"];
        JobCounts: {
            byOutcome: {
                error: number;
                failed: number;
                passed: number;
                skipped: number;
            } | null;
            byStatus: {
                cancelled: number;
                completed: number;
                failed: number;
                queued: number;
                recording: number;
                starting: number;
                uploading: number;
            } | null;
        };
        JobError: {
            /** @enum {string} */
            code: "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable";
            message: string;
        };
        JobEvent: {
            /** Format: date-time */
            at: string;
            data: {
                [key: string]: unknown;
            };
            id: number;
            message: string;
            type: string;
        };
        JobEventPage: {
            data: components["schemas"]["JobEvent"][];
            nextCursor: string | null;
        };
        JobPage: {
            data: components["schemas"]["Job"][];
            nextCursor: string | null;
        };
        JobRecording: {
            bytes: number;
            deleteAt: string | null;
            durationSeconds: number;
            height: number | null;
            id: number;
            /** @enum {string} */
            kind: "video" | "image" | "document" | "other";
            /** @enum {string} */
            state: "live" | "ready" | "partial";
            url: string;
            verdict: ("ok" | "black" | "frozen") | null;
            video: components["schemas"]["VideoFormat"] | null;
            width: number | null;
        };
        LabelList: {
            data: string[];
            nextCursor: null;
        };
        LastPassed: {
            /** @enum {string} */
            matchedBy: "test" | "name";
            recording: components["schemas"]["Recording"] | null;
            sameBranch: boolean;
        };
        LettingPass: {
            data: {
                cause: string;
                failures: number;
                newest: {
                    id: number;
                    recordingId: number | null;
                    test: string;
                    testId: number;
                } | null;
                title: string | null;
                triage: components["schemas"]["FailureTriage"];
            }[];
        };
        LinkToken: {
            token: string;
        };
        ListedTest: {
            durationChangeSeconds: number;
            durationSeconds: number | null;
            file: string | null;
            /** Format: date-time */
            firstAt: string;
            flakyRate: number | null;
            id: number;
            isApproximate: boolean;
            /** Format: date-time */
            lastAt: string;
            line: number | null;
            new: boolean;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            owner: {
                name: string;
                userId: number;
            } | null;
            passRate: number | null;
            project: string | null;
            recent: components["schemas"]["RecentResult"][];
            repository: string | null;
            results: number;
            suite: string | null;
            test: string;
        };
        ListedTestPage: {
            data: components["schemas"]["ListedTest"][];
            nextCursor: string | null;
        };
        ListJobsQuery: {
            /** Format: date-time */
            createdAfter?: string;
            /** Format: date-time */
            createdBefore?: string;
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /**
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
            q?: string;
            runnerId?: number;
            status?: ("queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled")[];
            /** @enum {string} */
            stopCondition?: "duration" | "interrupt" | "selenium_idle" | "selenium_session";
            /** @description The types to list; repeat it for several. Without it, only recordings are listed. */
            type?: ("recording" | "screenshot" | "file_upload")[];
        };
        ListRecordingsQuery: {
            /** Format: date-time */
            createdAfter?: string;
            /** Format: date-time */
            createdBefore?: string;
            cursor?: string;
            /** @description The kinds to list; repeat it for several. Without it, only videos are listed. */
            kind?: ("video" | "image" | "document" | "other")[];
            /** @default 50 */
            limit?: number;
            /**
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
            q?: string;
            runnerId?: number;
            /**
             * @default createdAt
             * @enum {string}
             */
            sort?: "createdAt" | "durationSeconds" | "bytes";
            state?: ("live" | "ready" | "partial")[];
            verdict?: ("ok" | "black" | "frozen")[];
        };
        ListRunnersQuery: {
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @enum {string} */
            removed?: "true" | "false";
        };
        ListTestResultsQuery: {
            /** Format: date-time */
            createdAfter?: string;
            /** Format: date-time */
            createdBefore?: string;
            cursor?: string;
            jobId?: number;
            /** @description The name of a build: each of its tests once, with its last result in this build. */
            lastOfBuild?: string;
            /** @default 50 */
            limit?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
            q?: string;
            recordingId?: number;
            testRunId?: number;
        };
        ListTestRunsQuery: {
            /** @description Only those with this label `build`. */
            build?: string;
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
        };
        ListTestSummariesQuery: {
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /**
             * @default desc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @description Words that are all in the title, the suite, the file, the project or the repository, in upper or lower case, and filters such as outcome:failed, flaky:yes, new:yes, suite:Login, file:login.spec.ts, owner:Ada: the last outcome of a test, its owner, and what one of its last 30 results has. build: and commit: look at all results. A leading minus excludes, quotes group. At most 20. */
            q?: string;
            /**
             * @default lastAt
             * @enum {string}
             */
            sort?: "lastAt" | "passRate" | "flakyRate" | "durationSeconds" | "durationChangeSeconds";
        };
        ListWebhookDeliveriesQuery: {
            cursor?: string;
            /** @default 50 */
            limit?: number;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @enum {string} */
            state?: "waiting" | "delivered" | "failed";
        };
        Marker: {
            at: string | null;
            /** @description Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video. */
            clampedTo: ("start" | "end") | null;
            id: number;
            jobId: number | null;
            /** @enum {string} */
            kind: "step" | "pass" | "fail" | "note" | "stall" | "session";
            label: string;
            message: string | null;
            offsetSeconds: number | null;
        };
        MarkerList: {
            data: components["schemas"]["Marker"][];
        };
        MarkerPage: {
            data: components["schemas"]["Marker"][];
            nextCursor: string | null;
        };
        MarkFailuresSeen: {
            build?: string;
            cause?: string;
            screen?: string;
            seenAt: string | null;
            test?: string;
        };
        Member: {
            email: string;
            /** Format: date-time */
            joinedAt: string;
            name: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            userId: number;
        };
        MemberPage: {
            data: components["schemas"]["Member"][];
            nextCursor: string | null;
        };
        MissedSession: {
            endedAt: string | null;
            name: string | null;
            node: string | null;
            /** @enum {string} */
            reason: "no_runner" | "runner_offline" | "not_wanted" | "node_ambiguous" | "display_unavailable" | "storage_full" | "recording_failed";
            runnerId: number;
            sessionId: string;
            /** Format: date-time */
            startedAt: string;
        };
        NewApiKey: {
            capabilities: ("record" | "screenshot" | "upload")[] | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: {
                id: number;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member" | "viewer";
            } | null;
            expiresAt: string | null;
            id: number;
            lastUsedAt: string | null;
            name: string;
            prefix: string;
            scopes: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
            secret: string;
        };
        NewInvitation: {
            acceptedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string | null;
            email: string | null;
            emailed: boolean;
            /** Format: date-time */
            expiresAt: string;
            id: number;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @enum {string} */
            state: "open" | "accepted" | "revoked" | "expired";
            url: string;
        };
        NewPasskey: {
            name: string;
            response: {
                id: string & (unknown & unknown);
                rawId: string & (unknown & unknown);
                response: {
                    attestationObject: string & (unknown & unknown);
                    clientDataJSON: string & (unknown & unknown);
                    transports?: string[];
                };
                /** @constant */
                type: "public-key";
            };
        };
        NewPasswordReset: {
            emailed: boolean;
            /** Format: date-time */
            expiresAt: string;
            url: string;
        };
        NewRunnerToken: {
            capabilities: ("record" | "screenshot" | "upload")[] | null;
            /** Format: date-time */
            createdAt: string;
            displays: string[] | null;
            enrollUntil: string | null;
            expiresAt: string | null;
            grids: string[] | null;
            id: number;
            labels: {
                [key: string]: string;
            };
            lastUsedAt: string | null;
            maxRunners: number | null;
            name: string;
            namePattern: string | null;
            prefix: string;
            runnerCount: number;
            secret: string;
        };
        NewSecondFactor: {
            backupCodes: string[];
            uri: string;
        };
        NewShareLink: {
            at: number | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            expiresAt: string | null;
            format: ("mp4" | "gif") | null;
            from: number | null;
            id: number;
            include: ("tests" | "steps" | "attachments" | "tracks" | "proof")[];
            /** @enum {string} */
            opens: "page" | "clip" | "frame";
            prefix: string;
            recordingId: number;
            to: number | null;
            url: string;
            width: number | null;
        };
        NewTestResult: {
            /** @default 1 */
            attempt?: number;
            endedAt?: string | null;
            file?: string | null;
            isApproximate?: boolean;
            key: string;
            line?: number | null;
            message?: string | null;
            outcome?: ("passed" | "failed" | "error" | "skipped") | null;
            project?: string | null;
            stack?: string | null;
            startedAt?: string | null;
            steps?: unknown[] | null;
            suite?: string | null;
            test: string;
        };
        NewWebhook: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string | null;
            events: ("job.ended" | "recording.ready" | "test.failed" | "build.finished" | "runner.offline" | "runner.online" | "storage.full" | "coverage.gap")[];
            hasBotToken: boolean;
            id: number;
            /** @enum {string} */
            kind: "standard" | "slack" | "teams" | "mattermost";
            onlyNew: boolean;
            paused: boolean;
            pausedBecause: string | null;
            previousSecretUntil: string | null;
            q: string | null;
            secret: string;
            url: string;
            waiting: number;
        };
        OpenedDeviceSignIn: {
            address: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            name: string;
            scopes: ("jobs:read" | "jobs:write" | "recordings:read" | "recordings:write" | "runners:read" | "runners:write" | "metrics:read" | "settings:write")[];
            userCode: string;
        };
        OpenedInvitation: {
            email: string | null;
            /** Format: date-time */
            expiresAt: string;
            organizationName: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            /** @enum {string} */
            state: "open" | "accepted" | "revoked" | "expired";
        };
        Organization: {
            id: number;
            name: string;
        };
        OrganizationDeletion: {
            /** Format: date-time */
            deleteAt: string;
            /** Format: date-time */
            requestedAt: string;
            requestedBy: string;
        };
        OrganizationName: {
            name: string;
        };
        Passkey: {
            /** Format: date-time */
            createdAt: string;
            id: number;
            name: string;
        };
        PasskeyOptions: {
            [key: string]: unknown;
        };
        PasskeyPage: {
            data: components["schemas"]["Passkey"][];
            nextCursor: string | null;
        };
        Privacy: {
            effectiveAt: string | null;
            on: boolean;
        };
        PrivateStretch: {
            from: number;
            to: number | null;
        };
        Problem: {
            code: string;
            detail: string;
            errors?: components["schemas"]["Fault"][];
            requestId: string;
            status: number;
            title: string;
            type: string;
        };
        ReadTrackQuery: {
            cursor?: string;
            from?: number;
            /**
             * @description Only lines of this level, and of those that are more severe.
             * @enum {string}
             */
            level?: "debug" | "info" | "warn" | "error";
            /** @default 200 */
            limit?: number;
            /**
             * @default asc
             * @enum {string}
             */
            order?: "desc" | "asc";
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @description Text that the line contains, in upper or lower case. */
            q?: string;
            to?: number;
        };
        Receipt: {
            payload: string;
            payloadType: string;
            signatures: {
                keyid: string;
                sig: string;
            }[];
        };
        RecentResult: {
            durationSeconds: number | null;
            flaky: boolean;
            id: number;
            /** @enum {string} */
            outcome: "passed" | "failed" | "error" | "skipped";
            /** Format: date-time */
            startedAt: string;
        };
        Recording: {
            bytes: number;
            contentType: string;
            /** Format: date-time */
            createdAt: string;
            deleteAt: string | null;
            durationSeconds: number;
            height: number | null;
            id: number;
            jobId: number | null;
            /** @enum {string} */
            keep: "always" | "failed";
            keptUntil: string | null;
            /** @enum {string} */
            kind: "video" | "image" | "document" | "other";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pinned: boolean;
            posterUrl: string;
            privacy?: components["schemas"]["PrivateStretch"][];
            runnerId: number | null;
            sessions?: components["schemas"]["RecordingSession"][];
            /** @enum {string} */
            state: "live" | "ready" | "partial";
            url: string;
            verdict: ("ok" | "black" | "frozen") | null;
            video: components["schemas"]["VideoFormat"] | null;
            videoUrl: string;
            width: number | null;
        };
        RecordingDeletion: {
            /** Format: date-time */
            deletedAt: string;
            deletedBy: string | null;
            id: number;
            /** @enum {string} */
            reason: "request" | "age" | "size" | "disk" | "passed";
            restorableUntil: string | null;
        };
        RecordingPage: {
            data: components["schemas"]["Recording"][];
            nextCursor: string | null;
        };
        RecordingSession: {
            endedAt: string | null;
            name: string | null;
            offsetSeconds: number;
            sessionId: string;
            /** Format: date-time */
            startedAt: string;
        };
        RecordingSettings: {
            commitUrlTemplate: string | null;
            graceSeconds: number;
            /** @enum {string} */
            keep: "always" | "failed";
            maxDurationSeconds: number | null;
            video?: components["schemas"]["VideoOptions"];
        };
        RemovedRunners: {
            runnerIds: number[];
        };
        RemoveRunners: {
            runnerIds: number[];
        };
        RenameRunner: {
            name: string;
        };
        RequestPasswordReset: {
            /** Format: email */
            email: string;
        };
        ResetPassword: {
            password: string;
            token: string;
        };
        RestoreDeletedRecordings: {
            /** @constant */
            all?: true;
            build?: string;
            /** Format: date-time */
            deletedAfter?: string;
            /** Format: date-time */
            deletedBefore?: string;
            reason?: ("request" | "age" | "size" | "disk" | "passed")[];
        };
        RestoredRecordings: {
            hasMore: boolean;
            /** Format: date-time */
            keptUntil: string;
            restored: number;
        };
        Retention: {
            clockJump: {
                /** Format: date-time */
                lastSeenAt: string;
                /** Format: date-time */
                now: string;
            } | null;
            diskPercent: number;
            maxAgeDays: number | null;
            maxBytes: number | null;
            maxDiskPercent: number | null;
            next: {
                bytes: number;
                /** Format: date-time */
                deleteAt: string;
                name: string;
                /** @enum {string} */
                reason: "age" | "size" | "disk";
                recordingId: number;
            }[];
            overdueRecordings: number;
            storedBytes: number;
            storedRecordings: number;
            testResultDays: number;
            trashBytes: number;
            trashHours: number;
            trashRecordings: number;
        };
        RetentionPolicy: {
            maxAgeDays: number | null;
            maxBytes: number | null;
            maxDiskPercent: number | null;
            testResultDays?: number;
            trashHours?: number;
        };
        RetentionPreview: {
            bytes: number;
            failed: number;
            newest: {
                /** Format: date-time */
                createdAt: string;
                name: string;
                recordingId: number;
            } | null;
            recordings: number;
        };
        RotatedRunnerToken: {
            capabilities: ("record" | "screenshot" | "upload")[] | null;
            /** Format: date-time */
            createdAt: string;
            displays: string[] | null;
            enrollUntil: string | null;
            expiresAt: string | null;
            grids: string[] | null;
            id: number;
            labels: {
                [key: string]: string;
            };
            lastUsedAt: string | null;
            maxRunners: number | null;
            name: string;
            namePattern: string | null;
            prefix: string;
            replaces: {
                /** Format: date-time */
                expiresAt: string;
                id: number;
            };
            runnerCount: number;
            secret: string;
        };
        Runner: {
            /** @description Seconds of its displays' past that it keeps, for jobs with preSeconds; set by TAPEDECK_BUFFER. Null if it keeps nothing. */
            bufferSeconds: number | null;
            displays: components["schemas"]["Display"][];
            id: number;
            labels: {
                [key: string]: string;
            };
            lastSeenAt: string | null;
            name: string;
            organizationId: number;
            runningJobIds: number[];
            /** @enum {string} */
            state: "online" | "offline";
            version: string;
            /**
             * @description The runner's version, compared with the dashboard's. `different`: another build of the same version, or one that has no order.
             * @enum {string}
             */
            versionStatus: "current" | "older" | "newer" | "different";
            /** @description How many virtual displays it makes at a time for jobs with the displayId "new"; set by TAPEDECK_VIRTUAL_DISPLAYS. Null if it makes none. */
            virtualDisplays: number | null;
            waitingJobIds: number[];
        };
        RunnerPage: {
            data: components["schemas"]["Runner"][];
            nextCursor: string | null;
        };
        RunnerToken: {
            capabilities: ("record" | "screenshot" | "upload")[] | null;
            /** Format: date-time */
            createdAt: string;
            displays: string[] | null;
            enrollUntil: string | null;
            expiresAt: string | null;
            grids: string[] | null;
            id: number;
            labels: {
                [key: string]: string;
            };
            lastUsedAt: string | null;
            maxRunners: number | null;
            name: string;
            namePattern: string | null;
            prefix: string;
            runnerCount: number;
        };
        RunnerTokenPage: {
            data: components["schemas"]["RunnerToken"][];
            nextCursor: string | null;
        };
        SavedView: {
            /** Format: date-time */
            createdAt: string;
            id: number;
            name: string;
            /** @enum {string} */
            page: "jobs" | "recordings";
            query: string;
            shared: boolean;
        };
        SavedViewPage: {
            data: components["schemas"]["SavedView"][];
            nextCursor: string | null;
        };
        Schedule: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string | null;
            endsAt: string | null;
            everySeconds: number;
            id: number;
            job: components["schemas"]["ScheduledJob"];
            lastJob: {
                /** Format: date-time */
                createdAt: string;
                id: number;
                /** @enum {string} */
                status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            } | null;
            lastSkip: {
                /** Format: date-time */
                at: string;
                reason: string;
            } | null;
            nextStartAt: string | null;
            paused: boolean;
            pausedBecause: string | null;
            skippedStarts: number;
            startedJobs: number;
        };
        ScheduledDurationJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "duration";
            stopConditionConfig: components["schemas"]["DurationConfig"];
            /**
             * @default recording
             * @constant
             */
            type: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        ScheduledFileUploadJob: {
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            name?: string;
            /** @description Within the folder that the runner allows (TAPEDECK_UPLOAD_DIR, else TAPEDECK_WATCH_DIR), or absolute. Links are not followed. */
            path: string;
            runnerId: number;
            /** @constant */
            type: "file_upload";
        };
        ScheduledInterruptJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "interrupt";
            stopConditionConfig: components["schemas"]["InterruptConfig"];
            /**
             * @default recording
             * @constant
             */
            type: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        ScheduledJob: components["schemas"]["ScheduledDurationJob"] | components["schemas"]["ScheduledInterruptJob"] | components["schemas"]["ScheduledSeleniumIdleJob"] | components["schemas"]["ScheduledSeleniumSessionJob"] | components["schemas"]["ScheduledScreenshotJob"] | components["schemas"]["ScheduledFileUploadJob"];
        ScheduledScreenshotJob: {
            displayId: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            name?: string;
            runnerId: number;
            /** @constant */
            type: "screenshot";
            /** @description The part of the display that the picture shows, instead of all of it. */
            video?: {
                region?: components["schemas"]["VideoRegion"];
                window?: string;
            };
        };
        ScheduledSeleniumIdleJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "selenium_idle";
            stopConditionConfig: components["schemas"]["SeleniumIdlePublicConfig"];
            /**
             * @default recording
             * @constant
             */
            type: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        ScheduledSeleniumSessionJob: {
            /** @description Only with the displayId "new" (or the selector's display "new"): the size of the display that the runner makes. If omitted, the runner's TAPEDECK_VIRTUAL_DISPLAY_SIZE. */
            display?: {
                height: number;
                width: number;
            };
            displayId?: string;
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string;
            };
            maxDurationSeconds?: number;
            name?: string;
            /** @description Whether the creator reports the outcome itself. While the job runs, markers of the kind `fail` then do not set it. */
            outcomeExpected?: boolean;
            /** @description Seconds of the display's past that belong to the recording, from the buffer that its runner keeps (TAPEDECK_BUFFER). Durations count from the call. If the buffer has less, the recording begins later, and an event says so. */
            preSeconds?: number;
            /** @description Required, like displayId, unless there is a selector. */
            runnerId?: number;
            /** @description In place of runnerId and displayId: the first runner that fits and has the display free. */
            selector?: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            };
            /** @constant */
            stopCondition: "selenium_session";
            stopConditionConfig: components["schemas"]["SeleniumSessionPublicConfig"];
            /**
             * @default recording
             * @constant
             */
            type: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        SchedulePage: {
            data: components["schemas"]["Schedule"][];
            nextCursor: string | null;
        };
        ScreenshotJob: {
            cancelRequestedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** @description The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display. */
            display?: {
                height?: number;
                width?: number;
            };
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload. */
            displayId: string;
            endedAt: string | null;
            error: components["schemas"]["JobError"] | null;
            id: number;
            /** @enum {string} */
            keep: "always" | "failed";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            maxDurationSeconds: number | null;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pinned: boolean;
            preSeconds: number;
            recording: components["schemas"]["JobRecording"] | null;
            runnerId: number;
            selector: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            stopCondition: null;
            stopConditionConfig: null;
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
            /** @constant */
            type: "screenshot";
            video: components["schemas"]["VideoOptions"];
        };
        SeleniumIdleConfig: {
            firstSessionTimeoutSeconds?: number;
            /** @description A node of the grid: its id, its URI or its host. Only its sessions count. */
            gridNode?: string;
            gridPassword?: string;
            /** Format: uri */
            gridUrl: string;
            gridUsername?: string & (unknown & unknown);
        };
        SeleniumIdleJob: {
            cancelRequestedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** @description The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display. */
            display?: {
                height?: number;
                width?: number;
            };
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload. */
            displayId: string;
            endedAt: string | null;
            error: components["schemas"]["JobError"] | null;
            id: number;
            /** @enum {string} */
            keep: "always" | "failed";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            maxDurationSeconds: number | null;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pinned: boolean;
            preSeconds: number;
            recording: components["schemas"]["JobRecording"] | null;
            runnerId: number;
            selector: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            /** @constant */
            stopCondition: "selenium_idle";
            stopConditionConfig: components["schemas"]["SeleniumIdlePublicConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
            /** @constant */
            type: "recording";
            video: components["schemas"]["VideoOptions"];
        };
        SeleniumIdlePublicConfig: {
            firstSessionTimeoutSeconds?: number;
            gridNode?: string;
            gridUrl: string;
            gridUsername?: string;
        };
        SeleniumSessionConfig: {
            firstSessionTimeoutSeconds?: number;
            /** @description A node of the grid: its id, its URI or its host. Only its sessions count. */
            gridNode?: string;
            gridPassword?: string;
            /** Format: uri */
            gridUrl: string;
            gridUsername?: string & (unknown & unknown);
            /** @description The session to record; the next one to begin (on gridNode) if omitted. */
            sessionId?: string;
        };
        SeleniumSessionJob: {
            cancelRequestedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** @description The requested size of the new display; empty if no size was requested. Omitted for a job of an existing display. */
            display?: {
                height?: number;
                width?: number;
            };
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. Empty for a file_upload. */
            displayId: string;
            endedAt: string | null;
            error: components["schemas"]["JobError"] | null;
            id: number;
            /** @enum {string} */
            keep: "always" | "failed";
            labels: {
                [key: string]: string;
            };
            matchedLine?: string;
            maxDurationSeconds: number | null;
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pinned: boolean;
            preSeconds: number;
            recording: components["schemas"]["JobRecording"] | null;
            runnerId: number;
            selector: {
                /** @default any */
                display: string;
                /** @default {} */
                labels: {
                    [key: string]: string;
                };
            } | null;
            startedAt: string | null;
            /** @enum {string} */
            status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
            /** @constant */
            stopCondition: "selenium_session";
            stopConditionConfig: components["schemas"]["SeleniumSessionPublicConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
            /** @constant */
            type: "recording";
            video: components["schemas"]["VideoOptions"];
        };
        SeleniumSessionPublicConfig: {
            firstSessionTimeoutSeconds?: number;
            gridNode?: string;
            gridUrl: string;
            gridUsername?: string;
            sessionId?: string;
        };
        Session: {
            address: string | null;
            /** Format: date-time */
            createdAt: string;
            current: boolean;
            id: number;
            /** Format: date-time */
            lastSeenAt: string;
            userAgent: string | null;
        };
        SessionList: {
            data: components["schemas"]["Session"][];
            nextCursor: string | null;
        };
        SessionUser: {
            commitUrlTemplate: string | null;
            email: string;
            name: string;
            organizationDeleteAt: string | null;
            organizationId: number;
            organizationName: string;
            organizations: {
                id: number;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member" | "viewer";
            }[];
            /** @enum {string} */
            role: "owner" | "admin" | "member" | "viewer";
            secondFactor: boolean;
            signInMethods: ("password" | "singleSignOn")[];
            userId: number;
        };
        SetFailureTriage: {
            assigneeUserId?: number | null;
            cause?: string;
            letsPass?: boolean;
            mutedUntil?: string | null;
            reason?: string;
            testId?: number;
        };
        SetRecordingSettings: {
            commitUrlTemplate?: string | null;
            graceSeconds: number;
            /** @enum {string} */
            keep: "always" | "failed";
            maxDurationSeconds: number | null;
            video?: components["schemas"]["VideoOptions"];
        };
        Setup: {
            code?: string;
            /** Format: email */
            email: string;
            name: string;
            organizationName: string;
            password: string;
        };
        SetupState: {
            codeRequired: boolean;
            needed: boolean;
        };
        SharedRecording: {
            /** @description The moment at which the page opens. */
            at: number | null;
            contentType: string;
            durationSeconds: number;
            expiresAt: string | null;
            /** @description Where the video shows the failure: a page without at and from begins shortly before it. */
            failureOffsetSeconds: number | null;
            /** @description The stretch that it repeats. */
            from: number | null;
            height: number | null;
            /** @description Further parts that can be fetched. */
            include: ("tests" | "steps" | "attachments" | "tracks" | "proof")[];
            /** @enum {string} */
            kind: "video" | "image" | "document" | "other";
            markers: {
                /** @description Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video. */
                clampedTo: ("start" | "end") | null;
                id: number;
                /** @enum {string} */
                kind: "step" | "pass" | "fail" | "note" | "stall" | "session";
                label: string;
                message: string | null;
                offsetSeconds: number | null;
            }[];
            name: string;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            pictureUrl: string;
            posterUrl: string;
            privacy?: components["schemas"]["PrivateStretch"][];
            to: number | null;
            videoUrl: string;
            width: number | null;
        };
        SharedTest: {
            attachments: components["schemas"]["Attachment"][];
            attempt: number;
            /** @description Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video. */
            clampedTo: ("start" | "end") | null;
            durationSeconds: number | null;
            failureOffsetSeconds: number | null;
            flaky: boolean;
            id: number;
            isApproximate: boolean;
            message: string | null;
            offsetSeconds: number | null;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            project: string | null;
            /** Format: date-time */
            startedAt: string;
            steps: components["schemas"]["TestStep"][];
            stepsLeftOut: number;
            suite: string | null;
            test: string;
        };
        SharedTestPage: {
            data: components["schemas"]["SharedTest"][];
            nextCursor: string | null;
        };
        ShareLink: {
            at: number | null;
            /** Format: date-time */
            createdAt: string;
            createdBy: string;
            expiresAt: string | null;
            format: ("mp4" | "gif") | null;
            from: number | null;
            id: number;
            include: ("tests" | "steps" | "attachments" | "tracks" | "proof")[];
            /** @enum {string} */
            opens: "page" | "clip" | "frame";
            prefix: string;
            recordingId: number;
            to: number | null;
            width: number | null;
        };
        ShareLinkList: {
            data: components["schemas"]["ShareLink"][];
            nextCursor: string | null;
        };
        SignedAttachment: {
            /** Format: date-time */
            expiresAt: string;
            url: string;
            viewerUrl: string | null;
        };
        SignedUrl: {
            /** Format: date-time */
            expiresAt: string;
            posterUrl: string;
            url: string;
        };
        SignUp: {
            /** Format: email */
            email: string;
            name: string;
            password: string;
            token: string;
        };
        Storage: {
            freeBytes: number;
            maxUploadBytes: number | null;
            quotaBytes: number | null;
            reserveBytes: number;
            /** @enum {string} */
            state: "ok" | "full";
            totalBytes: number;
            usedBytes: number;
            waitsFor: ("disk" | "quota") | null;
        };
        Storyboard: {
            data: {
                at: number;
            }[];
            lastChangeAt: number | null;
        };
        Test: {
            file: string | null;
            /** Format: date-time */
            firstAt: string;
            id: number;
            /** Format: date-time */
            lastAt: string;
            line: number | null;
            project: string | null;
            repository: string | null;
            suite: string | null;
            test: string;
        };
        TestHistory: {
            data: components["schemas"]["TestResult"][];
            nextCursor: string | null;
            summary: components["schemas"]["TestSummary"];
            test: components["schemas"]["Test"] | null;
        };
        TestResult: {
            attachmentCount: number;
            attempt: number;
            cause: string | null;
            changes: {
                /** Format: date-time */
                at: string;
                outcome: ("passed" | "failed" | "error" | "skipped") | null;
            }[];
            /** @description Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video. */
            clampedTo: ("start" | "end") | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            durationSeconds: number | null;
            endedAt: string | null;
            failureOffsetSeconds: number | null;
            file: string | null;
            flaky: boolean;
            hasFrame: boolean;
            id: number;
            isApproximate: boolean;
            jobId: number | null;
            key: string;
            labels: {
                [key: string]: string;
            };
            line: number | null;
            message: string | null;
            new: boolean;
            offsetSeconds: number | null;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            project: string | null;
            reason: string | null;
            recordingId: number | null;
            screen: string | null;
            stack: string | null;
            /** Format: date-time */
            startedAt: string;
            steps: components["schemas"]["TestStep"][];
            stepsLeftOut: number;
            suite: string | null;
            test: string;
            testId: number;
            testRunId: number | null;
        };
        TestResultDetail: {
            attachmentCount: number;
            attachments: components["schemas"]["Attachment"][];
            attempt: number;
            cause: string | null;
            changes: {
                /** Format: date-time */
                at: string;
                outcome: ("passed" | "failed" | "error" | "skipped") | null;
            }[];
            /** @description Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video. */
            clampedTo: ("start" | "end") | null;
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            durationSeconds: number | null;
            endedAt: string | null;
            failureOffsetSeconds: number | null;
            file: string | null;
            flaky: boolean;
            hasFrame: boolean;
            id: number;
            isApproximate: boolean;
            jobId: number | null;
            key: string;
            labels: {
                [key: string]: string;
            };
            line: number | null;
            message: string | null;
            new: boolean;
            offsetSeconds: number | null;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            project: string | null;
            reason: string | null;
            recordingId: number | null;
            screen: string | null;
            stack: string | null;
            /** Format: date-time */
            startedAt: string;
            steps: components["schemas"]["TestStep"][];
            stepsLeftOut: number;
            suite: string | null;
            test: string;
            testId: number;
            testRunId: number | null;
        };
        TestResultList: {
            data: components["schemas"]["TestResult"][];
        };
        TestResultPage: {
            data: components["schemas"]["TestResult"][];
            nextCursor: string | null;
        };
        TestRun: {
            attachmentCount: number;
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            endedAt: string | null;
            id: number;
            isAbandoned: boolean;
            key: string | null;
            labels: {
                [key: string]: string;
            };
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            quietHistory: boolean;
            results: {
                all: number;
                error: number;
                failed: number;
                passed: number;
                running: number;
                skipped: number;
            };
            source: string | null;
            url: string | null;
        };
        TestRunDetail: {
            attachmentCount: number;
            attachments: components["schemas"]["Attachment"][];
            /** Format: date-time */
            createdAt: string;
            createdBy: components["schemas"]["Creator"] | null;
            endedAt: string | null;
            id: number;
            isAbandoned: boolean;
            key: string | null;
            labels: {
                [key: string]: string;
            };
            name: string;
            organizationId: number;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            quietHistory: boolean;
            results: {
                all: number;
                error: number;
                failed: number;
                passed: number;
                running: number;
                skipped: number;
            };
            source: string | null;
            url: string | null;
        };
        TestRunPage: {
            data: components["schemas"]["TestRun"][];
            nextCursor: string | null;
        };
        TestStep: {
            category: string | null;
            durationSeconds: number | null;
            message: string | null;
            offsetSeconds: number | null;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            steps: components["schemas"]["TestStep"][];
            title: string;
        };
        TestSummary: {
            branches: string[];
            durationSeconds: number | null;
            error: number;
            failed: number;
            failingSince: {
                build: string | null;
                commit: string | null;
                id: number;
                /** Format: date-time */
                startedAt: string;
            } | null;
            flaky: number;
            lastFailedId: number | null;
            lastPassedId: number | null;
            passed: number;
            projects: string[];
            results: number;
            skipped: number;
        };
        Track: {
            /** @description The size of its lines as NDJSON: 64 MiB at most. */
            bytes: number;
            /** @description The time of the earliest line. */
            firstAt: string | null;
            /** @enum {string} */
            kind: "log" | "console" | "network" | "load" | "windows";
            /** @description The time of the latest line. */
            lastAt: string | null;
            lines: number;
            name: string;
            /** @description Bytes of the sender's stream that are stored: where the next call continues, as `from`. */
            received: number;
        };
        TrackLine: {
            /** Format: date-time */
            at: string;
            data: {
                [key: string]: unknown;
            } | null;
            level: ("debug" | "info" | "warn" | "error") | null;
            /** @description Its number in the order of arrival, which identifies it. */
            line: number;
            /** @description Seconds from the first frame, negative before it; null until it is captured. */
            offsetSeconds: number | null;
            text: string;
        };
        TrackLineFault: {
            /** @description Its number in the body. */
            line: number;
            /** @description The value to send instead. */
            message: string;
        };
        TrackLinePage: {
            data: components["schemas"]["TrackLine"][];
            nextCursor: string | null;
        };
        TrackList: {
            data: components["schemas"]["Track"][];
        };
        TransferOwnership: {
            userId: number;
        };
        UnpinnedRecordings: {
            hasMore: boolean;
            recordingIds: number[];
        };
        UnpinRecordings: {
            /** @constant */
            all?: true;
            recordingIds?: number[];
        };
        UpdateGridSession: {
            message?: string | null;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
        };
        UpdateJob: {
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string | null;
            };
            name?: string;
            outcome?: ("passed" | "failed" | "error" | "skipped") | null;
            pinned?: boolean;
        };
        UpdateRecording: {
            /** @enum {string} */
            keep?: "always" | "failed";
            labels?: {
                [key: string]: string | null;
            };
            name?: string;
            outcome?: ("passed" | "failed" | "error" | "skipped") | null;
            pinned?: boolean;
        };
        UpdateSavedView: {
            name?: string;
            query?: string & (unknown & unknown);
        };
        UpdateSchedule: {
            paused: boolean;
        };
        UpdateWebhook: {
            /** @description The token of a Slack bot with the scope files:write, with which frames of new failures are uploaded to Slack and shown in the message. Only for the kind slack, and never shown again. */
            botToken?: string | null;
            events?: ("job.ended" | "recording.ready" | "test.failed" | "build.finished" | "runner.offline" | "runner.online" | "storage.full" | "coverage.gap")[];
            /** @description Leaves out the end of a build in which nothing fails that did not fail with the same cause before. */
            onlyNew?: boolean;
            paused?: boolean;
            /** @description A search: events of jobs, recordings, tests and builds that it does not find are left out. Other events are not filtered. */
            q?: string | null;
            url?: string;
        };
        UploadRecordingQuery: {
            /** @enum {string} */
            keep?: "always" | "failed";
            /**
             * @description What the body is. A video must be playable, and an image a PNG, JPEG, GIF or WebP. Other files keep the Content-Type of the request.
             * @default video
             * @enum {string}
             */
            kind?: "video" | "image" | "document" | "other";
            label?: string[];
            name: string;
            /** @description For people with several organizations: the one meant. Without it, the active one. */
            organizationId?: number;
            /** @enum {string} */
            outcome?: "passed" | "failed" | "error" | "skipped";
            /**
             * Format: date-time
             * @description When the first frame was captured; by default now, or when the test began. Its age counts from then.
             */
            startedAt?: string;
            /** @description The result of a test run that the video shows. The recording gets its outcome and the labels of its run. */
            testResultId?: number;
        };
        UserCode: {
            userCode: string;
        };
        VideoFormat: {
            crf: number;
            cursor: boolean;
            framesPerSecond: number;
            maxBitrate?: number;
            maxHeight?: number;
            maxWidth?: number;
            /** @enum {string} */
            preset: "balanced" | "sharp" | "small";
            region?: components["schemas"]["VideoRegion"];
            window?: string;
        };
        VideoOptions: {
            crf?: number;
            cursor?: boolean;
            framesPerSecond?: number;
            maxBitrate?: number;
            maxHeight?: number;
            maxWidth?: number;
            /** @enum {string} */
            preset?: "balanced" | "sharp" | "small";
            region?: components["schemas"]["VideoRegion"];
            window?: string;
        };
        VideoRegion: {
            height: number;
            width: number;
            x: number;
            y: number;
        };
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            createdBy: string | null;
            events: ("job.ended" | "recording.ready" | "test.failed" | "build.finished" | "runner.offline" | "runner.online" | "storage.full" | "coverage.gap")[];
            hasBotToken: boolean;
            id: number;
            /** @enum {string} */
            kind: "standard" | "slack" | "teams" | "mattermost";
            onlyNew: boolean;
            paused: boolean;
            pausedBecause: string | null;
            previousSecretUntil: string | null;
            q: string | null;
            url: string;
            waiting: number;
        };
        WebhookDelivery: {
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            durationSeconds: number | null;
            error: string | null;
            id: number;
            lastAttemptAt: string | null;
            messageId: string;
            nextAttemptAt: string | null;
            /** @enum {string} */
            state: "waiting" | "delivered" | "failed";
            status: number | null;
            type: string;
            webhookId: number;
        };
        WebhookDeliveryPage: {
            data: components["schemas"]["WebhookDelivery"][];
            nextCursor: string | null;
        };
        WebhookPage: {
            data: components["schemas"]["Webhook"][];
            nextCursor: string | null;
        };
        WebhookPayload: {
            data: {
                job: {
                    /** Format: date-time */
                    createdAt: string;
                    endedAt: string | null;
                    error: components["schemas"]["JobError"] | null;
                    id: number;
                    labels: {
                        [key: string]: string;
                    };
                    name: string;
                    organizationId: number;
                    outcome: ("passed" | "failed" | "error" | "skipped") | null;
                    recordingId: number | null;
                    runnerId: number;
                    startedAt: string | null;
                    /** @enum {string} */
                    status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
                    stoppedAt: string | null;
                    stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "captured" | "file_sent" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed" | "file_unavailable") | null;
                    url: string;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "job.ended";
        } | {
            data: {
                recording: {
                    bytes: number;
                    /** Format: date-time */
                    createdAt: string;
                    durationSeconds: number;
                    height: number | null;
                    id: number;
                    jobId: number | null;
                    labels: {
                        [key: string]: string;
                    };
                    name: string;
                    organizationId: number;
                    outcome: ("passed" | "failed" | "error" | "skipped") | null;
                    runnerId: number | null;
                    url: string;
                    verdict: ("ok" | "black" | "frozen") | null;
                    width: number | null;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "recording.ready";
        } | {
            data: {
                test: {
                    attempt: number;
                    cause: string | null;
                    endedAt: string | null;
                    failureOffsetSeconds: number | null;
                    file: string | null;
                    flaky: boolean;
                    id: number;
                    isApproximate: boolean;
                    jobId: number | null;
                    labels: {
                        [key: string]: string;
                    };
                    line: number | null;
                    new: boolean;
                    outcome: ("passed" | "failed" | "error" | "skipped") | null;
                    project: string | null;
                    reason: string | null;
                    recordingId: number | null;
                    /** Format: date-time */
                    startedAt: string;
                    suite: string | null;
                    test: string;
                    testId: number;
                    testRunId: number | null;
                    url: string;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "test.failed";
        } | {
            data: {
                build: {
                    black: number;
                    branch: string | null;
                    build: string;
                    commit: string | null;
                    durationSeconds: number;
                    endedAt: string | null;
                    error: number;
                    failed: number;
                    /** Format: date-time */
                    firstAt: string;
                    jobs: number;
                    /** Format: date-time */
                    lastAt: string;
                    letThrough: number;
                    passed: number;
                    recordings: number;
                    repository: string | null;
                    running: number;
                    skipped: number;
                    startedAt: string | null;
                    status: ("queued" | "running" | "failed" | "passed") | null;
                    testRuns: number;
                    tests: {
                        all: number;
                        error: number;
                        failed: number;
                        flaky: number;
                        passed: number;
                        running: number;
                        skipped: number;
                    };
                    url: string;
                    withoutOutcome: number;
                    workflow: string | null;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "build.finished";
        } | {
            data: {
                runner: {
                    id: number;
                    lastSeenAt: string | null;
                    name: string;
                    url: string;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "runner.offline";
        } | {
            data: {
                runner: {
                    id: number;
                    lastSeenAt: string | null;
                    name: string;
                    url: string;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "runner.online";
        } | {
            data: {
                storage: {
                    freeBytes: number;
                    maxUploadBytes: number | null;
                    quotaBytes: number | null;
                    reserveBytes: number;
                    /** @enum {string} */
                    state: "ok" | "full";
                    totalBytes: number;
                    url: string;
                    usedBytes: number;
                    waitsFor: ("disk" | "quota") | null;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "storage.full";
        } | {
            data: {
                session: {
                    endedAt: string | null;
                    name: string | null;
                    node: string | null;
                    /** @enum {string} */
                    reason: "no_runner" | "runner_offline" | "not_wanted" | "node_ambiguous" | "display_unavailable" | "storage_full" | "recording_failed";
                    runnerId: number;
                    sessionId: string;
                    /** Format: date-time */
                    startedAt: string;
                    url: string;
                };
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "coverage.gap";
        } | {
            data: {
                message: string;
            };
            /** Format: date-time */
            timestamp: string;
            /** @constant */
            type: "webhook.test";
        };
        WholeWebhookDelivery: {
            answer: string | null;
            attempts: number;
            body: string;
            /** Format: date-time */
            createdAt: string;
            durationSeconds: number | null;
            error: string | null;
            id: number;
            lastAttemptAt: string | null;
            messageId: string;
            nextAttemptAt: string | null;
            /** @enum {string} */
            state: "waiting" | "delivered" | "failed";
            status: number | null;
            type: string;
            webhookId: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type ApiKey = components['schemas']['ApiKey'];
export type ApiKeyIdentity = components['schemas']['ApiKeyIdentity'];
export type ApiKeyPage = components['schemas']['ApiKeyPage'];
export type AppendedTrack = components['schemas']['AppendedTrack'];
export type ApproveDeviceSignIn = components['schemas']['ApproveDeviceSignIn'];
export type Attachment = components['schemas']['Attachment'];
export type AuditEntry = components['schemas']['AuditEntry'];
export type AuditPage = components['schemas']['AuditPage'];
export type BeginDeviceSignIn = components['schemas']['BeginDeviceSignIn'];
export type Build = components['schemas']['Build'];
export type BuildEnd = components['schemas']['BuildEnd'];
export type BuildPage = components['schemas']['BuildPage'];
export type BuildReport = components['schemas']['BuildReport'];
export type ChangeName = components['schemas']['ChangeName'];
export type ChangePassword = components['schemas']['ChangePassword'];
export type ChangePrivacy = components['schemas']['ChangePrivacy'];
export type ChangeRole = components['schemas']['ChangeRole'];
export type ConfirmPassword = components['schemas']['ConfirmPassword'];
export type ConfirmSecondFactor = components['schemas']['ConfirmSecondFactor'];
export type Coverage = components['schemas']['Coverage'];
export type CreateApiKey = components['schemas']['CreateApiKey'];
export type CreateDurationJob = components['schemas']['CreateDurationJob'];
export type CreateFileUploadJob = components['schemas']['CreateFileUploadJob'];
export type CreateInterruptJob = components['schemas']['CreateInterruptJob'];
export type CreateInvitation = components['schemas']['CreateInvitation'];
export type CreateJob = components['schemas']['CreateJob'];
export type CreateJobMarker = components['schemas']['CreateJobMarker'];
export type CreateJobMarkers = components['schemas']['CreateJobMarkers'];
export type CreateRecordingMarker = components['schemas']['CreateRecordingMarker'];
export type CreateRecordingMarkers = components['schemas']['CreateRecordingMarkers'];
export type CreateRunnerToken = components['schemas']['CreateRunnerToken'];
export type CreateSavedView = components['schemas']['CreateSavedView'];
export type CreateSchedule = components['schemas']['CreateSchedule'];
export type CreateScreenshotJob = components['schemas']['CreateScreenshotJob'];
export type CreateSeleniumIdleJob = components['schemas']['CreateSeleniumIdleJob'];
export type CreateSeleniumSessionJob = components['schemas']['CreateSeleniumSessionJob'];
export type CreateShareLink = components['schemas']['CreateShareLink'];
export type CreateTestResults = components['schemas']['CreateTestResults'];
export type CreateTestRun = components['schemas']['CreateTestRun'];
export type CreateWebhook = components['schemas']['CreateWebhook'];
export type Creator = components['schemas']['Creator'];
export type DailyTotal = components['schemas']['DailyTotal'];
export type DailyTotals = components['schemas']['DailyTotals'];
export type DecideGate = components['schemas']['DecideGate'];
export type DeletedRecording = components['schemas']['DeletedRecording'];
export type DeletedRecordingPage = components['schemas']['DeletedRecordingPage'];
export type DeleteOrganization = components['schemas']['DeleteOrganization'];
export type DeviceCode = components['schemas']['DeviceCode'];
export type DeviceKey = components['schemas']['DeviceKey'];
export type DeviceSignIn = components['schemas']['DeviceSignIn'];
export type Display = components['schemas']['Display'];
export type DurationConfig = components['schemas']['DurationConfig'];
export type DurationJob = components['schemas']['DurationJob'];
export type Embed = components['schemas']['Embed'];
export type EndTestRun = components['schemas']['EndTestRun'];
export type FailureGroup = components['schemas']['FailureGroup'];
export type FailureGroupList = components['schemas']['FailureGroupList'];
export type FailuresSeen = components['schemas']['FailuresSeen'];
export type FailureTriage = components['schemas']['FailureTriage'];
export type Fault = components['schemas']['Fault'];
export type FileUploadJob = components['schemas']['FileUploadJob'];
export type FinishBuild = components['schemas']['FinishBuild'];
export type FirstDifference = components['schemas']['FirstDifference'];
export type Gate = components['schemas']['Gate'];
export type GetJobQuery = components['schemas']['GetJobQuery'];
export type GetRecordingClipQuery = components['schemas']['GetRecordingClipQuery'];
export type GetRecordingDigestQuery = components['schemas']['GetRecordingDigestQuery'];
export type GetRecordingProofQuery = components['schemas']['GetRecordingProofQuery'];
export type GetTestHistoryQuery = components['schemas']['GetTestHistoryQuery'];
export type GridSession = components['schemas']['GridSession'];
export type Identity = components['schemas']['Identity'];
export type InterruptConfig = components['schemas']['InterruptConfig'];
export type InterruptJob = components['schemas']['InterruptJob'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type Job = components['schemas']['Job'];
export type JobCounts = components['schemas']['JobCounts'];
export type JobError = components['schemas']['JobError'];
export type JobEvent = components['schemas']['JobEvent'];
export type JobEventPage = components['schemas']['JobEventPage'];
export type JobPage = components['schemas']['JobPage'];
export type JobRecording = components['schemas']['JobRecording'];
export type LabelList = components['schemas']['LabelList'];
export type LastPassed = components['schemas']['LastPassed'];
export type LettingPass = components['schemas']['LettingPass'];
export type LinkToken = components['schemas']['LinkToken'];
export type ListedTest = components['schemas']['ListedTest'];
export type ListedTestPage = components['schemas']['ListedTestPage'];
export type ListJobsQuery = components['schemas']['ListJobsQuery'];
export type ListRecordingsQuery = components['schemas']['ListRecordingsQuery'];
export type ListRunnersQuery = components['schemas']['ListRunnersQuery'];
export type ListTestResultsQuery = components['schemas']['ListTestResultsQuery'];
export type ListTestRunsQuery = components['schemas']['ListTestRunsQuery'];
export type ListTestSummariesQuery = components['schemas']['ListTestSummariesQuery'];
export type ListWebhookDeliveriesQuery = components['schemas']['ListWebhookDeliveriesQuery'];
export type Marker = components['schemas']['Marker'];
export type MarkerList = components['schemas']['MarkerList'];
export type MarkerPage = components['schemas']['MarkerPage'];
export type MarkFailuresSeen = components['schemas']['MarkFailuresSeen'];
export type Member = components['schemas']['Member'];
export type MemberPage = components['schemas']['MemberPage'];
export type MissedSession = components['schemas']['MissedSession'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewInvitation = components['schemas']['NewInvitation'];
export type NewPasskey = components['schemas']['NewPasskey'];
export type NewPasswordReset = components['schemas']['NewPasswordReset'];
export type NewRunnerToken = components['schemas']['NewRunnerToken'];
export type NewSecondFactor = components['schemas']['NewSecondFactor'];
export type NewShareLink = components['schemas']['NewShareLink'];
export type NewTestResult = components['schemas']['NewTestResult'];
export type NewWebhook = components['schemas']['NewWebhook'];
export type OpenedDeviceSignIn = components['schemas']['OpenedDeviceSignIn'];
export type OpenedInvitation = components['schemas']['OpenedInvitation'];
export type Organization = components['schemas']['Organization'];
export type OrganizationDeletion = components['schemas']['OrganizationDeletion'];
export type OrganizationName = components['schemas']['OrganizationName'];
export type Passkey = components['schemas']['Passkey'];
export type PasskeyOptions = components['schemas']['PasskeyOptions'];
export type PasskeyPage = components['schemas']['PasskeyPage'];
export type Privacy = components['schemas']['Privacy'];
export type PrivateStretch = components['schemas']['PrivateStretch'];
export type Problem = components['schemas']['Problem'];
export type ReadTrackQuery = components['schemas']['ReadTrackQuery'];
export type Receipt = components['schemas']['Receipt'];
export type RecentResult = components['schemas']['RecentResult'];
export type Recording = components['schemas']['Recording'];
export type RecordingDeletion = components['schemas']['RecordingDeletion'];
export type RecordingPage = components['schemas']['RecordingPage'];
export type RecordingSession = components['schemas']['RecordingSession'];
export type RecordingSettings = components['schemas']['RecordingSettings'];
export type RemovedRunners = components['schemas']['RemovedRunners'];
export type RemoveRunners = components['schemas']['RemoveRunners'];
export type RenameRunner = components['schemas']['RenameRunner'];
export type RequestPasswordReset = components['schemas']['RequestPasswordReset'];
export type ResetPassword = components['schemas']['ResetPassword'];
export type RestoreDeletedRecordings = components['schemas']['RestoreDeletedRecordings'];
export type RestoredRecordings = components['schemas']['RestoredRecordings'];
export type Retention = components['schemas']['Retention'];
export type RetentionPolicy = components['schemas']['RetentionPolicy'];
export type RetentionPreview = components['schemas']['RetentionPreview'];
export type RotatedRunnerToken = components['schemas']['RotatedRunnerToken'];
export type Runner = components['schemas']['Runner'];
export type RunnerPage = components['schemas']['RunnerPage'];
export type RunnerToken = components['schemas']['RunnerToken'];
export type RunnerTokenPage = components['schemas']['RunnerTokenPage'];
export type SavedView = components['schemas']['SavedView'];
export type SavedViewPage = components['schemas']['SavedViewPage'];
export type Schedule = components['schemas']['Schedule'];
export type ScheduledDurationJob = components['schemas']['ScheduledDurationJob'];
export type ScheduledFileUploadJob = components['schemas']['ScheduledFileUploadJob'];
export type ScheduledInterruptJob = components['schemas']['ScheduledInterruptJob'];
export type ScheduledJob = components['schemas']['ScheduledJob'];
export type ScheduledScreenshotJob = components['schemas']['ScheduledScreenshotJob'];
export type ScheduledSeleniumIdleJob = components['schemas']['ScheduledSeleniumIdleJob'];
export type ScheduledSeleniumSessionJob = components['schemas']['ScheduledSeleniumSessionJob'];
export type SchedulePage = components['schemas']['SchedulePage'];
export type ScreenshotJob = components['schemas']['ScreenshotJob'];
export type SeleniumIdleConfig = components['schemas']['SeleniumIdleConfig'];
export type SeleniumIdleJob = components['schemas']['SeleniumIdleJob'];
export type SeleniumIdlePublicConfig = components['schemas']['SeleniumIdlePublicConfig'];
export type SeleniumSessionConfig = components['schemas']['SeleniumSessionConfig'];
export type SeleniumSessionJob = components['schemas']['SeleniumSessionJob'];
export type SeleniumSessionPublicConfig = components['schemas']['SeleniumSessionPublicConfig'];
export type Session = components['schemas']['Session'];
export type SessionList = components['schemas']['SessionList'];
export type SessionUser = components['schemas']['SessionUser'];
export type SetFailureTriage = components['schemas']['SetFailureTriage'];
export type SetRecordingSettings = components['schemas']['SetRecordingSettings'];
export type Setup = components['schemas']['Setup'];
export type SetupState = components['schemas']['SetupState'];
export type SharedRecording = components['schemas']['SharedRecording'];
export type SharedTest = components['schemas']['SharedTest'];
export type SharedTestPage = components['schemas']['SharedTestPage'];
export type ShareLink = components['schemas']['ShareLink'];
export type ShareLinkList = components['schemas']['ShareLinkList'];
export type SignedAttachment = components['schemas']['SignedAttachment'];
export type SignedUrl = components['schemas']['SignedUrl'];
export type SignUp = components['schemas']['SignUp'];
export type Storage = components['schemas']['Storage'];
export type Storyboard = components['schemas']['Storyboard'];
export type Test = components['schemas']['Test'];
export type TestHistory = components['schemas']['TestHistory'];
export type TestResult = components['schemas']['TestResult'];
export type TestResultDetail = components['schemas']['TestResultDetail'];
export type TestResultList = components['schemas']['TestResultList'];
export type TestResultPage = components['schemas']['TestResultPage'];
export type TestRun = components['schemas']['TestRun'];
export type TestRunDetail = components['schemas']['TestRunDetail'];
export type TestRunPage = components['schemas']['TestRunPage'];
export type TestStep = components['schemas']['TestStep'];
export type TestSummary = components['schemas']['TestSummary'];
export type Track = components['schemas']['Track'];
export type TrackLine = components['schemas']['TrackLine'];
export type TrackLineFault = components['schemas']['TrackLineFault'];
export type TrackLinePage = components['schemas']['TrackLinePage'];
export type TrackList = components['schemas']['TrackList'];
export type TransferOwnership = components['schemas']['TransferOwnership'];
export type UnpinnedRecordings = components['schemas']['UnpinnedRecordings'];
export type UnpinRecordings = components['schemas']['UnpinRecordings'];
export type UpdateGridSession = components['schemas']['UpdateGridSession'];
export type UpdateJob = components['schemas']['UpdateJob'];
export type UpdateRecording = components['schemas']['UpdateRecording'];
export type UpdateSavedView = components['schemas']['UpdateSavedView'];
export type UpdateSchedule = components['schemas']['UpdateSchedule'];
export type UpdateWebhook = components['schemas']['UpdateWebhook'];
export type UploadRecordingQuery = components['schemas']['UploadRecordingQuery'];
export type UserCode = components['schemas']['UserCode'];
export type VideoFormat = components['schemas']['VideoFormat'];
export type VideoOptions = components['schemas']['VideoOptions'];
export type VideoRegion = components['schemas']['VideoRegion'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookPayload = components['schemas']['WebhookPayload'];
export type WholeWebhookDelivery = components['schemas']['WholeWebhookDelivery'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
