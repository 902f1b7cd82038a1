/** The address of a build's page. Browsers take `.` and `..` for folders, however encoded: those are only searched. */
export const buildPath = (build: string): string =>
	/^\.\.?$/.test(build)
		? `/recordings?q=${encodeURIComponent(`build:${build}`)}`
		: `/builds/${encodeURIComponent(build)}`;
