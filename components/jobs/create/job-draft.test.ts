import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EMPTY_JOB_FORM, type JobFormValues } from "../../../lib/client/job-form-values.ts";

const area = () => {
	const kept = new Map<string, string>();
	return {
		kept,
		getItem: (key: string) => kept.get(key) ?? null,
		setItem: (key: string, value: string) => void kept.set(key, value),
		removeItem: (key: string) => void kept.delete(key),
	};
};
let session: ReturnType<typeof area>;
let local: ReturnType<typeof area>;

/** The module as a tab has it after it was loaded (again). */
async function loaded() {
	vi.resetModules();
	return import("../../../lib/client/job-draft.ts");
}

beforeEach(() => {
	session = area();
	local = area();
	vi.stubGlobal("sessionStorage", session);
	vi.stubGlobal("localStorage", local);
});
afterEach(() => vi.unstubAllGlobals());

const typed: JobFormValues = {
	...EMPTY_JOB_FORM,
	name: "Half typed",
	runnerId: "3",
	displayId: ":99",
	stopCondition: "selenium_idle",
	config: {
		...EMPTY_JOB_FORM.config,
		selenium_idle: {
			gridUrl: "http://grid:4444",
			gridUsername: "ada",
			gridPassword: "hunter2",
			firstSessionTimeoutSeconds: "60",
		},
	},
};
const written = () => [...session.kept.values(), ...local.kept.values()].join();

test("a draft lives on over a reload, but its password and the key of its body do not", async () => {
	const first = await loaded();
	const name = first.draftName(1, null);
	first.keepDraft(name, { values: typed, key: "key" });
	first.rememberChoices(1, typed);
	expect(first.draftOf(name)).toEqual({ values: typed, key: "key" });
	expect(written()).not.toContain("hunter2");
	const { draftOf } = await loaded();
	const idle = { ...typed.config.selenium_idle, gridPassword: "" };
	expect(draftOf(name)).toEqual({
		values: { ...typed, config: { ...typed.config, selenium_idle: idle } },
		key: null,
	});
});

test("what was sent without a password is sent under the same key after a reload", async () => {
	const first = await loaded();
	const name = first.draftName(1, null);
	const values = { ...EMPTY_JOB_FORM, name: "Sent once" };
	first.keepDraft(name, { values, key: "key" });
	expect((await loaded()).draftOf(name)).toEqual({ values, key: "key" });
	first.forgetDraft(name);
	expect((await loaded()).draftOf(name)).toBeUndefined();
});

test("drafts and choices are each organization's own, and those of a repeated job its own", async () => {
	const { draftName, draftOf, keepDraft, lastChoices, rememberChoices } = await loaded();
	keepDraft(draftName(1, null), { values: typed, key: null });
	rememberChoices(1, typed);
	expect(draftOf(draftName(2, null))).toBeUndefined();
	expect(draftOf(draftName(1, 7))).toBeUndefined();
	expect(lastChoices(2)).toEqual(EMPTY_JOB_FORM);
	expect(lastChoices(1)).toMatchObject({ name: "", runnerId: "3", stopCondition: "selenium_idle" });
});

test.each([
	"no JSON",
	"null",
	'{"values":7,"key":7}',
	'{"values":{"stopCondition":"never","config":{"duration":{"durationSeconds":5}}}}',
])("what was written by nobody we know is an empty form: %s", async (text) => {
	const { draftName, draftOf, lastChoices } = await loaded();
	session.kept.set(draftName(1, null), text);
	local.kept.set("tapedeck.last-job.1", text);
	expect(draftOf(draftName(1, null))?.values ?? EMPTY_JOB_FORM).toEqual(EMPTY_JOB_FORM);
	expect(lastChoices(1)).toEqual(EMPTY_JOB_FORM);
});

test("a browser that keeps nothing still has the draft of the tab", async () => {
	const refuse = () => {
		throw new DOMException("denied", "SecurityError");
	};
	vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
	const { draftName, draftOf, forgetDraft, keepDraft } = await loaded();
	const name = draftName(1, null);
	keepDraft(name, { values: typed, key: null });
	expect(draftOf(name)?.values).toEqual(typed);
	forgetDraft(name);
	expect(draftOf(name)).toBeUndefined();
});
