/** Small tools of all texts. The dashboard speaks English; another language is another set of these files. */

const cardinal = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en");

/** "1 job", "2 jobs", "1,000 jobs". */
export const counted = (count: number, one: string, many: string): string =>
	`${numbers.format(count)} ${cardinal.select(count) === "one" ? one : many}`;
