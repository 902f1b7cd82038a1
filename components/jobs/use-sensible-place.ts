"use client";

import { useEffect, useRef } from "react";
import { useWatch } from "react-hook-form";
import type { JobFormValues } from "#lib/client/job-form-values.ts";
import type { Runner } from "#lib/contract/runner.ts";
import type { JobForm } from "./job-form.ts";

type Runners = Pick<Runner, "id" | "state" | "displays">[];

/** The runner of last time or the only one, as long as there is one that can begin at once. */
function sensibleRunner(runners: Runners, last: JobFormValues): Runners[number] | undefined {
	const ofLastTime = runners.find((one) => String(one.id) === last.runnerId);
	const online = runners.filter((one) => one.state === "online");
	if (ofLastTime?.state === "online") return ofLastTime;
	if (online.length === 1) return online[0];
	return ofLastTime ?? (runners.length === 1 ? runners[0] : undefined);
}

/** Chooses what needs no choice: a runner while none is chosen, and with another runner a display of its own. */
export function useSensiblePlace(form: JobForm, runners: Runners | undefined, last: JobFormValues): void {
	const runnerId = useWatch({ control: form.control, name: "runnerId" });
	const { setValue, getValues } = form;
	/** The runner that the display was chosen for; one that came with its display needs no other. */
	const displaysOf = useRef(getValues("displayId") === "" ? "" : runnerId);
	const typed = form.formState.dirtyFields.displayId === true;

	useEffect(() => {
		if (runners === undefined || runnerId !== "") return;
		const chosen = sensibleRunner(runners, last);
		if (chosen) setValue("runnerId", String(chosen.id));
	}, [runners, runnerId, last, setValue]);

	useEffect(() => {
		if (runnerId === "") displaysOf.current = "";
		const runner = runners?.find((one) => String(one.id) === runnerId);
		if (runner === undefined || displaysOf.current === runnerId) return;
		displaysOf.current = runnerId;
		if (typed && getValues("displayId") !== "") return;
		const wanted = last.runnerId === runnerId ? last.displayId : undefined;
		const known = runner.displays.find((one) => one.id === wanted) ?? runner.displays[0];
		setValue("displayId", known?.id ?? "");
	}, [runners, runnerId, last, typed, getValues, setValue]);
}
