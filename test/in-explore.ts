/**
 * Tests that only the explore lane runs, in files of the other lanes: rare variants, and accidents that share their set-up
 * with ordinary cases. The explore lane runs these files again, with `TAPEDECK_TEST_EXPLORE`.
 */
const isExplore = Boolean(process.env.TAPEDECK_TEST_EXPLORE);

/** Declares nothing, whatever is called of it, such as `test.each`. */
const undeclared: unknown = new Proxy(() => {}, { get: () => undeclared, apply: () => undeclared });

/** @param declare `test` or `describe`. @returns the same for the explore lane, which declares nothing in the other lanes. */
export const inExplore = <Declare>(declare: Declare): Declare => (isExplore ? declare : (undeclared as Declare));

/**
 * The variants of a test.
 * @param all each variant.
 * @param landing those whose code paths differ most, which stand for the others at a landing.
 */
export function variants<Variant>(all: readonly Variant[], landing: (variant: Variant) => boolean): Variant[] {
	return isExplore ? [...all] : all.filter(landing);
}
