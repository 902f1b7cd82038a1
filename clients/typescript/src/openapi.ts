/** Generated from the OpenAPI document by generate-types.ts: do not edit. */
export interface paths {
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Signed-in users with the role admin or above only.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; its secret is shown once
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{apiKeyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Signed-in users with the role admin or above only.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the bytes of an attachment; supports Range, ETag and HEAD
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getAttachment"];
        put?: never;
        post?: never;
        /**
         * Delete an attachment of a test result or a test run, for good
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["deleteAttachment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/attachments/{attachmentId}/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Create a signed URL of an attachment, which needs no credentials until it expires; of a trace, also one that opens it
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["createAttachmentUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries, newest first
         * @description Signed-in users with the role admin or above only.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the audit log as JSON lines, oldest first
         * @description Signed-in users with the role admin or above only.
         */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/builds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List builds, the one with the newest job or recording first, with the results of their tests and recordings
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listBuilds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/builds/{build}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the jobs, tests and recordings of a build by outcome
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getBuild"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/builds/{build}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that nothing more comes: the build is finished when its jobs have ended
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["finishBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/builds/{build}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report the tests of a build, and what is different from the build before on its branch
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["reportBuild"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the grid's sessions that runners saw, and list those that were not recorded, with the reason
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/daily-totals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count tests, flaky tests, grid sessions and stored bytes of each day
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getDailyTotals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deleted-recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deleted recordings, the last deleted first; restorable=1 for those that can be restored, build for those of a build
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listDeletedRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deleted-recordings/{recordingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what is known of a deleted recording
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getDeletedRecording"];
        put?: never;
        post?: never;
        /**
         * Remove the video of a deleted recording now; it can't be restored any more
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["purgeDeletedRecording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deleted-recordings/{recordingId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore a deleted recording; one that retention deleted is pinned, so that it stays
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["restoreRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deleted-recordings/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restore deleted recordings by when and why they were deleted, the last deleted first, up to 200 per call; retention spares them for 7 days
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["restoreDeletedRecordings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/device-sign-ins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in a program: a person confirms its code in the dashboard */
        post: operations["beginDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/device-sign-ins/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a code: the program that shows it gets an API key
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["approveDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/device-sign-ins/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deny a code
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["denyDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/device-sign-ins/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Fetch the API key of a confirmed sign-in, once */
        post: operations["fetchDeviceKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/device-sign-ins/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what asks to be signed in with a code
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["openDeviceSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow changes in your organization as server-sent events
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["followEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/failure-triage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the causes that let CI pass now, with who looks after them, why and until when
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listLettingPass"];
        /**
         * Say who looks after the failures of a cause or a test, and mute them for a time
         * @description An API key needs the scope `recordings:write`.
         */
        put: operations["setFailureTriage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what failed, the last first: by outcome, by verdict, or because its job failed
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/failures/seen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the time up to which you have seen what failed
         * @description Signed-in users only.
         */
        get: operations["getFailuresSeen"];
        /**
         * Set the time up to which you have seen what failed, or the failures of one group, or forget it with null
         * @description Signed-in users only.
         */
        put: operations["setFailuresSeen"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check health: 200 when ready, 503 while starting or stopping */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check that the process answers, whatever its database does */
        get: operations["getLiveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Signed-in users with the role admin or above only.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Create an invitation for one person; the link is shown once
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/{invitationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an invitation that is not accepted yet
         * @description Signed-in users with the role admin or above only.
         */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation with the account that is signed in */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invitations/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the invitation of a link */
        post: operations["openInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List jobs, newest first
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["listJobs"];
        put?: never;
        /**
         * Create a job: a runner records a display until the stop condition is met
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job; with waitFor, as soon as it reaches that state or the timeout ends
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change a job's name, labels (merged; null removes one), outcome, keep policy or pin
         * @description An API key needs the scope `jobs:write`.
         */
        patch: operations["updateJob"];
        trace?: never;
    };
    "/v1/jobs/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job: 202 when this call stops it, 200 when it was already stopping or ended
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["cancelJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a job, in order
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["listJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide whether the failures of a job's tests are all known, so that CI passes
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["decideGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/markers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the markers of a job's recording
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["listJobMarkers"];
        put?: never;
        /**
         * Add a marker to a job's recording, now or at another time
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createJobMarker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/markers/{markerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a marker
         * @description An API key needs the scope `jobs:write`.
         */
        delete: operations["deleteJobMarker"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/markers/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add many markers to a job's recording: all, or none if one is not valid
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createJobMarkers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin or end a private stretch of a job, which is black in its video; answered once it is effective, or after 10 s with privacy_unconfirmed
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["changePrivacy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what became of tests while a job recorded them: all results, or none if one is not valid
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createTestResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tracks of a job's recording: timed lines, such as its log
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["listTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/{jobId}/tracks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read lines of a track by time: a stretch of it, those that contain a text, or those of a level
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["readTrack"];
        put?: never;
        /**
         * Append lines to a track of a job's recording: a JSON object on each line, stored while they arrive
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["appendToTrack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/jobs/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count jobs by status and by outcome, at most 1,000 of each
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["countJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/labels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of labels in use, or the values of one key, that begin with a prefix
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listLabels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the signed-in user or API key */
        get: operations["getIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your name
         * @description Signed-in users only.
         */
        patch: operations["renameAccount"];
        trace?: never;
    };
    "/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Signed-in users only.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/second-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to add a second factor to your account: the secret for an authenticator app, and backup codes
         * @description Signed-in users only.
         */
        post: operations["beginSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/second-factor/confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a new second factor with the app's first code, which ends your other sessions
         * @description Signed-in users only.
         */
        post: operations["confirmSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/second-factor/removal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the second factor of your account
         * @description Signed-in users only.
         */
        post: operations["removeSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions, the most recently used first
         * @description Signed-in users only.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End all your other sessions
         * @description Signed-in users only.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your sessions
         * @description Signed-in users only.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Signed-in users only.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member; with your own id, leave the organization
         * @description Signed-in users only.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Signed-in users with the role admin or above only.
         */
        patch: operations["changeMemberRole"];
        trace?: never;
    };
    "/v1/members/{userId}/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a password reset link for a member; the link is shown once
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["createPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/oembed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Describe a shared page as oEmbed 1.0, for programs that show what a link leads to */
        get: operations["getEmbed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get this API as an OpenAPI document, or the part of it that an agent needs */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the organization
         * @description Signed-in users with the role admin or above only.
         */
        patch: operations["renameOrganization"];
        trace?: never;
    };
    "/v1/organization/deletion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Delete the organization with everything in it, 7 days from now; its name confirms that it is the one
         * @description Signed-in users with the role owner or above only.
         */
        post: operations["deleteOrganization"];
        /**
         * Cancel the deletion of the organization
         * @description Signed-in users with the role owner or above only.
         */
        delete: operations["cancelOrganizationDeletion"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organization/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer ownership to another member; you become an admin
         * @description Signed-in users with the role owner or above only.
         */
        post: operations["transferOwnership"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create another organization, which you own
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["createOrganization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with a reset link; ends every session of the account */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/password-reset/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a password reset link to the email of an account, if there is one */
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recording-settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what applies to jobs that say nothing else: keep policy, grace time and cap, and where commits are
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingSettings"];
        /**
         * Set what applies to jobs that say nothing else
         * @description An API key needs the scope `settings:write`.
         */
        put: operations["setRecordingSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recordings, newest first by default
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listRecordings"];
        put?: never;
        /**
         * Upload a video that was recorded elsewhere; the body is the MP4 or WebM file
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["uploadRecording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a recording
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecording"];
        put?: never;
        post?: never;
        /**
         * Delete a recording; it can be restored for as long as the retention policy keeps its trash
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["deleteRecording"];
        options?: never;
        head?: never;
        /**
         * Change a recording's name, labels (merged; null removes one), outcome, keep policy or pin
         * @description An API key needs the scope `recordings:write`.
         */
        patch: operations["updateRecording"];
        trace?: never;
    };
    "/v1/recordings/{recordingId}/clip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a stretch of a recording as a small MP4 or GIF that plays everywhere
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingClip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what happened in a recording as bounded Markdown, as JSON with Accept: application/json, or with part=sheet its frames as one JPEG
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingDigest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/first-difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the first moment at which a recording shows what another one does not, or the other way around
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getFirstDifference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a frame of a recording as JPEG: the last storyboard frame at or before a time in seconds, or with of=failure the one that shows the failure; with width the very frame of the video, in up to its own size
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/last-passed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the last recording of the same test that passed before this one
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getLastPassed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a recording's share links
         * @description An API key needs the scope `recordings:write`.
         */
        get: operations["listShareLinks"];
        put?: never;
        /**
         * Create a share link: it opens a page that plays the recording, or one clip or one frame of it, without signing in; the link is shown once
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["createShareLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/links/{linkId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a share link
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["revokeShareLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a recording live, as fragmented MP4 for Media Source Extensions
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["followRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/markers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the markers of a recording
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listRecordingMarkers"];
        put?: never;
        /**
         * Add a marker to a recording, at an offset in seconds
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["createRecordingMarker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/markers/{markerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a marker
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["deleteRecordingMarker"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/markers/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add many markers to a recording: all, or none if one is not valid
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["createRecordingMarkers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/poster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a recording's poster as JPEG; size=full returns its first frame at full size
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingPoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a review cut of a recording: all that changed in a minute, with its markers as captions, the failure last
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingProof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/proof/receipt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a signed receipt of a recording and its review cut: who recorded what, what is left out, and how the outcome is known
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingReceipt"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/storyboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the times of a recording's storyboard frames; get each with frame?at=
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getStoryboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/url": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Create signed URLs of a recording's video and poster, which need no credentials until they expire
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["createSignedUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/{recordingId}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Play or download a recording; supports Range, ETag and HEAD
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRecordingVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download several recordings as one zip; a text file in it lists those that could not be included
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["downloadRecordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/recordings/unpin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unpin these recordings, or all that are pinned, the oldest first, up to 200 per call
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["unpinRecordings"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the retention policy and the recordings that are deleted next
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getRetention"];
        /**
         * Set the retention policy
         * @description An API key needs the scope `settings:write`.
         */
        put: operations["setRetention"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention/confirm-clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm the clock after it has jumped ahead, so that recordings are deleted by age again
         * @description Signed-in users with the role admin or above only.
         */
        post: operations["confirmClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/retention/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get what a retention policy would delete at once
         * @description An API key needs the scope `settings:write`.
         */
        post: operations["previewRetention"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runner-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runner tokens
         * @description Signed-in users with the role admin or above only.
         */
        get: operations["listRunnerTokens"];
        put?: never;
        /**
         * Create a runner token; its secret is shown once
         * @description An API key needs the scope `runners:write`.
         */
        post: operations["createRunnerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runner-tokens/{runnerTokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a runner token
         * @description Signed-in users with the role admin or above only.
         */
        delete: operations["revokeRunnerToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runner-tokens/{runnerTokenId}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a runner token; the old one keeps working for a grace period, and the new secret is shown once
         * @description An API key needs the scope `runners:write`.
         */
        post: operations["rotateRunnerToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runners with their state, displays and running jobs; removed=true lists removed runners
         * @description An API key needs the scope `runners:read`.
         */
        get: operations["listRunners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runners/{runnerId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a runner
         * @description An API key needs the scope `runners:read`.
         */
        get: operations["getRunner"];
        put?: never;
        post?: never;
        /**
         * Remove a runner: its queued jobs fail, its recordings end and are kept, and its process exits
         * @description An API key needs the scope `runners:write`.
         */
        delete: operations["removeRunner"];
        options?: never;
        head?: never;
        /**
         * Rename a runner; the name that it signs in with stays the same
         * @description An API key needs the scope `runners:write`.
         */
        patch: operations["renameRunner"];
        trace?: never;
    };
    "/v1/runners/{runnerId}/displays/{displayId}/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what a display shows now, as JPEG 480 or width pixels wide, or what of it has changed since another one; the Age header is its age in seconds
         * @description An API key needs the scope `runners:read`.
         */
        get: operations["getDisplayPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/runners/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove up to 100 runners; ids that name no runner are left out of the answer
         * @description An API key needs the scope `runners:write`.
         */
        post: operations["removeRunners"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["listSchedules"];
        put?: never;
        /**
         * Create a job now, and again after each period
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a schedule
         * @description An API key needs the scope `jobs:read`.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        /**
         * Delete a schedule; its jobs stay
         * @description An API key needs the scope `jobs:write`.
         */
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        /**
         * Pause a schedule, or resume it with its next regular start
         * @description An API key needs the scope `jobs:write`.
         */
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/v1/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the recording of a grid's session: 202 while it is recorded
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getGridSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Say what became of a grid's session, while it runs or afterwards
         * @description An API key needs the scope `jobs:write`.
         */
        patch: operations["updateGridSession"];
        trace?: never;
    };
    "/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether Tapedeck still needs its first account */
        get: operations["getSetupState"];
        put?: never;
        /** Create the first account and its organization, and sign in */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a shared recording */
        get: operations["getSharedRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/attachments/{attachmentId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read an attachment of a shared recording's tests, if its link includes them; supports Range, ETag and HEAD */
        get: operations["getSharedAttachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/clip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the clip that a share link opens, without parameters: the link says which it is */
        get: operations["getSharedClip"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a frame of a shared recording as JPEG, as getRecordingFrame does; of a link that opens one frame, that frame, without parameters */
        get: operations["getSharedFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/poster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a shared recording's poster as JPEG; size=full returns its first frame at full size */
        get: operations["getSharedPoster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the test results of a shared recording, the newest first, if its link includes them */
        get: operations["listSharedTests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tracks of a shared recording, if its link includes them */
        get: operations["listSharedTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/tracks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read lines of a track of a shared recording, as readTrack does, if its link includes tracks */
        get: operations["readSharedTrack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/shared/{token}/video": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Play or download a shared recording; supports Range, ETag and HEAD */
        get: operations["getSharedVideo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account with an invitation, and sign in */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the free disk space and storage quota, and whether uploads are paused
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getStorage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-failures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newest failures of tests in groups: by cause, test, build, or by what the screen showed
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listTestFailures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the results of a test over time, the newest first, and sum them up
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getTestHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test runs, newest first
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listTestRuns"];
        put?: never;
        /**
         * Create a test run: a list of results that no job recorded. With a known key: return the run that has it
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-runs/{testRunId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a test run
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getTestRun"];
        put?: never;
        post?: never;
        /**
         * Delete a test run with its results, for good
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["deleteTestRun"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-runs/{testRunId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a file to a test run; the body is the file, of at most 256 MiB, with its Content-Type
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["addTestRunAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-runs/{testRunId}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a test run with its outcome: tests that have none get `error`
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["endTestRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-runs/{testRunId}/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide whether the failures of a test run are all known, so that CI passes
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["decideTestRunGate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-runs/{testRunId}/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what became of tests of a test run: all results, or none if one is not valid
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["createTestRunResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test-summaries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tests, with their pass rate, flakiness, duration and owner, and how their newest results ended
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listTestSummaries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test results, the newest first
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["listTestResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tests/{resultId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a test result with all its steps and attachments
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getTestResult"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tests/{resultId}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a file to a test result; the body is the file, of at most 256 MiB, with its Content-Type
         * @description An API key needs the scope `jobs:write`.
         */
        post: operations["addTestAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tests/{resultId}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the frame at which a test failed as JPEG; it outlives the video
         * @description An API key needs the scope `recordings:read`.
         */
        get: operations["getTestFailureFrame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an upload (tus 1.0: creation, creation-with-upload, creation-defer-length)
         * @description An API key needs the scope `recordings:write`.
         */
        post: operations["createUpload"];
        delete?: never;
        /**
         * List the supported tus 1.0 features
         * @description An API key needs the scope `recordings:write`.
         */
        options: operations["getUploadFeatures"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uploads/{uploadId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel an upload and delete what was sent (tus 1.0: termination)
         * @description An API key needs the scope `recordings:write`.
         */
        delete: operations["cancelUpload"];
        /**
         * List the supported tus 1.0 features of an upload
         * @description An API key needs the scope `recordings:write`.
         */
        options: operations["getUploadFeaturesOf"];
        /**
         * Get the offset of an upload (tus 1.0)
         * @description An API key needs the scope `recordings:write`.
         */
        head: operations["getUploadOffset"];
        /**
         * Append to an upload (tus 1.0)
         * @description An API key needs the scope `recordings:write`.
         */
        patch: operations["appendToUpload"];
        trace?: never;
    };
    "/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own saved views and the organization's, by name
         * @description Signed-in users only.
         */
        get: operations["listViews"];
        put?: never;
        /**
         * Save a view: the filters of a list under a name, for yourself or for the organization
         * @description Signed-in users only.
         */
        post: operations["createView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/views/{viewId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a saved view
         * @description Signed-in users only.
         */
        delete: operations["deleteView"];
        options?: never;
        head?: never;
        /**
         * Rename a saved view, or change its filters
         * @description Signed-in users only.
         */
        patch: operations["updateView"];
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks
         * @description An API key needs the scope `settings:write`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook; its signing secret is shown once
         * @description An API key needs the scope `settings:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description An API key needs the scope `settings:write`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook and its deliveries
         * @description An API key needs the scope `settings:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook, pause it or resume it; deliveries wait while it is paused
         * @description An API key needs the scope `settings:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook's deliveries of the last 30 days, newest first
         * @description An API key needs the scope `settings:write`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a delivery with what was sent and the beginning of the answer
         * @description An API key needs the scope `settings:write`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the same message again, as a new delivery, also while the webhook is paused
         * @description An API key needs the scope `settings:write`.
         */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the signing secret; for a day, requests are signed with the old one as well
         * @description An API key needs the scope `settings:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event, signed like any other, also while the webhook is paused
         * @description An API key needs the scope `settings:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An event, signed as Standard Webhooks 1.0.0 says */
        post: operations["webhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        ApiKey: {
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
            /** @description Bytes of the sender's stream that are stored: where the next call goes on, as `from`. */
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
            id: number;
            name: string;
            url: string;
        };
        AuditEntry: {
            /** @enum {string} */
            action: "setup.done" | "session.started" | "session.refused" | "session.ended" | "session.revoked" | "password.changed" | "password.reset_link_created" | "password.reset" | "second_factor.added" | "second_factor.removed" | "organization.created" | "organization.updated" | "organization.transferred" | "organization.deletion_requested" | "organization.deletion_cancelled" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "member.joined" | "member.role_changed" | "member.removed" | "member.left" | "api_key.created" | "api_key.revoked" | "device_sign_in.approved" | "runner_token.created" | "runner_token.rotated" | "runner_token.revoked" | "runner.renamed" | "runner.removed" | "job.created" | "job.renamed" | "job.changed" | "job.cancelled" | "job.privacy_started" | "job.privacy_ended" | "job.deleted" | "test_run.created" | "test_run.deleted" | "test_run.let_through" | "attachment.deleted" | "attachment.signed" | "recording.uploaded" | "recording.renamed" | "recording.changed" | "recording.kept" | "recording.pinned" | "recording.unpinned" | "recording.deleted" | "recording.restored" | "recording.purged" | "retention.changed" | "retention.clock_confirmed" | "retention.many_deleted" | "recording_settings.changed" | "view.created" | "view.changed" | "view.deleted" | "link.created" | "link.signed" | "link.revoked" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.test_sent" | "webhook.delivery_repeated" | "build.finish_announced" | "schedule.created" | "schedule.paused" | "schedule.resumed" | "schedule.deleted";
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "duration";
            stopConditionConfig: components["schemas"]["DurationConfig"];
            /**
             * @default recording
             * @constant
             */
            type?: "recording";
            video?: components["schemas"]["VideoOptions"];
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
        CreateJob: components["schemas"]["CreateDurationJob"] | components["schemas"]["CreateInterruptJob"] | components["schemas"]["CreateSeleniumIdleJob"] | components["schemas"]["CreateSeleniumSessionJob"];
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
            /** @description No job starts at this time or later. A job that runs then goes on. */
            endsAt?: string | null;
            /** @description The time from one start to the next. The first job starts at once. */
            everySeconds: number;
            job: components["schemas"]["CreateJob"];
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
             * @description Further parts of the page: the tests with their outcomes and messages, their steps, their attachments, the tracks. Parts that are left out cannot be fetched with the link.
             * @default []
             */
            include?: ("tests" | "steps" | "attachments" | "tracks")[];
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
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. */
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "duration";
            stopConditionConfig: components["schemas"]["DurationConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed") | null;
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
        FailMarker: {
            /** @description Not null if `at` is before the first frame, or more than a third of a second after the last one: `offsetSeconds` is then that end of the video. */
            clampedTo: ("start" | "end") | null;
            label: string;
            message: string | null;
            offsetSeconds: number;
        };
        Failure: {
            deletedRecording: components["schemas"]["RecordingDeletion"] | null;
            /** Format: date-time */
            failedAt: string;
            failMarker: components["schemas"]["FailMarker"] | null;
            id: number;
            job: {
                error: components["schemas"]["JobError"] | null;
                id: number;
                /** @enum {string} */
                status: "queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled";
                stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed") | null;
            } | null;
            labels: {
                [key: string]: string;
            };
            name: string;
            outcome: ("passed" | "failed" | "error" | "skipped") | null;
            recording: components["schemas"]["Recording"] | null;
            runnerId: number | null;
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
        FailurePage: {
            data: components["schemas"]["Failure"][];
            nextCursor: string | null;
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
                tests: number;
                title: string;
            }[];
            passes: boolean;
            refusal: string | null;
            /** @description Such as: 2 causes: 1 known (let through by Ada until 2026-12-04: …), 1 new: Checkout › pays. */
            summary: string;
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
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. */
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "interrupt";
            stopConditionConfig: components["schemas"]["InterruptConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed") | null;
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
        Job: components["schemas"]["DurationJob"] | components["schemas"]["InterruptJob"] | components["schemas"]["SeleniumIdleJob"] | components["schemas"]["SeleniumSessionJob"];
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
            code: "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed";
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
        NewPasswordReset: {
            emailed: boolean;
            /** Format: date-time */
            expiresAt: string;
            url: string;
        };
        NewRunnerToken: {
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
            include: ("tests" | "steps" | "attachments" | "tracks")[];
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "duration";
            stopConditionConfig: components["schemas"]["DurationConfig"];
            /**
             * @default recording
             * @constant
             */
            type: "recording";
            video?: components["schemas"]["VideoOptions"];
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "interrupt";
            stopConditionConfig: components["schemas"]["InterruptConfig"];
            /**
             * @default recording
             * @constant
             */
            type: "recording";
            video?: components["schemas"]["VideoOptions"];
        };
        ScheduledJob: components["schemas"]["ScheduledDurationJob"] | components["schemas"]["ScheduledInterruptJob"] | components["schemas"]["ScheduledSeleniumIdleJob"] | components["schemas"]["ScheduledSeleniumSessionJob"];
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
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
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. */
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "selenium_idle";
            stopConditionConfig: components["schemas"]["SeleniumIdlePublicConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed") | null;
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
            /** @description "new" until the first frame of a job that asked for a new display; then the display that its runner made. */
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
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            stopCondition: "selenium_session";
            stopConditionConfig: components["schemas"]["SeleniumSessionPublicConfig"];
            stoppedAt: string | null;
            stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed") | null;
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
            include: ("tests" | "steps" | "attachments" | "tracks")[];
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
            include: ("tests" | "steps" | "attachments" | "tracks")[];
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
            /** @description Bytes of the sender's stream that are stored: where the next call goes on, as `from`. */
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
            events?: ("job.ended" | "recording.ready" | "test.failed" | "build.finished" | "runner.offline" | "runner.online" | "storage.full" | "coverage.gap")[];
            /** @description Leaves out the end of a build in which nothing fails that did not fail with the same cause before. */
            onlyNew?: boolean;
            paused?: boolean;
            /** @description A search: events of jobs, recordings, tests and builds that it does not find are left out. Other events are not filtered. */
            q?: string | null;
            url?: string;
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
                    stopReason: ("duration_elapsed" | "cancelled" | "selenium_idle" | "runner_shutdown" | "grid_unreachable" | "duration_cap" | "session_ended" | "display_lost" | "display_unavailable" | "storage_full" | "runner_lost" | "runner_removed" | "grid_unauthorized" | "grid_not_recognised" | "grid_not_allowed" | "not_supported" | "ffmpeg_failed") | null;
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
    responses: {
        /** @description Bad request (`bad_request`). Invalid JSON (`invalid_json`). */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not allowed (`forbidden`). */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Internal server error (`internal_error`). */
        InternalError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not found (`not_found`). */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Request body too large (`payload_too_large`). */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A problem document (RFC 9457). */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests (`too_many_requests`). */
        TooManyRequests: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Missing or invalid credentials (`unauthorized`). */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Temporarily unavailable (`unavailable`). */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Unsupported media type (`unsupported_media_type`). */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Validation failed (`validation_failed`). */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
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
export type FailMarker = components['schemas']['FailMarker'];
export type Failure = components['schemas']['Failure'];
export type FailureGroup = components['schemas']['FailureGroup'];
export type FailureGroupList = components['schemas']['FailureGroupList'];
export type FailurePage = components['schemas']['FailurePage'];
export type FailuresSeen = components['schemas']['FailuresSeen'];
export type FailureTriage = components['schemas']['FailureTriage'];
export type Fault = components['schemas']['Fault'];
export type FinishBuild = components['schemas']['FinishBuild'];
export type FirstDifference = components['schemas']['FirstDifference'];
export type Gate = components['schemas']['Gate'];
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
export type Marker = components['schemas']['Marker'];
export type MarkerList = components['schemas']['MarkerList'];
export type MarkerPage = components['schemas']['MarkerPage'];
export type MarkFailuresSeen = components['schemas']['MarkFailuresSeen'];
export type Member = components['schemas']['Member'];
export type MemberPage = components['schemas']['MemberPage'];
export type MissedSession = components['schemas']['MissedSession'];
export type NewApiKey = components['schemas']['NewApiKey'];
export type NewInvitation = components['schemas']['NewInvitation'];
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
export type Privacy = components['schemas']['Privacy'];
export type PrivateStretch = components['schemas']['PrivateStretch'];
export type Problem = components['schemas']['Problem'];
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
export type ScheduledInterruptJob = components['schemas']['ScheduledInterruptJob'];
export type ScheduledJob = components['schemas']['ScheduledJob'];
export type ScheduledSeleniumIdleJob = components['schemas']['ScheduledSeleniumIdleJob'];
export type ScheduledSeleniumSessionJob = components['schemas']['ScheduledSeleniumSessionJob'];
export type SchedulePage = components['schemas']['SchedulePage'];
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
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseProblem = components['responses']['Problem'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseValidationFailed = components['responses']['ValidationFailed'];
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createApiKey: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                apiKeyId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getAttachment: {
        parameters: {
            query?: {
                download?: "0" | "1";
                expires?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                signature?: string;
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                attachmentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                    "image/avif": unknown;
                    "image/gif": unknown;
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "text/plain": unknown;
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                    "image/avif": unknown;
                    "image/gif": unknown;
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "text/plain": unknown;
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteAttachment: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                attachmentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createAttachmentUrl: {
        parameters: {
            query?: {
                expiresInSeconds?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                attachmentId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedAttachment"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                action?: ("setup.done" | "session.started" | "session.refused" | "session.ended" | "session.revoked" | "password.changed" | "password.reset_link_created" | "password.reset" | "second_factor.added" | "second_factor.removed" | "organization.created" | "organization.updated" | "organization.transferred" | "organization.deletion_requested" | "organization.deletion_cancelled" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "member.joined" | "member.role_changed" | "member.removed" | "member.left" | "api_key.created" | "api_key.revoked" | "device_sign_in.approved" | "runner_token.created" | "runner_token.rotated" | "runner_token.revoked" | "runner.renamed" | "runner.removed" | "job.created" | "job.renamed" | "job.changed" | "job.cancelled" | "job.privacy_started" | "job.privacy_ended" | "job.deleted" | "test_run.created" | "test_run.deleted" | "test_run.let_through" | "attachment.deleted" | "attachment.signed" | "recording.uploaded" | "recording.renamed" | "recording.changed" | "recording.kept" | "recording.pinned" | "recording.unpinned" | "recording.deleted" | "recording.restored" | "recording.purged" | "retention.changed" | "retention.clock_confirmed" | "retention.many_deleted" | "recording_settings.changed" | "view.created" | "view.changed" | "view.deleted" | "link.created" | "link.signed" | "link.revoked" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.test_sent" | "webhook.delivery_repeated" | "build.finish_announced" | "schedule.created" | "schedule.paused" | "schedule.resumed" | "schedule.deleted")[];
                actor?: string;
                address?: string;
                after?: string;
                before?: string;
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                target?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                action?: ("setup.done" | "session.started" | "session.refused" | "session.ended" | "session.revoked" | "password.changed" | "password.reset_link_created" | "password.reset" | "second_factor.added" | "second_factor.removed" | "organization.created" | "organization.updated" | "organization.transferred" | "organization.deletion_requested" | "organization.deletion_cancelled" | "invitation.created" | "invitation.revoked" | "invitation.accepted" | "member.joined" | "member.role_changed" | "member.removed" | "member.left" | "api_key.created" | "api_key.revoked" | "device_sign_in.approved" | "runner_token.created" | "runner_token.rotated" | "runner_token.revoked" | "runner.renamed" | "runner.removed" | "job.created" | "job.renamed" | "job.changed" | "job.cancelled" | "job.privacy_started" | "job.privacy_ended" | "job.deleted" | "test_run.created" | "test_run.deleted" | "test_run.let_through" | "attachment.deleted" | "attachment.signed" | "recording.uploaded" | "recording.renamed" | "recording.changed" | "recording.kept" | "recording.pinned" | "recording.unpinned" | "recording.deleted" | "recording.restored" | "recording.purged" | "retention.changed" | "retention.clock_confirmed" | "retention.many_deleted" | "recording_settings.changed" | "view.created" | "view.changed" | "view.deleted" | "link.created" | "link.signed" | "link.revoked" | "webhook.created" | "webhook.changed" | "webhook.deleted" | "webhook.secret_rotated" | "webhook.test_sent" | "webhook.delivery_repeated" | "build.finish_announced" | "schedule.created" | "schedule.paused" | "schedule.resumed" | "schedule.deleted")[];
                actor?: string;
                address?: string;
                after?: string;
                before?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                target?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listBuilds: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words that are all in the name, the branch or the commit, in upper or lower case, and the filters of other lists, such as branch:main, commit:3f2a1b0, outcome:failed, test:Login, label:team=web: a build has them, or one of its jobs, recordings or test results. A leading minus excludes, quotes group. At most 20. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getBuild: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                build: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    finishBuild: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                build: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FinishBuild"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildEnd"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    reportBuild: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                build: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildReport"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getCoverage: {
        parameters: {
            query?: {
                cursor?: string;
                days?: number;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Coverage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getDailyTotals: {
        parameters: {
            query?: {
                days?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyTotals"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listDeletedRecordings: {
        parameters: {
            query?: {
                build?: string;
                cursor?: string;
                deletedAfter?: string;
                deletedBefore?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                reason?: ("request" | "age" | "size" | "disk" | "passed")[];
                restorable?: "1";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedRecordingPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getDeletedRecording: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedRecording"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    purgeDeletedRecording: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    restoreRecording: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    restoreDeletedRecordings: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RestoreDeletedRecordings"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RestoredRecordings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    beginDeviceSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginDeviceSignIn"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceSignIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    approveDeviceSignIn: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveDeviceSignIn"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    denyDeviceSignIn: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCode"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    fetchDeviceKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceCode"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    openDeviceSignIn: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCode"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedDeviceSignIn"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    followEvents: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listLettingPass: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LettingPass"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setFailureTriage: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetFailureTriage"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureTriage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listFailures: {
        parameters: {
            query?: {
                cursor?: string;
                failedAfter?: string;
                failedBefore?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailurePage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getFailuresSeen: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailuresSeen"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setFailuresSeen: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MarkFailuresSeen"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailuresSeen"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getLiveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createInvitation: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitation"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    revokeInvitation: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                invitationId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    openInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkToken"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenedInvitation"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listJobs: {
        parameters: {
            query?: {
                createdAfter?: string;
                createdBefore?: string;
                cursor?: string;
                limit?: number;
                order?: "desc" | "asc";
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
                q?: string;
                runnerId?: number;
                status?: ("queued" | "starting" | "recording" | "uploading" | "completed" | "failed" | "cancelled")[];
                stopCondition?: "duration" | "interrupt" | "selenium_idle" | "selenium_session";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createJob: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: {
                /** @description Repeated within 24 hours, the call returns its first response again instead of creating another job. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJob"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getJob: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                timeoutSeconds?: number;
                waitFor?: "recording" | "ended" | "playable";
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    updateJob: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateJob"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    cancelJob: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listJobEvents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobEventPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    decideGate: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideGate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listJobMarkers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkerPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createJobMarker: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJobMarker"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Marker"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteJobMarker: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
                markerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createJobMarkers: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateJobMarkers"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkerList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    changePrivacy: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePrivacy"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Privacy"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). Privacy not confirmed by the runner (`privacy_unconfirmed`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createTestResults: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestResults"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResultList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listTracks: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    readTrack: {
        parameters: {
            query?: {
                cursor?: string;
                from?: number;
                /** @description Only lines of this level, and of those that are more severe. */
                level?: "debug" | "info" | "warn" | "error";
                limit?: number;
                order?: "desc" | "asc";
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Text that the line contains, in upper or lower case. */
                q?: string;
                to?: number;
            };
            header?: never;
            path: {
                jobId: number;
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLinePage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    appendToTrack: {
        parameters: {
            query?: {
                /** @description Number of bytes of the sender's stream before this body. Bytes that are already stored are skipped, so that a call can be repeated; after a gap, the call is refused with 409. Without it, the body is appended. */
                from?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                jobId: number;
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": unknown;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppendedTrack"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request body too large (`payload_too_large`). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Unsupported media type (`unsupported_media_type`). */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Disk full (`insufficient_storage`). Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    countJobs: {
        parameters: {
            query?: {
                createdAfter?: string;
                createdBefore?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
                q?: string;
                runnerId?: number;
                stopCondition?: "duration" | "interrupt" | "selenium_idle" | "selenium_session";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobCounts"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listLabels: {
        parameters: {
            query?: {
                key?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LabelList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getIdentity: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    renameAccount: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeName"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    changePassword: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    beginSecondFactor: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPassword"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSecondFactor"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    confirmSecondFactor: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSecondFactor"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    removeSecondFactor: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmPassword"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    endSession: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                sessionId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listMembers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    removeMember: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    changeMemberRole: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeRole"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createPasswordReset: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                userId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewPasswordReset"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getEmbed: {
        parameters: {
            query: {
                format?: "json";
                maxheight?: number;
                maxwidth?: number;
                url: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Embed"];
                };
            };
            /** @description Not found (`not_found`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: {
                /** @description Only the operation with this operationId, in the same form. */
                operation?: string;
                /** @description Only the operations of this tag, without examples, and with one description of all errors. */
                tag?: "jobs" | "recordings" | "tests" | "uploads" | "shared-recordings" | "runners" | "runner-tokens" | "events" | "webhooks" | "storage-and-retention" | "organization" | "account" | "service";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not found (`not_found`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    renameOrganization: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationName"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteOrganization: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteOrganization"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDeletion"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    cancelOrganizationDeletion: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    transferOwnership: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransferOwnership"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createOrganization: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrganizationName"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Organization"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPassword"];
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RequestPasswordReset"];
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRecordingSettings: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingSettings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setRecordingSettings: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetRecordingSettings"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listRecordings: {
        parameters: {
            query?: {
                createdAfter?: string;
                createdBefore?: string;
                cursor?: string;
                limit?: number;
                order?: "desc" | "asc";
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
                q?: string;
                runnerId?: number;
                sort?: "createdAt" | "durationSeconds" | "bytes";
                state?: ("live" | "ready" | "partial")[];
                verdict?: ("ok" | "black" | "frozen")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    uploadRecording: {
        parameters: {
            query: {
                keep?: "always" | "failed";
                label?: string[];
                name: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                outcome?: "passed" | "failed" | "error" | "skipped";
                /** @description When the first frame was captured; by default now, or when the test began. Its age counts from then. */
                startedAt?: string;
                /** @description The result of a test run that the video shows. The recording gets its outcome and the labels of its run. */
                testResultId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "video/mp4": unknown;
                "video/webm": unknown;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Request body too large (`payload_too_large`). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Disk full (`insufficient_storage`). Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getRecording: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteRecording: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    updateRecording: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRecording"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Recording"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRecordingClip: {
        parameters: {
            query?: {
                /** @description last-passed: beside it, on the right, the last recording of the same test that passed, aligned at the step before the failure. */
                against?: "last-passed";
                /** @description 1: the clip begins with the frame at from, and is encoded for that. Otherwise it may begin a little earlier. */
                exact?: "0" | "1";
                format?: "mp4" | "gif";
                /** @description Seconds from the beginning. Without from and to, the clip is of 20 s before the first failure to 5 s after it, or of the last 25 s. */
                from?: number;
                /** @description The size that the clip never exceeds. */
                maxBytes?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description The width in pixels; a narrower video keeps its own. */
                size?: number;
                /** @description At most 600 s after from, or 60 s for a GIF. */
                to?: number;
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": unknown;
                    "video/mp4": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": unknown;
                    "video/mp4": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a playable video (`invalid_video`). */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getRecordingDigest: {
        parameters: {
            query?: {
                /** @description The maximum number of frames that it names: those of failures, and those that changed most. */
                frames?: number;
                /** @description The Markdown has at most 4 times as many bytes. */
                maxTokens?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description sheet: the frames as one JPEG, in rows, at most 1,500 × 1,500 pixels and 600 kB. */
                part?: "text" | "sheet";
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "image/jpeg": unknown;
                    "text/markdown": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getFirstDifference: {
        parameters: {
            query: {
                /** @description Where the comparison begins, in seconds of this recording; its beginning if it is left out. */
                from?: number;
                /** @description Seconds by which the other recording shows the same later; 0 if it is left out. */
                offset?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Where it ends, at most 600 s later; the end of the shorter recording if it is left out. */
                to?: number;
                /** @description The id of the other recording. */
                with: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FirstDifference"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getRecordingFrame: {
        parameters: {
            query?: {
                at?: number;
                of?: "failure";
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description The very frame of the video at that time, so many pixels wide, or as wide as the video if that is less. Without it, a frame of the storyboard. */
                width?: number;
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
            };
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getLastPassed: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastPassed"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listShareLinks: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareLinkList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createShareLink: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShareLink"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewShareLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    revokeShareLink: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                linkId: number;
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    followRecording: {
        parameters: {
            query?: {
                from?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listRecordingMarkers: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkerPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createRecordingMarker: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecordingMarker"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Marker"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteRecordingMarker: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                markerId: number;
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createRecordingMarkers: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRecordingMarkers"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarkerList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getRecordingPoster: {
        parameters: {
            query?: {
                expires?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                signature?: string;
                size?: "full";
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRecordingProof: {
        parameters: {
            query?: {
                /** @description The size that the cut never exceeds. */
                maxBytes?: number;
                /** @description The length that the cut never exceeds: what changes is shown faster if need be. */
                maxSeconds?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a playable video (`invalid_video`). */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getRecordingReceipt: {
        parameters: {
            query?: {
                /** @description The size that the cut never exceeds. */
                maxBytes?: number;
                /** @description The length that the cut never exceeds: what changes is shown faster if need be. */
                maxSeconds?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Receipt"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not a playable video (`invalid_video`). */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getStoryboard: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Storyboard"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createSignedUrl: {
        parameters: {
            query?: {
                expiresInSeconds?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedUrl"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRecordingVideo: {
        parameters: {
            query?: {
                download?: "0" | "1";
                expires?: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                signature?: string;
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                recordingId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    downloadRecordings: {
        parameters: {
            query: {
                id: number[];
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    unpinRecordings: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnpinRecordings"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnpinnedRecordings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRetention: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setRetention: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionPolicy"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    confirmClock: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Retention"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    previewRetention: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetentionPolicy"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetentionPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listRunnerTokens: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerTokenPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createRunnerToken: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRunnerToken"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewRunnerToken"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    revokeRunnerToken: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                runnerTokenId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    rotateRunnerToken: {
        parameters: {
            query?: {
                graceSeconds?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                runnerTokenId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedRunnerToken"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listRunners: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                removed?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunnerPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getRunner: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                runnerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runner"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    removeRunner: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                runnerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    renameRunner: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                runnerId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RenameRunner"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Runner"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getDisplayPicture: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description The ETag of the picture that you have: 304 while nothing has changed, else only the rectangle that did, as the header Tapedeck-Rectangle says. Without this header, it is a whole picture: when most of it has changed, or the one that you have is older than a minute. */
                since?: string;
                /** @description So many pixels wide, or as wide as the display if that is less. Without it, 480. */
                width?: number;
            };
            header?: never;
            path: {
                displayId: string;
                runnerId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description Only with `since`: the part of the picture that this is, as `x,y,width,height` in pixels. */
                    "Tapedeck-Rectangle"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description Only with `since`: the part of the picture that this is, as `x,y,width,height` in pixels. */
                    "Tapedeck-Rectangle"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    removeRunners: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RemoveRunners"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedRunners"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createSchedule: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSchedule"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSchedule: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                scheduleId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteSchedule: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                scheduleId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    updateSchedule: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                scheduleId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSchedule"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getGridSession: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridSession"];
                };
            };
            /** @description Accepted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    updateGridSession: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateGridSession"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GridSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSetupState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupState"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Setup"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSharedRecording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedRecording"];
                };
            };
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSharedAttachment: {
        parameters: {
            query?: {
                download?: "0" | "1";
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                attachmentId: number;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                    "image/avif": unknown;
                    "image/gif": unknown;
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "text/plain": unknown;
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": unknown;
                    "image/avif": unknown;
                    "image/gif": unknown;
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "text/plain": unknown;
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSharedClip: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": unknown;
                    "video/mp4": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/gif": unknown;
                    "video/mp4": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    /** @description The seconds of the recording that the clip shows, such as `118.000-130.500`. */
                    "Tapedeck-Clip"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not a playable video (`invalid_video`). */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getSharedFrame: {
        parameters: {
            query?: {
                at?: number;
                of?: "failure";
                /** @description The very frame of the video at that time, so many pixels wide, or as wide as the video if that is less. Without it, a frame of the storyboard. */
                width?: number;
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSharedPoster: {
        parameters: {
            query?: {
                size?: "full";
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listSharedTests: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SharedTestPage"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listSharedTracks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackList"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    readSharedTrack: {
        parameters: {
            query?: {
                cursor?: string;
                from?: number;
                /** @description Only lines of this level, and of those that are more severe. */
                level?: "debug" | "info" | "warn" | "error";
                limit?: number;
                order?: "desc" | "asc";
                /** @description Text that the line contains, in upper or lower case. */
                q?: string;
                to?: number;
            };
            header?: never;
            path: {
                name: string;
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackLinePage"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description No longer available (`gone`). */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getSharedVideo: {
        parameters: {
            query?: {
                download?: "0" | "1";
            };
            header?: {
                /** @description The ETag of a copy: 304 when it is still current. */
                "If-None-Match"?: string;
                /** @description Part of the file, such as `bytes=0-1023`. */
                Range?: string;
            };
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "video/mp4": unknown;
                    "video/webm": unknown;
                };
            };
            /** @description Not modified. */
            304: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description The range is outside of the file. */
            416: {
                headers: {
                    /** @description Changes with the file. */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getStorage: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Storage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listTestFailures: {
        parameters: {
            query?: {
                by?: "cause" | "test" | "build" | "screen";
                failedAfter?: string;
                failedBefore?: string;
                limit?: number;
                muted?: "yes" | "no";
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailureGroupList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getTestHistory: {
        parameters: {
            query?: {
                branch?: string;
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                project?: string;
                repository?: string;
                test?: string;
                testId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestHistory"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listTestRuns: {
        parameters: {
            query?: {
                /** @description Only those with this label `build`. */
                build?: string;
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRunPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createTestRun: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestRun"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getTestRun: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                testRunId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRunDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteTestRun: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                testRunId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    addTestRunAttachment: {
        parameters: {
            query: {
                name: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                testRunId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request body too large (`payload_too_large`). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Disk full (`insufficient_storage`). Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    endTestRun: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                testRunId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EndTestRun"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRun"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    decideTestRunGate: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                testRunId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecideGate"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createTestRunResults: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                testRunId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTestResults"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResultList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listTestSummaries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                order?: "desc" | "asc";
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words that are all in the title, the suite, the file, the project or the repository, in upper or lower case, and filters such as outcome:failed, flaky:yes, new:yes, suite:Login, file:login.spec.ts, owner:Ada: the last outcome of a test, its owner, and what one of its last 30 results has. build: and commit: look at all results. A leading minus excludes, quotes group. At most 20. */
                q?: string;
                sort?: "lastAt" | "passRate" | "flakyRate" | "durationSeconds" | "durationChangeSeconds";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListedTestPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listTestResults: {
        parameters: {
            query?: {
                createdAfter?: string;
                createdBefore?: string;
                cursor?: string;
                jobId?: number;
                /** @description The name of a build: each of its tests once, with its last result in this build. */
                lastOfBuild?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                /** @description Words in the name, the values of labels or, of jobs and recordings, the error lines of tracks, in upper or lower case, and filters such as build:123, outcome:failed, label:team=web, status:failed, runner:grid-1, after:2026-11-20. A leading minus excludes, quotes group. At most 20 words and filters. Words of one or two letters do not count beside longer ones. If all words have one or two characters, they are looked for in the first 2,000 that match the other filters. */
                q?: string;
                recordingId?: number;
                testRunId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResultPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getTestResult: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                resultId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestResultDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    addTestAttachment: {
        parameters: {
            query: {
                name: string;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                resultId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": unknown;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The path of what was created. */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attachment"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Request body too large (`payload_too_large`). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            /** @description Disk full (`insufficient_storage`). Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTestFailureFrame: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                resultId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createUpload: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header: {
                /** @description The version of the tus protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description Instead of Upload-Length, while the size is unknown. */
                "Upload-Defer-Length"?: "1";
                /** @description The size of the file in bytes, unless it is still growing. */
                "Upload-Length"?: number;
                /** @description Pairs of a key and a Base64 value, joined by commas: `name`, or `filename`, and `filetype` (a media type, such as video/mp4); `labels` (JSON, such as {"build": "123"}), `outcome` and `keep` of a video without a job. */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    /** @description The URL of the upload, for HEAD, PATCH and DELETE. */
                    Location?: string;
                    /** @description When the upload is complete: the id of its recording. */
                    "Tapedeck-Recording"?: number;
                    /** @description The version of the tus protocol. */
                    "Tus-Resumable"?: "1.0.0";
                    "Upload-Offset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). Invalid JSON (`invalid_json`). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Missing or invalid credentials (`unauthorized`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not allowed (`forbidden`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Request body too large (`payload_too_large`). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Internal server error (`internal_error`). */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Disk full (`insufficient_storage`). Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description A problem document (RFC 9457), or plain text of the tus protocol. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
        };
    };
    getUploadFeatures: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    "Tus-Extension"?: string;
                    "Tus-Max-Size"?: number;
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or invalid credentials (`unauthorized`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not allowed (`forbidden`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Internal server error (`internal_error`). */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description A problem document (RFC 9457), or plain text of the tus protocol. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
        };
    };
    cancelUpload: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header: {
                /** @description The version of the tus protocol. */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    /** @description The version of the tus protocol. */
                    "Tus-Resumable"?: "1.0.0";
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). Invalid JSON (`invalid_json`). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Missing or invalid credentials (`unauthorized`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not allowed (`forbidden`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not found (`not_found`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Internal server error (`internal_error`). */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description A problem document (RFC 9457), or plain text of the tus protocol. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
        };
    };
    getUploadFeaturesOf: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    "Tus-Extension"?: string;
                    "Tus-Max-Size"?: number;
                    "Tus-Version"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Missing or invalid credentials (`unauthorized`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not allowed (`forbidden`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not found (`not_found`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Internal server error (`internal_error`). */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description A problem document (RFC 9457), or plain text of the tus protocol. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
        };
    };
    getUploadOffset: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header: {
                /** @description The version of the tus protocol. */
                "Tus-Resumable": "1.0.0";
            };
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    /** @description The version of the tus protocol. */
                    "Tus-Resumable"?: "1.0.0";
                    "Upload-Defer-Length"?: "1";
                    "Upload-Length"?: number;
                    "Upload-Offset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). Invalid JSON (`invalid_json`). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Missing or invalid credentials (`unauthorized`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not allowed (`forbidden`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not found (`not_found`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Internal server error (`internal_error`). */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description A problem document (RFC 9457), or plain text of the tus protocol. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
        };
    };
    appendToUpload: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header: {
                /** @description The version of the tus protocol. */
                "Tus-Resumable": "1.0.0";
                /** @description Once, when a deferred length is known. */
                "Upload-Length"?: number;
                /** @description The number of bytes that the server has, as HEAD returned it. */
                "Upload-Offset": number;
            };
            path: {
                uploadId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": unknown;
            };
        };
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    /** @description When the upload is complete: the id of its recording. */
                    "Tapedeck-Recording"?: number;
                    /** @description The version of the tus protocol. */
                    "Tus-Resumable"?: "1.0.0";
                    "Upload-Offset"?: number;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad request (`bad_request`). Invalid JSON (`invalid_json`). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Missing or invalid credentials (`unauthorized`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not allowed (`forbidden`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Not found (`not_found`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Request body too large (`payload_too_large`). */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Too many requests (`too_many_requests`). */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Internal server error (`internal_error`). */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Temporarily unavailable (`unavailable`). */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description Disk full (`insufficient_storage`). Storage quota reached (`quota_exceeded`). */
            507: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
            /** @description A problem document (RFC 9457), or plain text of the tus protocol. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                    "text/plain": string;
                };
            };
        };
    };
    listViews: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                page?: "jobs" | "recordings";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createView: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSavedView"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteView: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                viewId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    updateView: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                viewId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSavedView"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    createWebhook: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description Conflict (`conflict`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No content. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
                state?: "waiting" | "delivered" | "failed";
            };
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                deliveryId: number;
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WholeWebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                deliveryId: number;
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    testWebhook: {
        parameters: {
            query?: {
                /** @description For people with several organizations: the one meant. Without it, the active one. */
                organizationId?: number;
            };
            header?: never;
            path: {
                webhookId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
            default: components["responses"]["Problem"];
        };
    };
    webhookEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The same at every attempt: what has arrived before can be left out. */
                "webhook-id": string;
                /** @description `v1,` and a signature, of each secret while one is replaced; separated by spaces. */
                "webhook-signature": string;
                /** @description When this attempt was made, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookPayload"];
            };
        };
        responses: {
            /** @description The event has arrived. Any other answer is a failure. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
