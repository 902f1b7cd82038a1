/** Entries of the audit log as sentences: Ada deleted the recording “Login”. */
import type { AuditAction, AuditEntry } from "@tapedeck/contract/audit.ts";

/** The predicate of each action's sentence. Braces hold its object, whose name follows. */
const ACTIONS: Record<AuditAction, string> = {
	"setup.done": "set up Tapedeck",
	"session.started": "signed in",
	"session.refused": "failed to sign in as {a user}",
	"session.ended": "signed out",
	"session.revoked": "ended the sessions of {a user}",
	"password.changed": "changed the password of {a user}",
	"password.reset_link_created": "created a password link for {a user}",
	"password.reset": "reset the password of {a user} with a link",
	"second_factor.added": "added a second factor to the account of {a user}",
	"second_factor.removed": "removed the second factor of {a user}",
	"passkey.added": "added a passkey to the account of {a user}",
	"passkey.removed": "removed the passkey of {a user}",
	"organization.created": "created {the organization}",
	"organization.updated": "renamed {the organization}",
	"organization.deletion_requested": "asked to delete {the organization}",
	"organization.deletion_cancelled": "cancelled the deletion of {the organization}",
	"organization.transferred": "transferred the ownership of {the organization}",
	"invitation.created": "created {an invitation}",
	"invitation.revoked": "revoked {an invitation}",
	"invitation.accepted": "accepted {an invitation}",
	"member.joined": "joined {the organization}",
	"member.role_changed": "changed the role of {a member}",
	"member.removed": "removed {a member}",
	"member.left": "left {the organization}",
	"api_key.created": "created {an API key}",
	"api_key.revoked": "revoked {an API key}",
	"device_sign_in.approved": "let {a terminal} sign in",
	"runner_token.created": "created {a runner token}",
	"runner_token.rotated": "rotated {a runner token}",
	"runner_token.revoked": "revoked {a runner token}",
	"runner.renamed": "renamed {a runner}",
	"runner.removed": "removed {a runner}",
	"job.created": "created {a job}",
	"job.renamed": "renamed {a job}",
	"job.changed": "changed {a job}",
	"job.cancelled": "cancelled {a job}",
	"job.privacy_started": "made {a job} private",
	"job.privacy_ended": "ended the private stretch of {a job}",
	"job.deleted": "deleted {a job}",
	"test_run.created": "created {a test run}",
	"test_run.deleted": "deleted {a test run}",
	"test_run.let_through": "let CI pass for {a test run}",
	"attachment.deleted": "deleted {an attachment} of a test",
	"attachment.signed": "created a signed URL of {an attachment}",
	"recording.uploaded": "uploaded {a recording}",
	"recording.renamed": "renamed {a recording}",
	"recording.changed": "changed {a recording}",
	"recording.kept": "kept {a recording} that was due for deletion",
	"recording.pinned": "pinned {a recording}",
	"recording.unpinned": "unpinned {a recording}",
	"recording.restored": "restored {a recording}",
	"recording.purged": "removed the video of {a deleted recording}",
	"recording.deleted": "deleted {a recording}",
	"retention.changed": "changed the retention",
	"retention.clock_confirmed": "confirmed the clock",
	"retention.many_deleted": "began to delete many recordings",
	"recording_settings.changed": "changed the recording settings",
	"view.created": "saved {a view} for the organization",
	"view.changed": "changed {a view} of the organization",
	"view.deleted": "deleted {a view} of the organization",
	"link.created": "shared {a recording}",
	"webhook.created": "created {a webhook}",
	"webhook.changed": "changed {a webhook}",
	"webhook.deleted": "deleted {a webhook}",
	"webhook.secret_rotated": "replaced the secret of {a webhook}",
	"webhook.test_sent": "sent a test to {a webhook}",
	"webhook.delivery_repeated": "sent a delivery again to {a webhook}",
	"build.finish_announced": "said that {a build} is complete",
	"schedule.created": "created {a schedule}",
	"schedule.paused": "paused {a schedule}",
	"schedule.resumed": "resumed {a schedule}",
	"schedule.deleted": "deleted {a schedule}",
	"link.signed": "created a signed URL of {a recording}",
	"link.revoked": "revoked a share link of {a recording}",
};

/** Keys of details that name the object of actions without a target. */
const NAME_KEYS: Partial<Record<AuditAction, string>> = {
	"test_run.created": "name",
	"test_run.deleted": "name",
	"test_run.let_through": "name",
	"attachment.deleted": "name",
	"attachment.signed": "name",
	"view.created": "view",
	"view.changed": "view",
	"view.deleted": "view",
	"webhook.created": "webhook",
	"webhook.changed": "webhook",
	"webhook.deleted": "webhook",
	"webhook.secret_rotated": "webhook",
	"webhook.test_sent": "webhook",
	"webhook.delivery_repeated": "webhook",
	"build.finish_announced": "build",
	"device_sign_in.approved": "device",
};

/** The key of the detail that the sentence has. */
export const nameKeyOf = (action: AuditAction): string | undefined => NAME_KEYS[action];

/** An action without its object's name, such as `created an API key`. */
export const actionLabel = (action: AuditAction): string => ACTIONS[action].replace(/[{}]/g, "");

/** The sentence about people who act on themselves, such as `changed their password`. */
const ownActionLabel = (action: AuditAction): string =>
	actionLabel(action)
		.replace(/\bthe (\w+) of a (?:user|member)\b/, "their $1")
		.replace("a user", "themselves");

interface Sentence {
	before: string;
	/** The name of the object; null if the sentence has none. */
	name: string | null;
	after: string;
}

/** The sentence without its subject, the actor, in the parts before and after the name of its object. */
export function sentenceOf({
	action,
	actor,
	target,
	detail,
}: Pick<AuditEntry, "action" | "actor" | "target" | "detail">): Sentence {
	const key = nameKeyOf(action);
	const named = target?.name ?? (key === undefined ? null : detail[key]);
	const isOwn = target !== null && target.kind === actor.kind && target.id === actor.id;
	const [before = "", noun, after = ""] = ACTIONS[action].split(/[{}]/);
	if (isOwn) return { before: ownActionLabel(action), name: null, after: "" };
	if (typeof named !== "string") return { before: actionLabel(action), name: null, after: "" };
	// An action with an object that it does not name, such as a runner that began a recording by itself.
	if (noun === undefined) return { before: `${before}: “`, name: named, after: "”" };
	// The name of a person needs neither a noun nor quotation marks.
	if (target?.kind === "user") return { before, name: named, after };
	return { before: `${before}${noun.replace(/^an? /, "the ")} “`, name: named, after: `”${after}` };
}
