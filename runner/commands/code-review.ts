/** Comments on the pull request of GitHub or the merge request of GitLab that CI runs for. */
import { readFile } from "node:fs/promises";
import type { Environment } from "../config/settings.ts";
import { CommandError } from "./command.ts";

const TIMEOUT_MS = 15_000;
const PAGE_SIZE = 100;
/** A request with more comments gets another one of ours. */
const MAX_PAGES = 20;

export interface CodeReview {
	/** Its name, such as `pull request 12`. */
	name: string;
	/** Writes a comment, or replaces our own one whose first line is the marker. @returns its address. */
	comment(marker: string, body: string): Promise<string>;
	/** Uploads a file, if the site takes files of comments. @returns Markdown that shows it to all who see the request. */
	attach?(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string>;
}

/** @returns null if CI runs for no such request. @throws CommandError without a token. */
export async function codeReviewOf(env: Environment): Promise<CodeReview | null> {
	if (env.GITHUB_ACTIONS) return github(env);
	return env.GITLAB_CI ? gitlab(env) : null;
}

async function github(env: Environment): Promise<CodeReview | null> {
	const number = /^refs\/pull\/(\d+)\//.exec(env.GITHUB_REF ?? "")?.[1] ?? (await numberOfEvent(env));
	if (number === null) return null;
	const token = tokenOf(env, "GITHUB_TOKEN", `GITHUB_TOKEN: \${{ github.token }}`);
	const site = siteAt(env.GITHUB_API_URL || "https://api.github.com", {
		authorization: `Bearer ${token}`,
		accept: "application/vnd.github+json",
		"x-github-api-version": "2022-11-28",
		"user-agent": "tapedeck",
	});
	const repository = `/repos/${env.GITHUB_REPOSITORY}`;
	type Comment = { id: number; body?: string; html_url: string; user: { login: string; type: string } | null };
	return {
		name: `pull request ${number}`,
		async comment(marker, body) {
			const comments = await site.list<Comment>(`${repository}/issues/${number}/comments`);
			// The token of a workflow may not ask who it is: it is a bot.
			const me = await site.call<{ login: string }>("GET", "/user").catch(() => null);
			const own = comments.find(
				({ body, user }) => body?.startsWith(marker) && (me === null ? user?.type === "Bot" : user?.login === me.login),
			);
			const written =
				own === undefined
					? await site.call<Comment>("POST", `${repository}/issues/${number}/comments`, { body })
					: await site.call<Comment>("PATCH", `${repository}/issues/comments/${own.id}`, { body });
			return written.html_url;
		},
	};
}

/**
 * The pull request's number in the event. Workflows that run for `pull_request_target` need it, because their ref is the
 * target's.
 */
async function numberOfEvent({ GITHUB_EVENT_PATH: path }: Environment): Promise<string | null> {
	if (!path) return null;
	try {
		const event = JSON.parse(await readFile(path, "utf8")) as { pull_request?: { number?: unknown } };
		const number = event.pull_request?.number;
		return typeof number === "number" ? String(number) : null;
	} catch {
		return null;
	}
}

function gitlab(env: Environment): CodeReview | null {
	const iid = env.CI_MERGE_REQUEST_IID;
	if (!iid) return null;
	const token = tokenOf(env, "GITLAB_TOKEN", "an access token of the project with the scope api, as a masked variable");
	const site = siteAt(env.CI_API_V4_URL || "https://gitlab.com/api/v4", { "private-token": token });
	const project = env.CI_MERGE_REQUEST_PROJECT_ID || env.CI_PROJECT_ID;
	const notes = `/projects/${project}/merge_requests/${iid}/notes`;
	type Note = { id: number; body: string; author: { id: number } };
	return {
		name: `merge request ${iid}`,
		async comment(marker, body) {
			const me = await site.call<{ id: number }>("GET", "/user");
			const own = (await site.list<Note>(notes)).find(
				({ body, author }) => body.startsWith(marker) && author.id === me.id,
			);
			const written =
				own === undefined
					? await site.call<Note>("POST", notes, { body })
					: await site.call<Note>("PUT", `${notes}/${own.id}`, { body });
			return `${env.CI_MERGE_REQUEST_PROJECT_URL ?? env.CI_PROJECT_URL ?? ""}/-/merge_requests/${iid}#note_${written.id}`;
		},
		async attach(name, bytes) {
			const form = new FormData();
			form.append("file", new Blob([bytes]), name);
			return (await site.call<{ markdown: string }>("POST", `/projects/${project}/uploads`, form)).markdown;
		},
	};
}

function tokenOf(env: Environment, name: string, value: string): string {
	const token = env[name]?.trim();
	if (token) return token;
	throw new CommandError("no_token", `Nothing was commented: set ${name} to ${value}.`);
}

/** The API of a site. Its messages go into logs that many can read, so they never have the token. */
function siteAt(base: string, headers: Record<string, string>) {
	async function call<T>(method: string, path: string, body?: object | FormData): Promise<T> {
		const isJson = body !== undefined && !(body instanceof FormData);
		const url = `${base.replace(/\/+$/, "")}${path}`;
		const response = await fetch(url, {
			method,
			redirect: "error",
			signal: AbortSignal.timeout(TIMEOUT_MS),
			headers: { ...headers, ...(isJson ? { "content-type": "application/json" } : {}) },
			...(isJson ? { body: JSON.stringify(body) } : body === undefined ? {} : { body }),
		}).catch((error: Error & { cause?: { code?: string } }) => {
			throw new CommandError("unreachable", `${method} ${url}: ${error.cause?.code ?? error.message}.`);
		});
		const text = await response.text();
		if (!response.ok) {
			const hint = response.status === 403 ? " The token must be allowed to write comments on the request." : "";
			throw new CommandError("refused", `${method} ${url}: it answered ${response.status}.${hint}`);
		}
		return JSON.parse(text) as T;
	}
	return {
		call,
		async list<T>(path: string): Promise<T[]> {
			const all: T[] = [];
			for (let page = 1; page <= MAX_PAGES; page += 1) {
				const some = await call<T[]>("GET", `${path}?per_page=${PAGE_SIZE}&page=${page}`);
				all.push(...some);
				if (some.length < PAGE_SIZE) break;
			}
			return all;
		},
	};
}
