/** The dashboard's environment variables, parsed once. No other file of the dashboard reads the environment. */
import { isIP } from "node:net";
import { resolve } from "node:path";
import { sentenceOf, unknownVariables } from "@tapedeck/client-source/known-variables.ts";
import { DEFAULT_RETENTION, type RetentionPolicy } from "@tapedeck/contract/retention.ts";
import * as z from "zod";
import { type Bootstrap, bootstrapSchema } from "#lib/auth/sign-in/bootstrap.ts";
import type { SingleSignOn } from "#lib/auth/sign-in/single-sign-on.ts";
import type { Quotas } from "#lib/core/context.ts";
import { parseSecretKey } from "#lib/core/secret-key.ts";
import type { RateLimitSettings } from "#lib/http/rate-limits.ts";
import type { MailSettings } from "#lib/mail/mailer.ts";
import { type BucketLocation, parseStorageUrl } from "#lib/s3/storage-url.ts";
import { singleSignOnOf, ssoVariables } from "./sso-env.ts";

const text = z.string().trim().min(1).optional();

const limit = (name: string, byDefault: number) =>
	z
		.string()
		.regex(/^\d{1,9}$/, { error: `${name} must be a whole number, such as ${byDefault}; 0 sets no limit.` })
		.transform(Number)
		.default(byDefault);

const WHOLE = /^\d{1,9}$/;
const GIGABYTES = /^\d{1,6}(\.\d{1,3})?$/;

/** A limit for all organizations, and the limits of organizations that have their own. */
type Limits = { all: number; byOrganization: ReadonlyMap<number, number> };

/** For example `3000`, or `3000,7=600` with another one for organization 7. */
const limits = (name: string, byDefault: number, number = WHOLE, such = `${byDefault}`) =>
	z
		.string()
		.default(`${byDefault}`)
		.transform((text, ctx): Limits => {
			const parsed: { all: number; byOrganization: Map<number, number> } = {
				all: byDefault,
				byOrganization: new Map(),
			};
			const isValid = listed(text).every((item, at) => {
				const [, id, value = ""] = /^(?:(\d{1,15})=)?(.*)$/.exec(item) ?? [];
				if (id === undefined) parsed.all = Number(value);
				else parsed.byOrganization.set(Number(id), Number(value));
				return number.test(value) && (id !== undefined || at === 0);
			});
			if (isValid) return parsed;
			const kind = number === WHOLE ? "a whole number" : "a number of gigabytes";
			ctx.addIssue({
				code: "custom",
				message: `${name} must be ${kind}, such as ${such}; 0 sets no limit. For some organizations, add their ids: ${such.split(" ")[0]},7=1.`,
			});
			return z.NEVER;
		});

const listed = (list: string): string[] =>
	list
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "");

/** Comma-separated keys in hexadecimal. */
const secretKeys = (message: string) =>
	z
		.string()
		.default("")
		.transform((text, ctx): Buffer[] => {
			const keys = listed(text).map(parseSecretKey);
			if (keys.every((key) => key !== null)) return keys;
			ctx.addIssue({ code: "custom", message });
			return z.NEVER;
		});

/** Null for the disk. */
const storageUrl = (name: string) =>
	z
		.string()
		.default("file:")
		.transform((text, ctx): BucketLocation | null => {
			try {
				return parseStorageUrl(name, text);
			} catch (error) {
				ctx.addIssue({ code: "custom", message: (error as Error).message });
				return z.NEVER;
			}
		});

function isAddressOrNetwork(item: string): boolean {
	const [address = "", bits, ...rest] = item.split("/");
	const version = isIP(address);
	return (
		version !== 0 &&
		rest.length === 0 &&
		(bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)))
	);
}

/** Whether it is an address alone. */
const isBare = ({ pathname, search, hash }: URL): boolean => /^\/+$/.test(pathname) && search === "" && hash === "";

/** Whether the text is an origin in the form that a browser sends. */
function isOrigin(item: string): boolean {
	const url = URL.canParse(item) ? new URL(item) : null;
	return url !== null && /^https?:$/.test(url.protocol) && url.origin === item && !item.includes("*");
}

const envSchema = z
	.object({
		PORT: z
			.string()
			.regex(/^\d{1,5}$/, { error: "PORT must be a number from 0 to 65535, such as 3000." })
			.transform(Number)
			.refine((port) => port <= 65_535, { error: "PORT must be a number from 0 to 65535, such as 3000." })
			.default(3000),
		HOST: z.string().trim().min(1).default("127.0.0.1"),
		TAPEDECK_URL: z
			.url({
				protocol: /^https?$/,
				error: "TAPEDECK_URL must be the URL that people use, such as https://tapedeck.example.com.",
			})
			.refine((text) => !URL.canParse(text) || isBare(new URL(text)), {
				error:
					"TAPEDECK_URL must be without a path, such as https://tapedeck.example.com: the dashboard needs a host name of its own.",
			})
			.transform((url) => url.replace(/\/+$/, ""))
			.optional(),
		TAPEDECK_DATA_DIR: z
			.string()
			.trim()
			.min(1)
			.default("./data")
			.transform((dir) => resolve(dir)),
		TAPEDECK_DISK_RESERVE_MB: z
			.string()
			.regex(/^\d{1,9}$/, {
				error: "TAPEDECK_DISK_RESERVE_MB must be a whole number of MB, such as 512; 0 reserves nothing.",
			})
			.transform(Number)
			.default(512),
		TAPEDECK_SECRET_KEY: secretKeys(
			"TAPEDECK_SECRET_KEY must be 64 hexadecimal characters, such as the output of openssl rand -hex 32.",
		).refine((keys) => keys.length < 2, {
			error: "TAPEDECK_SECRET_KEY must be a single key. Put older ones in TAPEDECK_SECRET_KEY_PREVIOUS.",
		}),
		TAPEDECK_SECRET_KEY_PREVIOUS: secretKeys(
			"TAPEDECK_SECRET_KEY_PREVIOUS must be keys of 64 hexadecimal characters, separated by commas.",
		),
		TAPEDECK_DATABASE_URL: z
			.string()
			.regex(/^postgres(ql)?:\/\//, {
				error: "TAPEDECK_DATABASE_URL must begin with postgres://; leave it out for the embedded database.",
			})
			.optional(),
		TAPEDECK_DATABASE_DIRECT_URL: z
			.string()
			.regex(/^postgres(ql)?:\/\//, {
				error: "TAPEDECK_DATABASE_DIRECT_URL must begin with postgres://, like TAPEDECK_DATABASE_URL.",
			})
			.optional(),
		TAPEDECK_STORAGE_URL: storageUrl("TAPEDECK_STORAGE_URL"),
		TAPEDECK_STORAGE_URL_PREVIOUS: storageUrl("TAPEDECK_STORAGE_URL_PREVIOUS"),
		TAPEDECK_INTERNAL_URL: z
			.url({
				protocol: /^https?$/,
				error:
					"TAPEDECK_INTERNAL_URL must be the URL at which other dashboards reach this one, such as http://10.0.0.5:3000.",
			})
			.transform((url) => new URL(url).origin)
			.optional(),
		TAPEDECK_DRAIN_SECONDS: z
			.string()
			.regex(/^\d{1,3}$/, { error: "TAPEDECK_DRAIN_SECONDS must be a whole number of seconds up to 999, such as 10." })
			.transform(Number)
			.default(0),
		TAPEDECK_LOG_LEVEL: z
			.enum(["debug", "info", "warn", "error", "silent"], {
				error: "TAPEDECK_LOG_LEVEL must be debug, info, warn, error or silent.",
			})
			.default("info"),
		TAPEDECK_LOG_REQUESTS: z
			.enum(["all", "refused"], { error: "TAPEDECK_LOG_REQUESTS must be all or refused." })
			.default("all"),
		TAPEDECK_METRICS_ADDRESSES: z
			.string()
			.default("")
			.transform(listed)
			.refine((list) => list.every((address) => isIP(address) !== 0), {
				error: "TAPEDECK_METRICS_ADDRESSES must be IP addresses, separated by commas.",
			}),
		TAPEDECK_METRICS_TOKEN: z
			.string()
			.trim()
			.regex(/^[\x21-\x7e]{20,}$/, {
				error:
					"TAPEDECK_METRICS_TOKEN must have 20 or more characters without spaces, such as the output of openssl rand -hex 32.",
			})
			.optional(),
		TAPEDECK_ALLOWED_ORIGINS: z
			.string()
			.default("")
			.transform(listed)
			.refine((list) => list.every(isOrigin), {
				error:
					"TAPEDECK_ALLOWED_ORIGINS must be origins such as https://ci.example.com, without a path and separated by commas.",
			}),
		TAPEDECK_EMBED_ORIGINS: z
			.string()
			.default("")
			.transform(listed)
			.refine((list) => list.every(isOrigin), {
				error:
					"TAPEDECK_EMBED_ORIGINS must be origins such as https://wiki.example.com, without a path and separated by commas.",
			}),
		TAPEDECK_SMTP_URL: z
			.url({
				protocol: /^smtps?$/,
				error: "TAPEDECK_SMTP_URL must be the URL of a mail server, such as smtps://user:password@mail.example.com.",
			})
			.optional(),
		TAPEDECK_MAIL_FROM: z
			.string()
			.includes("@", { error: "TAPEDECK_MAIL_FROM must be a sender, such as Tapedeck <tapedeck@example.com>." })
			.optional(),
		TAPEDECK_VIEWER_URL: z
			.string()
			.trim()
			.refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && isBare(new URL(text)), {
				error:
					"TAPEDECK_VIEWER_URL must be the URL of the trace viewer without a path, such as https://traces.example.com.",
			})
			.optional(),
		TAPEDECK_TRUSTED_PROXIES: z
			.string()
			.default("")
			.transform(listed)
			.refine((list) => list.every(isAddressOrNetwork), {
				error: "TAPEDECK_TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8, separated by commas.",
			}),
		TAPEDECK_WEBHOOK_ALLOW: z
			.string()
			.default("")
			.transform(listed)
			.refine((list) => list.every(isAddressOrNetwork), {
				error: "TAPEDECK_WEBHOOK_ALLOW must be IP addresses or networks such as 10.0.0.0/8, separated by commas.",
			}),
		TAPEDECK_RETENTION_DAYS: limit("TAPEDECK_RETENTION_DAYS", DEFAULT_RETENTION.maxAgeDays),
		TAPEDECK_RETENTION_DISK_PERCENT: z
			.string()
			.regex(/^\d{1,2}$/, { error: "TAPEDECK_RETENTION_DISK_PERCENT must be from 1 to 99; 0 sets no limit." })
			.transform(Number)
			.default(DEFAULT_RETENTION.maxDiskPercent),
		TAPEDECK_RETENTION_GB: z
			.string()
			.regex(GIGABYTES, { error: "TAPEDECK_RETENTION_GB must be a number of gigabytes, such as 500; 0 sets no limit." })
			.transform(Number)
			.default(0),
		TAPEDECK_RUNNER_OFFLINE_DAYS: limit("TAPEDECK_RUNNER_OFFLINE_DAYS", 30),
		TAPEDECK_LIMIT_CALLS: limits("TAPEDECK_LIMIT_CALLS", 3000),
		TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS: limit("TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS", 300),
		TAPEDECK_LIMIT_PAGES: limit("TAPEDECK_LIMIT_PAGES", 1200),
		TAPEDECK_LIMIT_STREAMS: limits("TAPEDECK_LIMIT_STREAMS", 100),
		TAPEDECK_LIMIT_QUEUED_JOBS: limits("TAPEDECK_LIMIT_QUEUED_JOBS", 1000),
		TAPEDECK_LIMIT_UPLOAD_MB: limits("TAPEDECK_LIMIT_UPLOAD_MB", 20_480),
		TAPEDECK_LIMIT_ORGANIZATION_GB: limits("TAPEDECK_LIMIT_ORGANIZATION_GB", 0, GIGABYTES, "500 or 0.5"),
		...ssoVariables,
		TAPEDECK_BOOTSTRAP_EMAIL: text,
		TAPEDECK_BOOTSTRAP_PASSWORD: text,
		TAPEDECK_BOOTSTRAP_API_KEY: text,
		TAPEDECK_BOOTSTRAP_RUNNER_TOKEN: text,
	})
	.refine(
		({ TAPEDECK_STORAGE_URL: current, TAPEDECK_STORAGE_URL_PREVIOUS: previous }) =>
			current === null || previous === null,
		{
			error:
				"TAPEDECK_STORAGE_URL and TAPEDECK_STORAGE_URL_PREVIOUS are both buckets. Copy one bucket to the other with the tools of the store, and set only TAPEDECK_STORAGE_URL.",
		},
	)
	.refine((env) => (env.TAPEDECK_SMTP_URL === undefined) === (env.TAPEDECK_MAIL_FROM === undefined), {
		error: "Set both TAPEDECK_SMTP_URL and TAPEDECK_MAIL_FROM, the mail server and the sender, or neither.",
	})
	.refine(
		({ TAPEDECK_URL: url, TAPEDECK_VIEWER_URL: viewer }) =>
			url === undefined || viewer === undefined || new URL(url).origin !== new URL(viewer).origin,
		{
			error:
				"TAPEDECK_VIEWER_URL has the origin of TAPEDECK_URL. Give the viewer another host name or port: traces contain pages of strangers, which must not find anybody's session.",
		},
	)
	.superRefine((env, ctx) => {
		if (env.TAPEDECK_DATABASE_URL !== undefined) return;
		for (const name of ["TAPEDECK_DATABASE_DIRECT_URL", "TAPEDECK_INTERNAL_URL"] as const) {
			if (env[name] === undefined) continue;
			const message = `${name} is only for a dashboard on PostgreSQL. Set TAPEDECK_DATABASE_URL too, or remove it.`;
			ctx.addIssue({ code: "custom", message });
		}
	});

export type Env = {
	/** 0 lets the operating system choose. */
	port: number;
	host: string;
	/** The address without a trailing slash; null to derive it from the listening address. */
	url: string | null;
	/** Absolute path. */
	dataDir: string;
	/** Disk space that videos must leave free. */
	diskReserveBytes: number;
	databaseUrl: string | null;
	/** For notifications and migrations, which need a session of their own: PostgreSQL itself, without a pooler. */
	databaseDirectUrl: string | null;
	/** The storage of finished videos; null is the disk. Videos in `previous` are read there until they are moved. */
	storage: { current: BucketLocation | null; previous: BucketLocation | null };
	/** `current` replaces the key in the data directory; `previous` keys can only decrypt. */
	secretKeys: { current: Buffer | null; previous: Buffer[] };
	/** The URL at which other dashboards on the same database reach this one. Null: derived from the listening address. */
	internalUrl: string | null;
	/** The time for which a stopping dashboard still serves requests, while health checks report that it stops. */
	drainSeconds: number;
	logLevel: "debug" | "info" | "warn" | "error" | "silent";
	/** Whether the log has a line for refused and failed requests only. */
	logsRefusedOnly: boolean;
	/** Addresses that may read the instance's metrics without a token. */
	metricsAddresses: string[];
	/** Bearer token for the instance's metrics. */
	metricsToken: string | null;
	limits: RateLimitSettings;
	quotas: Quotas;
	/** The retention of organizations that have set none. */
	defaultRetention: RetentionPolicy;
	/** After how many days offline a runner leaves the list; null for never. */
	runnerOfflineDays: number | null;
	/** Other origins whose pages may call /v1 with an API key. */
	allowedOrigins: string[];
	/** Origins whose pages may show shared pages in a frame. */
	embedOrigins: string[];
	/** Null for no email. */
	mail: MailSettings | null;
	/** The address at which people reach the trace viewer; null for the port after the dashboard's. */
	viewerUrl: string | null;
	/** IP addresses and networks of the proxies whose X-Forwarded-For is trusted. */
	trustedProxies: string[];
	/** Addresses and networks that webhooks may be sent to although they are not public. */
	webhookAllow: string[];
	/** Null when single sign-on is not configured. */
	singleSignOn: SingleSignOn | null;
	bootstrap: Bootstrap;
};

/** A value as it is set or by default. Null if the variable has no value. */
type EffectiveValue = { value: string | null; isSet: boolean };

/**
 * The value of each variable of the dashboard, as text.
 * @param variables valid ones; empty values count as unset.
 */
export function effectiveVariables(variables: Record<string, string | undefined>): Map<string, EffectiveValue> {
	const defaults = envSchema.parse({});
	const effective = (name: string): EffectiveValue => {
		const value = variables[name];
		if (value) return { value, isSet: true };
		const byDefault = defaults[name as keyof typeof defaults];
		if (typeof byDefault === "string" || typeof byDefault === "number") return { value: `${byDefault}`, isSet: false };
		if (byDefault !== null && typeof byDefault === "object" && "all" in byDefault) {
			return { value: `${byDefault.all}`, isSet: false };
		}
		// The disk as the location of storage.
		return { value: byDefault === null ? "file:" : null, isSet: false };
	};
	return new Map(Object.keys(envSchema.shape).map((name) => [name, effective(name)]));
}

/**
 * @param variables usually `process.env`; empty values count as unset.
 * @throws an Error whose message lists every problem, one on each line.
 */
export function readEnv(variables: Record<string, string | undefined>): Env {
	const given = Object.fromEntries(
		Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""),
	);
	const problems = unknownVariables(given).map(sentenceOf);
	const result = envSchema.safeParse(given);
	if (!result.success) problems.push(...result.error.issues.map((issue) => issue.message));
	const bootstrapValue = (name: string) => given[`TAPEDECK_BOOTSTRAP_${name}`]?.trim() || undefined;
	const bootstrap = bootstrapSchema.safeParse({
		email: bootstrapValue("EMAIL"),
		password: bootstrapValue("PASSWORD"),
		apiKey: bootstrapValue("API_KEY"),
		runnerToken: bootstrapValue("RUNNER_TOKEN"),
	});
	if (!bootstrap.success) problems.push(...bootstrap.error.issues.map((issue) => issue.message));
	let singleSignOn: SingleSignOn | null = null;
	try {
		if (result.success) singleSignOn = singleSignOnOf(result.data);
	} catch (error) {
		problems.push((error as Error).message);
	}
	if (problems.length > 0 || !result.success || !bootstrap.success) throw new Error([...new Set(problems)].join("\n"));
	const env = result.data;
	return {
		port: env.PORT,
		host: env.HOST,
		url: env.TAPEDECK_URL ?? null,
		dataDir: env.TAPEDECK_DATA_DIR,
		diskReserveBytes: env.TAPEDECK_DISK_RESERVE_MB * 1e6,
		databaseUrl: env.TAPEDECK_DATABASE_URL ?? null,
		databaseDirectUrl: env.TAPEDECK_DATABASE_DIRECT_URL ?? env.TAPEDECK_DATABASE_URL ?? null,
		storage: { current: env.TAPEDECK_STORAGE_URL, previous: env.TAPEDECK_STORAGE_URL_PREVIOUS },
		secretKeys: { current: env.TAPEDECK_SECRET_KEY[0] ?? null, previous: env.TAPEDECK_SECRET_KEY_PREVIOUS },
		internalUrl: env.TAPEDECK_INTERNAL_URL ?? null,
		drainSeconds: env.TAPEDECK_DRAIN_SECONDS,
		logLevel: env.TAPEDECK_LOG_LEVEL,
		logsRefusedOnly: env.TAPEDECK_LOG_REQUESTS === "refused",
		metricsAddresses: env.TAPEDECK_METRICS_ADDRESSES,
		metricsToken: env.TAPEDECK_METRICS_TOKEN ?? null,
		limits: {
			callsPerMinute: env.TAPEDECK_LIMIT_CALLS.all,
			unauthenticatedCallsPerMinute: env.TAPEDECK_LIMIT_UNAUTHENTICATED_CALLS,
			pagesPerMinute: env.TAPEDECK_LIMIT_PAGES,
			openStreams: env.TAPEDECK_LIMIT_STREAMS.all,
			byOrganization: perOrganization({
				callsPerMinute: env.TAPEDECK_LIMIT_CALLS.byOrganization,
				openStreams: env.TAPEDECK_LIMIT_STREAMS.byOrganization,
			}),
		},
		quotas: {
			queuedJobs: env.TAPEDECK_LIMIT_QUEUED_JOBS.all,
			uploadBytes: env.TAPEDECK_LIMIT_UPLOAD_MB.all * 1e6,
			organizationBytes: Math.round(env.TAPEDECK_LIMIT_ORGANIZATION_GB.all * 1e9),
			byOrganization: perOrganization({
				queuedJobs: env.TAPEDECK_LIMIT_QUEUED_JOBS.byOrganization,
				uploadBytes: times(1e6, env.TAPEDECK_LIMIT_UPLOAD_MB.byOrganization),
				organizationBytes: times(1e9, env.TAPEDECK_LIMIT_ORGANIZATION_GB.byOrganization),
			}),
		},
		defaultRetention: {
			...DEFAULT_RETENTION,
			maxAgeDays: env.TAPEDECK_RETENTION_DAYS || null,
			maxDiskPercent: env.TAPEDECK_RETENTION_DISK_PERCENT || null,
			maxBytes: Math.round(env.TAPEDECK_RETENTION_GB * 1e9) || null,
		},
		runnerOfflineDays: env.TAPEDECK_RUNNER_OFFLINE_DAYS || null,
		allowedOrigins: env.TAPEDECK_ALLOWED_ORIGINS,
		embedOrigins: env.TAPEDECK_EMBED_ORIGINS,
		mail: mailOf(env),
		viewerUrl: env.TAPEDECK_VIEWER_URL ?? null,
		trustedProxies: env.TAPEDECK_TRUSTED_PROXIES,
		webhookAllow: env.TAPEDECK_WEBHOOK_ALLOW,
		singleSignOn,
		bootstrap: bootstrap.data,
	};
}

const mailOf = ({
	TAPEDECK_SMTP_URL: url,
	TAPEDECK_MAIL_FROM: from,
}: z.output<typeof envSchema>): MailSettings | null => (url === undefined || from === undefined ? null : { url, from });

const times = (factor: number, values: ReadonlyMap<number, number>): ReadonlyMap<number, number> =>
	new Map([...values].map(([id, value]) => [id, Math.round(value * factor)]));

/** Regroups limits: from organizations by limit to limits by organization. */
function perOrganization<K extends string>(
	byName: Record<K, ReadonlyMap<number, number>>,
): ReadonlyMap<number, Partial<Record<K, number>>> {
	const entries = Object.entries(byName) as [K, ReadonlyMap<number, number>][];
	const found = new Map<number, Partial<Record<K, number>>>();
	for (const [name, values] of entries) {
		for (const [id, value] of values) found.set(id, { ...found.get(id), [name]: value } as Partial<Record<K, number>>);
	}
	return found;
}
