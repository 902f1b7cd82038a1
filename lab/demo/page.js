/** Runs in each page of the demo before its own scripts. */

/** Nothing changes in a demo: an event stream that is open, and silent. */
window.EventSource = class extends EventTarget {
	readyState = 1;
	constructor() {
		super();
		setTimeout(() => this.onopen?.(new Event("open")));
	}
	close() {
		this.readyState = 2;
	}
};

addEventListener("DOMContentLoaded", () => {
	const note = document.createElement("p");
	note.textContent = "Demo with recorded answers: nothing can be changed";
	// A phone, narrower than 768 px, has its navigation at the bottom: the note is above it.
	note.style.cssText =
		"position:fixed;bottom:clamp(0px,(768px - 100vw)*999,52px);left:50%;white-space:nowrap;translate:-50%;z-index:9;margin:0;padding:2px 10px;border-radius:6px 6px 0 0;font-size:12px;color:#fff;background:#b45309;pointer-events:none";
	// Beside the body, whose contents React compares with its own.
	document.documentElement.append(note);
});
