/**
 * Addresses of commits by a template of the organization, such as `https://git.example.com/{repository}/commit/{commit}`: each
 * placeholder is replaced by the label of that name. Without zod, because pages need it in their first load.
 */

const PLACEHOLDERS = ["commit", "branch", "repository"] as const;
export const MAX_COMMIT_URL_TEMPLATE = 500;
const COMMIT = /^[0-9a-f]{7,64}$/i;

/** Returns the fault of a template, as a sentence with the remedy; null for one that makes addresses. */
export function commitUrlFault(template: string): string | null {
	const unknown = [...template.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name).find((name) => !isPlaceholder(name));
	if (unknown !== undefined) return `Replace {${unknown}} by {commit}, {branch} or {repository}: others are unknown.`;
	if (!template.includes("{commit}")) return "Use the placeholder {commit} in the address.";
	// Labels must not choose the host.
	if (!/^https?:\/\/[^/?#{}@\s]+\/\S*$/i.test(template) || !URL.canParse(template.replaceAll(/[{}]/g, "")))
		return "Use an address that begins with https:// or http:// and a host, such as https://git.example.com/{repository}/commit/{commit}.";
	return /[{}]/.test(template.replaceAll(/\{\w+\}/g, "")) ? "Use { and } only around placeholders." : null;
}

const isPlaceholder = (name: string | undefined): name is (typeof PLACEHOLDERS)[number] =>
	PLACEHOLDERS.some((each) => each === name);

/** The address of a commit; null if a label is missing, or would lead elsewhere. */
export function commitUrlOf(template: string, labels: Readonly<Record<string, string>>): string | null {
	if (commitUrlFault(template) !== null || !COMMIT.test(labels.commit ?? "")) return null;
	const names = PLACEHOLDERS.filter((name) => template.includes(`{${name}}`));
	const isUsable = (value: string | undefined) =>
		value !== undefined && !value.split("/").some((part) => /^\.*$/.test(part));
	if (!names.every((name) => isUsable(labels[name]))) return null;
	const url = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
		(labels[name] ?? "").split("/").map(encodeURIComponent).join("/"),
	);
	return URL.canParse(url) ? new URL(url).href : null;
}
