/**
 * Finds variables that no program reads. Otherwise, a misspelled limit, key or list of allowed displays would silently
 * leave the default in place. The Python client does the same: test/vectors/computed/known-variables.json.
 */
import { type Environment, ownEnvironment } from "./environment.ts";

const PREFIX = "TAPEDECK_";
/** Begins names that are misspelled before their first underscore, such as TAPEDECKURL. */
const LOOSE_PREFIX = /^TAPE_?DECK_?/i;
/** Variables of this project's own tests. */
const TEST_PREFIX = "TAPEDECK_TEST_";
/**
 * Variables that Kubernetes sets in every pod for a Service whose name begins with "tapedeck", such as
 * TAPEDECK_SERVICE_HOST and TAPEDECK_PORT_80_TCP_ADDR.
 */
const SERVICE_LINK = /^TAPEDECK(\w+)?_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)$/;
/** Another one of these variables, if its value is such a URL. */
const SERVICE_PORT = /^TAPEDECK(\w+)?_PORT$/;
const SERVICE_URL = /^(tcp|udp|sctp):\/\//;

/** The variables of all of Tapedeck's programs, because one environment may serve several of them. */
export const KNOWN_VARIABLES: readonly string[] = [
	"DISPLAY",
	"HOST",
	"PORT",
	"SE_GRID_PASSWORD",
	"SE_GRID_URL",
	"SE_GRID_USERNAME",
	"TAPEDECK_ALLOWED_ORIGINS",
	"TAPEDECK_API_KEY",
	"TAPEDECK_AUTO_RECORD",
	"TAPEDECK_AUTO_UPGRADE",
	"TAPEDECK_BOOTSTRAP_API_KEY",
	"TAPEDECK_BOOTSTRAP_EMAIL",
	"TAPEDECK_BOOTSTRAP_PASSWORD",
	"TAPEDECK_BOOTSTRAP_RUNNER_TOKEN",
	"TAPEDECK_BROWSER_LOG",
	"TAPEDECK_BUFFER",
	"TAPEDECK_DATABASE_DIRECT_URL",
	"TAPEDECK_DATABASE_URL",
	"TAPEDECK_DATA_DIR",
	"TAPEDECK_DISK_RESERVE_MB",
	"TAPEDECK_DISPLAY_ALLOW",
	"TAPEDECK_DRAIN_SECONDS",
	"TAPEDECK_EMBED_ORIGINS",
	"TAPEDECK_EPHEMERAL",
	"TAPEDECK_FFMPEG",
	"TAPEDECK_FIRST_SESSION_TIMEOUT",
	"TAPEDECK_GRID_ALLOW",
	"TAPEDECK_GRID_NODE",
	"TAPEDECK_INTERNAL_URL",
	"TAPEDECK_JOB_ID",
	"TAPEDECK_JOB_NAME",
	"TAPEDECK_JOB_URL",
	"TAPEDECK_KEEP",
	"TAPEDECK_LABELS",
	"TAPEDECK_LIMIT_CALLS",
	"TAPEDECK_LIMIT_ORGANIZATION_GB",
	"TAPEDECK_LIMIT_PAGES",
	"TAPEDECK_LIMIT_QUEUED_JOBS",
	"TAPEDECK_LIMIT_STREAMS",
	"TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS",
	"TAPEDECK_LIMIT_UPLOAD_MB",
	"TAPEDECK_LOG_LEVEL",
	"TAPEDECK_LOG_REQUESTS",
	"TAPEDECK_MAIL_FROM",
	"TAPEDECK_MASK",
	"TAPEDECK_MAX_DURATION",
	"TAPEDECK_METRICS_ADDRESSES",
	"TAPEDECK_METRICS_TOKEN",
	"TAPEDECK_OIDC_ALLOWED_DOMAINS",
	"TAPEDECK_OIDC_CLIENT_ID",
	"TAPEDECK_OIDC_CLIENT_SECRET",
	"TAPEDECK_OIDC_DEFAULT_ROLE",
	"TAPEDECK_OIDC_ISSUER",
	"TAPEDECK_OIDC_NAME",
	"TAPEDECK_OIDC_ORGANIZATION_ID",
	"TAPEDECK_PLAYWRIGHT_DISPLAYS",
	"TAPEDECK_PLAYWRIGHT_FILMS",
	"TAPEDECK_PLAYWRIGHT_LINES",
	"TAPEDECK_PLAYWRIGHT_VIDEO",
	"TAPEDECK_RETENTION_DAYS",
	"TAPEDECK_RETENTION_DISK_PERCENT",
	"TAPEDECK_RETENTION_GB",
	"TAPEDECK_RUN",
	"TAPEDECK_RUNNER_NAME",
	"TAPEDECK_RUNNER_OFFLINE_DAYS",
	"TAPEDECK_SECRET_KEY",
	"TAPEDECK_SECRET_KEY_PREVIOUS",
	"TAPEDECK_SMTP_URL",
	"TAPEDECK_STORAGE_URL",
	"TAPEDECK_STORAGE_URL_PREVIOUS",
	"TAPEDECK_TEMPORARY_RUNNER",
	"TAPEDECK_TOKEN",
	"TAPEDECK_TRUSTED_PROXIES",
	"TAPEDECK_UPLOAD_DIR",
	"TAPEDECK_URL",
	"TAPEDECK_VIDEO_CRF",
	"TAPEDECK_VIDEO_CURSOR",
	"TAPEDECK_VIDEO_FPS",
	"TAPEDECK_VIDEO_MAX_BITRATE",
	"TAPEDECK_VIDEO_MAX_HEIGHT",
	"TAPEDECK_VIDEO_MAX_WIDTH",
	"TAPEDECK_VIDEO_PRESET",
	"TAPEDECK_VIDEO_REGION",
	"TAPEDECK_VIDEO_WINDOW",
	"TAPEDECK_VIEWER_URL",
	"TAPEDECK_VIRTUAL_DISPLAYS",
	"TAPEDECK_VIRTUAL_DISPLAY_SIZE",
	"TAPEDECK_WATCH_DIR",
	"TAPEDECK_WATCH_EXCLUDE",
	"TAPEDECK_WATCH_MAX_BYTES",
	"TAPEDECK_WEBHOOK_ALLOW",
];

export interface UnknownVariable {
	name: string;
	/** The known name that was probably meant. */
	meant: string | null;
}

/** @returns the variables that have a value and are not known, with the names that were probably meant. */
export function unknownVariables(variables: Environment): UnknownVariable[] {
	return (
		Object.entries(variables)
			.filter(([name, value]) => LOOSE_PREFIX.test(name) && value !== undefined && value !== "")
			.filter(([name, value]) => !KNOWN_VARIABLES.includes(name) && !isServiceLink(name, value ?? ""))
			.filter(([name]) => !name.startsWith(TEST_PREFIX))
			.map(([name]) => ({ name, meant: nearest(name) }))
			// Other programs may have names such as TAPEDECKER_HOME.
			.filter(({ name, meant }) => name.startsWith(PREFIX) || meant !== null)
	);
}

export const sentenceOf = ({ name, meant }: UnknownVariable): string =>
	`${name} is not a variable of Tapedeck. ${meant === null ? "Remove it." : `Did you mean ${meant}?`}`;

let hasWarned = false;

/**
 * Prints one line about the variables of this process that are probably misspelled, once. Names that are like no known one are
 * left alone: a newer version may know them.
 */
export function warnOfMisspelledVariables(env = ownEnvironment()): void {
	if (hasWarned) return;
	hasWarned = true;
	const misspelled = unknownVariables(env).filter(({ meant }) => meant !== null);
	if (misspelled.length > 0) console.warn(`tapedeck: ${misspelled.map(sentenceOf).join(" ")}`);
}

const isServiceLink = (name: string, value: string): boolean =>
	SERVICE_LINK.test(name) || (SERVICE_PORT.test(name) && SERVICE_URL.test(value));

/** The known name that takes the fewest edits, if these are few for its length. */
function nearest(name: string): string | null {
	const rest = name.replace(LOOSE_PREFIX, "").toUpperCase();
	const candidates = KNOWN_VARIABLES.map((one) => {
		const other = one.startsWith(PREFIX) ? one.slice(PREFIX.length) : one;
		return { one, edits: rest === other ? 0 : edits(rest, other), isPart: isPartOf(rest, other) };
	});
	const most = Math.max(2, Math.floor(rest.length / 4));
	const close = candidates.filter((candidate) => candidate.edits <= most).sort((a, b) => a.edits - b.edits);
	// For example a name without the unit at its end.
	const longer = candidates.filter(({ isPart }) => isPart);
	return close[0]?.one ?? (longer.length === 1 ? (longer[0]?.one ?? null) : null);
}

/** Whether all words of the shorter name are in the longer one. */
function isPartOf(name: string, other: string): boolean {
	const [few = [], many = []] = [name.split("_"), other.split("_")].sort((a, b) => a.length - b.length);
	return few.every((word) => many.includes(word));
}

/** The number of letters that must be inserted, removed, replaced, or swapped with their neighbor. */
function edits(from: string, to: string): number {
	let before: number[] = [];
	let row = Array.from({ length: to.length + 1 }, (_, index) => index);
	for (let i = 1; i <= from.length; i++) {
		const next = [i];
		for (let j = 1; j <= to.length; j++) {
			const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
			next[j] = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced);
			const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
			if (isSwap) next[j] = Math.min(next[j] ?? 0, (before[j - 2] ?? 0) + 1);
		}
		[before, row] = [row, next];
	}
	return row[to.length] ?? 0;
}
