// Keys that lead to the next and the previous event, turn and failure of a session page.
(() => {
	"use strict";

	const OFF = "agent-sessions-keys-off";

	const STEPS = {
		j: ["event", 1], k: ["event", -1],
		J: ["turn", 1], K: ["turn", -1],
		e: ["error", 1], E: ["error", -1]
	};

	const FIELDS = "input, textarea, select, audio, video, [contenteditable]";

	const help = () => document.getElementById("shortcuts");

	const isOff = () => localStorage.getItem(OFF) !== null;

	function events(kind) {
		if (kind === "turn") {
			return [...document.querySelectorAll("#turns .turn")].map((turn) => turn.querySelector(".event"));
		}
		return [...document.querySelectorAll(kind === "error" ? "#turns .event.failed" : "#turns .event")];
	}

	// Without a current event, the steps begin at the events on the screen.
	function next(all, step) {
		const current = document.activeElement.closest(".event");
		const isAfter = (event) => current
			? (current.compareDocumentPosition(event) & Node.DOCUMENT_POSITION_FOLLOWING) > 0
			: event.getBoundingClientRect().top >= 0;
		return step > 0 ? all.find(isAfter) : all.filter((event) => event !== current && !isAfter(event)).pop();
	}

	function go([kind, step]) {
		const event = next(events(kind), step);
		const status = help().querySelector("[role=status]");
		status.textContent = event ? "" : "No " + (step > 0 ? "later " : "earlier ") + kind + " on this page.";
		if (event) {
			event.focus({ preventScroll: true });
			event.scrollIntoView({ block: "nearest" });
		}
	}

	function show() {
		const button = help().querySelector("button");
		help().hidden = false;
		button.textContent = isOff() ? "Turn keys on" : "Turn keys off";
		button.onclick = () => {
			if (isOff()) {
				localStorage.removeItem(OFF);
			}
			else {
				localStorage.setItem(OFF, "true");
			}
			show();
		};
	}

	// Unfolds calls, answers, thoughts and states. Menus stay as they are: raw JSON would be loaded for all events.
	function unfold(button) {
		const open = button.getAttribute("aria-pressed") !== "true";
		button.setAttribute("aria-pressed", String(open));
		document.querySelectorAll("#turns .event details:not(.menu, .raw)").forEach((fold) => fold.open = open);
	}

	function showUnfold() {
		const button = document.getElementById("unfold");
		if (button) {
			button.hidden = false;
			button.onclick = () => unfold(button);
		}
	}

	// On a narrow window, the state is a drawer that is closed until somebody opens it.
	const narrow = window.matchMedia("(max-width: 60rem)");

	let drawerOpen = false;

	function setDrawer() {
		const drawer = document.querySelector(".drawer");
		if (drawer) {
			drawer.open = !narrow.matches || drawerOpen;
		}
	}

	narrow.addEventListener("change", setDrawer);
	document.addEventListener("click", (event) => {
		const summary = event.target.closest(".drawer > summary");
		if (summary) {
			drawerOpen = !summary.parentElement.open;
		}
	});
	document.addEventListener("htmx:load", (event) => (event.target === document.body || event.target.id === "moment") && setDrawer());
	document.addEventListener("htmx:load", () => help() && show());
	document.addEventListener("htmx:load", showUnfold);
	document.addEventListener("keydown", (key) => {
		const taken = key.ctrlKey || key.metaKey || key.altKey || key.isComposing || key.target.closest(FIELDS);
		if (help() && !taken && !isOff() && Object.hasOwn(STEPS, key.key)) {
			key.preventDefault();
			go(STEPS[key.key]);
		}
	});
})();
