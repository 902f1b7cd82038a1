/** A size in words of the API: rounded up, as a file that does not fit is told. */
export const shownBytes = (bytes: number): string =>
	bytes < 10e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.ceil(bytes / 1e8) / 10} GB`;
