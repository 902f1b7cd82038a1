/** The properties that Next gives to a page. */
export interface PageProps<Params = object> {
	/** The parts of the path in brackets. */
	params: Promise<Params>;
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}
