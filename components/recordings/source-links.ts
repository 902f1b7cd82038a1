import { commitUrlOf } from "@tapedeck/contract/commit-url-template.ts";

/** Addresses of the items that the labels name, outside Tapedeck; without unknown ones. */
export type SourceLinks = Partial<Record<"ci.url" | "commit" | "branch", string>>;

/** The URL paths of commits and branches on repository hosts, and the paths of CI pages below a repository. */
const HOSTS = [
	{ ci: /^(\/[^/]+\/[^/]+)\/actions\/runs\//, commit: "/commit/", branch: "/tree/" },
	{ ci: /^(\/.+?)\/-\/(?:jobs|pipelines)\//, commit: "/-/commit/", branch: "/-/tree/" },
	{ ci: /^(\/[^/]+\/[^/]+)\/(?:addon\/)?pipelines\//, commit: "/commits/", branch: "/branch/" },
];
const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * The addresses of a build's CI job, its commit and its branch. The repository is the one whose CI has the address
 * `ci.url`: GitHub (also Gitea and Forgejo, which address alike), GitLab and Bitbucket, wherever they are hosted. Commits of
 * other hosts are where the organization's template says.
 */
export function sourceLinks(labels: Readonly<Record<string, string>>, commitUrlTemplate: string | null): SourceLinks {
	const links = linksOfKnownHost(labels);
	const commit = links.commit ?? (commitUrlTemplate === null ? null : commitUrlOf(commitUrlTemplate, labels));
	return commit === null ? links : { ...links, commit };
}

function linksOfKnownHost({ "ci.url": ci, commit, branch }: Readonly<Record<string, string>>): SourceLinks {
	if (ci === undefined || !/^https?:\/\//i.test(ci) || !URL.canParse(ci)) return {};
	const url = new URL(ci);
	const links: SourceLinks = { "ci.url": url.href };
	for (const host of HOSTS) {
		const repository = host.ci.exec(url.pathname)?.[1];
		if (repository === undefined) continue;
		const base = url.origin + repository;
		if (commit !== undefined && COMMIT.test(commit)) links.commit = base + host.commit + commit;
		// A branch `..` would lead out of the repository.
		if (branch !== undefined && !branch.split("/").some((part) => /^\.*$/.test(part))) {
			links.branch = base + host.branch + branch.split("/").map(encodeURIComponent).join("/");
		}
		break;
	}
	return links;
}
