/** Events of browsers while a test runs, as lines: messages and errors of pages, and calls that failed or were slow. */
import { SecretMask } from "@tapedeck/client";
import type { Browser, BrowserContext, ConsoleMessage, Request, WebError } from "playwright/test";
import type { BrowserLine } from "./browser-lines.ts";
import { safeName, safeText, safeUrl } from "./browser-text.ts";

/** Maximum lines of one test and track; as many errors again, which a page that logs in a loop must not hide. */
const MAX_LINES = 1_000;
/** A time that a browser reports is not true if it is further from when its report came: its clock is another one. */
const MAX_LATE_MS = 10_000;

const LEVELS: Readonly<Record<string, BrowserLine["level"]>> = {
	error: "error",
	assert: "error",
	warning: "warn",
	debug: "debug",
	trace: "debug",
};
/** Errors with which Chromium, Firefox and WebKit report a call that its page cancelled, such as by navigating away. */
const CANCELLED = /ERR_ABORTED|NS_BINDING_ABORTED|cancelled/i;

/** Tests set clocks: of their own process, too. */
const { now } = Date;

/** A call without an end. */
interface Call {
	/** When its report came. */
	begunAt: number;
	status: number | null;
}

/** In the process of a test. No event throws: a line that cannot be written is a warning, and the last one. */
export class BrowserEvents {
	#writeLine: (line: BrowserLine) => void;
	#mask = new SecretMask(process.env);
	readonly #watched = new WeakSet<Browser | BrowserContext>();
	/** The name of the running test in reports; null between tests. */
	#test: string | null = null;
	#slowMs = Number.POSITIVE_INFINITY;
	/** Lines of the test, by track, errors apart. */
	readonly #counts = new Map<string, number>();
	#hasFailed = false;

	constructor(writeLine: (line: BrowserLine) => void) {
		this.#writeLine = writeLine;
	}

	/**
	 * A test begins in this process; null when it has ended.
	 * @param writeLine takes the lines from now on, if its recording is another one.
	 */
	begin(test: string | null, slowMs: number, writeLine = this.#writeLine): void {
		this.#writeLine = writeLine;
		this.#test = test;
		this.#slowMs = slowMs;
		this.#counts.clear();
		// Files of tests set variables, too.
		this.#mask = new SecretMask(process.env);
	}

	/** Follows the contexts that a browser opens, also those that tests open themselves. */
	watchBrowser(browser: Browser): void {
		if (this.#watched.has(browser)) return;
		this.#watched.add(browser);
		// Earlier versions of Playwright have no such event.
		browser.on("context", (context) => this.watchContext(context));
	}

	watchContext(context: BrowserContext): void {
		if (this.#watched.has(context)) return;
		this.#watched.add(context);
		const calls = new Map<Request, Call>();
		context.on("console", (message) => this.#guard(() => this.#addMessage(message)));
		context.on("weberror", (error) => this.#guard(() => this.#addPageError(error)));
		context.on("request", (request) => calls.set(request, { begunAt: now(), status: null }));
		context.on("response", (response) => {
			const call = calls.get(response.request());
			if (call !== undefined) call.status = response.status();
		});
		const end = (request: Request, error: string | null): void => {
			const call = calls.get(request);
			calls.delete(request);
			if (call !== undefined) this.#guard(() => this.#addCall(request, call, error));
		};
		context.on("requestfinished", (request) => end(request, null));
		context.on("requestfailed", (request) => end(request, request.failure()?.errorText ?? "failed"));
		// A call that the test waited for in vain, or did not wait for any longer.
		context.on("close", () => {
			for (const [request, { status }] of calls) end(request, status === null ? "no answer" : null);
		});
	}

	#addMessage(message: ConsoleMessage): void {
		const { url, lineNumber } = message.location();
		const level = LEVELS[message.type()] ?? "info";
		// Earlier versions of Playwright have no times of messages.
		const at = plausible(message.timestamp?.(), now());
		this.#add("console", at, level, message.text(), this.#place(url, lineNumber + 1));
	}

	#addPageError(error: WebError): void {
		const { message, stack } = error.error();
		const text = stack || message;
		const [, url = "", line = ""] =
			/\b((?:https?|file|blob|data):\S+?):(\d+):\d+\)?$/m.exec(text.slice(0, 10_000)) ?? [];
		this.#add("console", now(), "error", text, this.#place(url, Number(line)));
	}

	/** The place in a file, counted from 1. */
	#place(url: string, line: number): Record<string, unknown> {
		return url === "" ? {} : { source: safeUrl(url, this.#mask), line };
	}

	#addCall(request: Request, { begunAt, status }: Call, error: string | null): void {
		const { startTime, responseEnd } = request.timing();
		const at = plausible(startTime, begunAt);
		const durationMs = Math.round(responseEnd >= 0 ? responseEnd : Math.max(0, now() - at));
		const isSlow = durationMs > this.#slowMs;
		if (error === null && !isSlow && (status ?? 0) < 400) return;
		const isCancelled = error !== null && CANCELLED.test(error);
		// Only slow calls are interesting among those that ended with their page.
		if (error === "no answer" && !isSlow) return;
		const level = levelOf({ status, error, isSlow, isCancelled });
		const url = safeUrl(request.url(), this.#mask);
		const method = request.method();
		const result = error === null ? { status } : { status: status ?? undefined, error };
		const data = { method, ...result, url, durationMs, resourceType: request.resourceType() };
		// The test may have ended once the size is known.
		const [test, writeLine] = [this.#test, this.#writeLine];
		const add = (bytes?: number): void =>
			this.#add("network", at, level, `${method} ${url} ${error ?? status}`, { ...data, bytes }, test, writeLine);
		if (error !== null) add();
		else
			request
				.sizes()
				.then(({ responseBodySize }) => responseBodySize)
				// The page is gone.
				.catch(() => undefined)
				.then((bytes) => this.#guard(() => add(bytes)));
	}

	#add(
		track: BrowserLine["track"],
		at: number,
		level: BrowserLine["level"],
		text: string,
		data: object,
		ofTest = this.#test,
		writeLine = this.#writeLine,
	): void {
		const key = `${track} ${level === "error"}`;
		const count = (this.#counts.get(key) ?? 0) + 1;
		this.#counts.set(key, count);
		const test = ofTest === null ? {} : { test: safeName(ofTest, this.#mask) };
		if (count <= MAX_LINES)
			writeLine({ track, at, text: safeText(text, this.#mask), level, data: { ...data, ...test } });
		if (count === MAX_LINES + 1) {
			const what = level === "error" ? "errors" : "lines";
			const note = `The ${track} of this test has more than ${MAX_LINES.toLocaleString("en-US")} ${what}. Later ones are left out.`;
			writeLine({ track, at, text: note, level: "warn", data: test });
		}
	}

	/** Nothing here fails a test. */
	#guard(add: () => void): void {
		if (this.#hasFailed) return;
		try {
			add();
		} catch (error) {
			this.#hasFailed = true;
			console.warn(
				`tapedeck: The recording lacks what browsers log: ${error instanceof Error ? error.message : error}`,
			);
		}
	}
}

interface Result {
	status: number | null;
	error: string | null;
	isSlow: boolean;
	isCancelled: boolean;
}

function levelOf({ status, error, isSlow, isCancelled }: Result): BrowserLine["level"] {
	if (isCancelled || error === "no answer") return isSlow ? "warn" : "info";
	return error !== null || (status ?? 0) >= 500 ? "error" : "warn";
}

/** @param reported by the browser; undefined or 0 if it does not. */
const plausible = (reported: number | undefined, arrival: number): number =>
	reported !== undefined && Math.abs(reported - arrival) < MAX_LATE_MS ? Math.min(reported, arrival) : arrival;
