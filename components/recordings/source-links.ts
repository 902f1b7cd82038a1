import { repositoryOfCiUrl } from "@tapedeck/contract/ci-url.ts";
import { commitUrlOf } from "@tapedeck/contract/commit-url-template.ts";

/** Addresses of the items that the labels name, outside Tapedeck; without unknown ones. */
export type SourceLinks = Partial<Record<"ci.url" | "commit" | "branch", string>>;

const COMMIT = /^[0-9a-f]{7,64}$/i;

/**
 * The addresses of a build's CI job, its commit and its branch. The repository is the one whose CI has the address
 * `ci.url`. Commits of other hosts are where the organization's template says.
 */
export function sourceLinks(labels: Readonly<Record<string, string>>, commitUrlTemplate: string | null): SourceLinks {
	const links = linksOfKnownHost(labels);
	const commit = links.commit ?? (commitUrlTemplate === null ? null : commitUrlOf(commitUrlTemplate, labels));
	return commit === null ? links : { ...links, commit };
}

function linksOfKnownHost({ "ci.url": ci, commit, branch }: Readonly<Record<string, string>>): SourceLinks {
	if (ci === undefined || !/^https?:\/\//i.test(ci) || !URL.canParse(ci)) return {};
	const links: SourceLinks = { "ci.url": new URL(ci).href };
	const host = repositoryOfCiUrl(ci);
	if (host === null) return links;
	if (commit !== undefined && COMMIT.test(commit)) links.commit = host.url + host.commit + commit;
	// A branch `..` would lead out of the repository.
	if (branch !== undefined && !branch.split("/").some((part) => /^\.*$/.test(part))) {
		links.branch = host.url + host.branch + branch.split("/").map(encodeURIComponent).join("/");
	}
	return links;
}
