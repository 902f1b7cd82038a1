import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { EMPTY_JOB_FORM, type JobFormValues } from "./job-form.ts";

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

/** The module as it is after a tab was loaded or reloaded. */
async function loaded() {
	vi.resetModules();
	return import("./job-draft.ts");
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
			gridNode: "",
			firstSessionTimeoutSeconds: "60",
		},
		selenium_session: EMPTY_JOB_FORM.config.selenium_session,
	},
};
const written = () => [...session.kept.values(), ...local.kept.values()].join();

test("a draft survives a reload; its password and the key of its body do not", async () => {
	const first = await loaded();
	const name = first.draftName(1, null);
	first.saveDraft(name, { values: typed, key: "key" });
	first.saveChoices(1, typed);
	expect(first.readDraft(name)).toEqual({ values: typed, key: "key" });
	expect(written()).not.toContain("hunter2");
	const { readDraft } = await loaded();
	const idle = { ...typed.config.selenium_idle, gridPassword: "" };
	expect(readDraft(name)).toEqual({
		values: { ...typed, config: { ...typed.config, selenium_idle: idle } },
		key: null,
	});
});

test("a body without a password keeps its idempotency key across a reload", async () => {
	const first = await loaded();
	const name = first.draftName(1, null);
	const values = { ...EMPTY_JOB_FORM, name: "Sent once" };
	first.saveDraft(name, { values, key: "key" });
	expect((await loaded()).readDraft(name)).toEqual({ values, key: "key" });
	first.deleteDraft(name);
	expect((await loaded()).readDraft(name)).toBeUndefined();
});

test("each organization, and each repeated job, has its own draft and choices", async () => {
	const { draftName, readDraft, saveDraft, lastChoices, saveChoices } = await loaded();
	saveDraft(draftName(1, null), { values: typed, key: null });
	saveChoices(1, typed);
	expect(readDraft(draftName(2, null))).toBeUndefined();
	expect(readDraft(draftName(1, 7))).toBeUndefined();
	expect(lastChoices(2)).toEqual(EMPTY_JOB_FORM);
	expect(lastChoices(1)).toMatchObject({ name: "", runnerId: "3", stopCondition: "selenium_idle" });
});

test.each([
	"no JSON",
	"null",
	'{"values":7,"key":7}',
	'{"values":{"stopCondition":"never","config":{"duration":{"durationSeconds":5}}}}',
])("stored values that make no sense give an empty form: %s", async (text) => {
	const { draftName, readDraft, lastChoices } = await loaded();
	session.kept.set(draftName(1, null), text);
	local.kept.set("tapedeck.last-job.1", text);
	expect(readDraft(draftName(1, null))?.values ?? EMPTY_JOB_FORM).toEqual(EMPTY_JOB_FORM);
	expect(lastChoices(1)).toEqual(EMPTY_JOB_FORM);
});

test("without storage, the draft lives in the memory of the tab", async () => {
	const refuse = () => {
		throw new DOMException("denied", "SecurityError");
	};
	vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse, removeItem: refuse });
	const { draftName, readDraft, deleteDraft, saveDraft } = await loaded();
	const name = draftName(1, null);
	saveDraft(name, { values: typed, key: null });
	expect(readDraft(name)?.values).toEqual(typed);
	deleteDraft(name);
	expect(readDraft(name)).toBeUndefined();
});
