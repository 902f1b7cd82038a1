/** The entries of CHANGELOG.md. */

/**
 * @param changelog in the form of Keep a Changelog.
 * @returns the text under the heading of a version; null if there is no such heading, or nothing under it.
 */
export function changelogEntry(changelog: string, version: string): string | null {
	const [, ...sections] = changelog.split(/^## /m);
	const section = sections.find((text) => text.startsWith(`[${version}] - `));
	return section?.replace(/^.*\n/, "").trim() || null;
}
