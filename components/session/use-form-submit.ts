import { type FormEvent, useEffect, useRef, useState } from "react";
import { ApiError, wordsOf } from "#lib/client/api.ts";

/** What was refused, by field; what belongs to none under `form`. */
export type Faults<F extends string> = Partial<Record<F | "form", string>>;

function faultsOf<F extends string>(error: unknown, fields: readonly F[]): Faults<F> {
	if (!(error instanceof ApiError)) return { form: wordsOf(error) } as Faults<F>;
	const faults: Faults<F> = {};
	for (const fault of error.faults) {
		const field: F | "form" = fields.find((one) => one === fault.path) ?? "form";
		faults[field] ??= fault.message;
	}
	return Object.keys(faults).length > 0 ? faults : ({ form: error.message } as Faults<F>);
}

/**
 * A form of plain inputs that the server judges: one call at a time, its faults beside their fields, the first
 * of them focused. It stays busy after a success, because a page is left or the form reset then; `again` ends that.
 */
export function useFormSubmit<F extends string>(
	fields: readonly F[],
	act: (text: (name: F) => string, form: HTMLFormElement) => Promise<void>,
) {
	const [faults, setFaults] = useState<Faults<F>>({});
	const [busy, setBusy] = useState(false);
	const form = useRef<HTMLFormElement>(null);
	useEffect(() => {
		if (Object.keys(faults).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
	}, [faults]);
	const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		if (busy) return;
		const data = new FormData(event.currentTarget);
		const text = (name: F) => {
			const value = String(data.get(name) ?? "");
			return /password/i.test(name) ? value : value.trim();
		};
		setBusy(true);
		setFaults({});
		try {
			await act(text, event.currentTarget);
		} catch (error) {
			setFaults(faultsOf(error, fields));
			setBusy(false);
		}
	};
	return { faults, busy, again: () => setBusy(false), props: { ref: form, onSubmit, noValidate: true } };
}
