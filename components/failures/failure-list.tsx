"use client";

import type { FailureGroup, FailureGrouping } from "@tapedeck/contract/test-failure.ts";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useShortcuts } from "#components/navigation/use-shortcuts.ts";
import { FailureGroupRow } from "./failure-group-row.tsx";
import { hasVideos, useMarkGroupSeen } from "./failures.ts";

interface Props {
	by: FailureGrouping;
	groups: readonly FailureGroup[];
	/** Identifies the list: the keyboard focus and the open groups are restored for the same list. */
	list: string;
}

/** The focus and the open groups when the user left the page. */
let left: { list: string; focused: string | null; open: ReadonlySet<string> } | null = null;

/**
 * Failures in groups. J, K and the arrows move from one to the next; right and left open and close a group. Opening one, or
 * playing a failure of it, marks it as seen, and so does S.
 */
export function FailureList({ by, groups, list }: Props) {
	const box = useRef<HTMLUListElement>(null);
	const [open, setOpen] = useState<ReadonlySet<string>>(() => (left?.list === list ? left.open : new Set()));
	const markSeen = useMarkGroupSeen(by);
	const markKey = (key: string) => {
		for (const group of groups) if (group.key === key) markSeen(group);
	};
	const toggle = (key: string, wanted: boolean) => {
		if (wanted) markKey(key);
		setOpen((now) => {
			const next = new Set(now);
			if (wanted) next.add(key);
			else next.delete(key);
			return next;
		});
	};
	const hasFrames = hasVideos(groups);
	useRowKeys(box, toggle, markKey);
	usePlaceOfKeyboard(box, list, open);
	return (
		<ul ref={box} aria-label={`Failures by ${by}`} className="overflow-hidden rounded-lg border border-line bg-surface">
			{groups.map((group) => {
				const key = group.key ?? "";
				return (
					<FailureGroupRow
						key={key}
						by={by}
						group={group}
						isOpen={open.has(key)}
						hasFrames={hasFrames}
						onToggle={(wanted) => toggle(key, wanted)}
						onSeen={() => markSeen(group)}
					/>
				);
			})}
		</ul>
	);
}

/** The keyboard stays where it was, also after the page was left for a video and Back. */
function usePlaceOfKeyboard(box: RefObject<HTMLElement | null>, list: string, open: ReadonlySet<string>): void {
	useEffect(() => {
		const before = left;
		left = { list, focused: before?.list === list ? before.focused : null, open };
	}, [list, open]);
	useEffect(() => {
		const element = box.current;
		const note = ({ target }: FocusEvent) => {
			const link = target instanceof Element ? target.closest("li")?.querySelector("a[data-failure]") : null;
			if (left !== null) left.focused = link?.getAttribute("data-failure") ?? null;
		};
		element?.addEventListener("focusin", note);
		const active = document.activeElement;
		// After following a sidebar link, the focus stays on that link.
		const isFree = active === null || active === document.body || active.closest("main") !== null;
		if (left?.focused != null && isFree) {
			element?.querySelector<HTMLElement>(`a[data-failure="${left.focused}"]`)?.focus({ preventScroll: true });
		}
		return () => element?.removeEventListener("focusin", note);
	}, [box]);
}

/** Moves the focus among the links of the rows. Enter follows them, as everywhere. */
function useRowKeys(
	box: RefObject<HTMLElement | null>,
	toggle: (key: string, open: boolean) => void,
	markSeen: (key: string) => void,
): void {
	const move = (step: 1 | -1) => {
		const rows = [...(box.current?.querySelectorAll<HTMLElement>("a[data-failure]") ?? [])];
		// The row of a group also contains the rows of its failures.
		const at = rows.findLastIndex((row) => row.closest("li")?.contains(document.activeElement));
		const next = rows[at === -1 ? 0 : Math.min(Math.max(0, at + step), rows.length - 1)];
		next?.focus({ preventScroll: true });
		next?.closest("li")?.scrollIntoView({ block: "nearest" });
	};
	const atGroup = (act: (key: string) => void) => {
		const key = document.activeElement?.closest<HTMLElement>("li[data-group]")?.dataset.group;
		if (key !== undefined && key !== "") act(key);
	};
	useShortcuts({
		nextRecording: () => move(1),
		cardDown: () => move(1),
		previousRecording: () => move(-1),
		cardUp: () => move(-1),
		cardRight: () => atGroup((key) => toggle(key, true)),
		cardLeft: () => atGroup((key) => toggle(key, false)),
		markSeen: () => atGroup(markSeen),
	});
}
