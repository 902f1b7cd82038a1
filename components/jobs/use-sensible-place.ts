"use client";

import { useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import type { Runner } from "#lib/contract/runner.ts";
import type { JobForm } from "./job-form.ts";
import { lastChoice } from "./last-choice.ts";

type Runners = Pick<Runner, "id" | "state" | "displays">[];

/** Chooses what needs no choice: the runner of last time or the only one, and its display likewise. */
export function useSensiblePlace(form: JobForm, runners: Runners | undefined): void {
	const runnerId = useWatch({ control: form.control, name: "runnerId" });
	const displaysOf = useRef("");
	const { setValue, getValues } = form;
	const typed = form.formState.dirtyFields.displayId === true;

	useEffect(() => {
		if (runners === undefined || getValues("runnerId") !== "") return;
		const last = runners.find((one) => one.id === lastChoice()?.runnerId);
		const online = runners.filter((one) => one.state === "online");
		const only = runners.length === 1 ? runners[0] : online.length === 1 ? online[0] : undefined;
		const chosen = last ?? only;
		if (chosen) setValue("runnerId", String(chosen.id));
	}, [runners, getValues, setValue]);

	useEffect(() => {
		const runner = runners?.find((one) => String(one.id) === runnerId);
		if (runner === undefined || displaysOf.current === runnerId) return;
		displaysOf.current = runnerId;
		if (typed && getValues("displayId") !== "") return;
		const last = lastChoice();
		const wanted = last?.runnerId === runner.id ? last.displayId : undefined;
		const known = runner.displays.find((one) => one.id === wanted) ?? runner.displays[0];
		setValue("displayId", known?.id ?? "", { shouldDirty: false });
	}, [runners, runnerId, typed, getValues, setValue]);
}
