/** The build and the branch of a job, as lists show them. */
import type { Labels } from "#lib/contract/labels.ts";

/** What a row says of the labels: the build and the branch. Empty without them. */
export const buildText = ({ build, branch }: Labels): string =>
	[...(build === undefined ? [] : [`build ${build}`]), ...(branch === undefined ? [] : [branch])].join(" · ");
