/** The names of tests in JUnit reports, whose tools disagree on what a class is. */

export interface WrittenNames {
	className: string;
	name: string;
	/** The name of the suite that the test is in. */
	suite: string;
	/** The name of the whole report. */
	report: string;
	/** Capabilities of the browser, as WebdriverIO writes them: `chrome.131_0_6778_204.linux`; empty for other tools. */
	capabilities: string;
}

export interface TestNames {
	/** Empty if the report names none. */
	suite: string;
	title: string;
	/** Empty for none. */
	project: string;
}

/** @returns the names of a test, so that no test is its own suite. */
export function namesOf({ className, name, suite, report, capabilities }: WrittenNames): TestNames {
	const [outer, title] = [className.trim(), name.trim()];
	if (capabilities !== "" && outer.startsWith(`${capabilities}.`)) {
		const own = outer.slice(capabilities.length + 1);
		return { suite: own === suite.replace(/\s/g, "_") ? suite : own, title, project: browserOf(capabilities) };
	}
	if (outer === title) return { ...withinSuite(title, { className, suite, report }), project: "" };
	// mocha-junit-reporter: one of both is the title, and the other one the titles of the suites before it.
	for (const [whole, last] of [
		[title, outer],
		[outer, title],
	] as const) {
		if (last === "" || !whole.endsWith(` ${last}`)) continue;
		const suites = whole.slice(0, -last.length - 1);
		const isNamed = suite !== "" && (suites === suite || suites.endsWith(` ${suite}`));
		if (isNamed || report === MOCHA) return { suite: suites, title: last, project: "" };
	}
	return { suite: outer, title, project: "" };
}

const MOCHA = "Mocha Tests";
const JEST = "jest tests";
/** Names of suites that are none. */
const NO_SUITES = ["", "Root Suite", "undefined", MOCHA, JEST];

/** jest-junit: the class and the name both are the titles of the suites and of the test, and its suite is the file's first one. */
function withinSuite(
	whole: string,
	{ className, suite, report }: Pick<WrittenNames, "className" | "suite" | "report">,
): Pick<TestNames, "suite" | "title"> {
	const isIn = suite !== "" && whole.startsWith(`${suite} `) && !className.startsWith(" ");
	if (isIn) return { suite, title: whole.slice(suite.length + 1) };
	const isUnknown = NO_SUITES.includes(suite) || suite === whole || report === JEST || report === MOCHA;
	return { suite: isUnknown ? "" : suite, title: whole };
}

/** Without its version: a test stays the same when the browser is updated. */
const browserOf = (capabilities: string): string =>
	capabilities
		.split(".")
		.filter((part) => !/^\d[\d_]*$/.test(part))
		.join(" ");
