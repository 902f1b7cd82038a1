/** Reads the repository from the address of a CI job. */

/** The URL paths of CI pages below a repository, and of its commits and branches. */
const HOSTS = [
	{ ci: /^\/([^/]+\/[^/]+)\/actions\/runs\//, commit: "/commit/", branch: "/tree/" },
	{ ci: /^\/(.+?)\/-\/(?:jobs|pipelines)\//, commit: "/-/commit/", branch: "/-/tree/" },
	{ ci: /^\/([^/]+\/[^/]+)\/(?:addon\/)?pipelines\//, commit: "/commits/", branch: "/branch/" },
] as const;

export interface CiRepository {
	/** `acme/shop`, as CI systems name it. */
	repository: string;
	/** Its address, to which the path of commits or of branches is added. */
	url: string;
	commit: string;
	branch: string;
}

/**
 * The repository of a job on GitHub (also Gitea and Forgejo, which address alike), GitLab or Bitbucket, wherever they are hosted.
 * @param url the label `ci.url`.
 * @returns null for other addresses.
 */
export function repositoryOfCiUrl(url: string): CiRepository | null {
	if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return null;
	const { origin, pathname } = new URL(url);
	for (const { ci, commit, branch } of HOSTS) {
		const repository = ci.exec(pathname)?.[1];
		if (repository !== undefined) return { repository, url: `${origin}/${repository}`, commit, branch };
	}
	return null;
}
