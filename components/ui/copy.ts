/** Copies text, also where the page was not served securely and the clipboard's own interface is absent. */
export async function copyText(text: string): Promise<boolean> {
	try {
		if (navigator.clipboard) {
			await navigator.clipboard.writeText(text);
			return true;
		}
	} catch {
		// Not allowed; the old way may be.
	}
	const area = document.createElement("textarea");
	area.value = text;
	area.style.position = "fixed";
	area.style.opacity = "0";
	// Inside an open dialog, whose focus trap would take the focus back otherwise.
	const host = document.activeElement?.closest('[role="dialog"]') ?? document.body;
	const before = document.activeElement;
	host.append(area);
	area.select();
	const copied = document.execCommand("copy");
	area.remove();
	if (before instanceof HTMLElement) before.focus();
	return copied;
}
