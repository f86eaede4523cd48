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

	const say = (text) => document.getElementById("key-status").textContent = text;

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
		say(event ? "" : "No " + (step > 0 ? "later " : "earlier ") + kind + " on this page.");
		if (event) {
			event.focus({ preventScroll: true });
			event.scrollIntoView({ block: "nearest" });
		}
	}

	function show() {
		const button = help().querySelector("button");
		document.getElementById("help").hidden = false;
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

	// Unfolds calls, answers, thoughts and states. Menus and pictures stay as they are: they would be loaded for all events.
	function unfold(button) {
		const open = button.getAttribute("aria-pressed") !== "true";
		button.setAttribute("aria-pressed", String(open));
		document.querySelectorAll("#turns .event details:not(.menu, .raw, .took)").forEach((fold) => fold.open = open);
	}

	function showUnfold() {
		const button = document.getElementById("unfold");
		if (button) {
			button.hidden = false;
			button.onclick = () => unfold(button);
		}
	}

	// Which tab beside the events is open. On a narrow window, the tabs are at the lower edge, and none is open at first.
	const narrow = window.matchMedia("(max-width: 60rem)");

	const tabs = () => [...document.querySelectorAll(".tabs > details")];

	let chosen = null;

	function setTab() {
		const open = chosen ?? (narrow.matches ? -1 : 0);
		tabs().forEach((tab, index) => tab.open = index === open);
	}

	narrow.addEventListener("change", setTab);
	document.addEventListener("click", (event) => {
		const summary = event.target.closest(".tabs > details > summary");
		if (summary) {
			chosen = summary.parentElement.open ? -1 : tabs().indexOf(summary.parentElement);
		}
	});
	document.addEventListener("htmx:load", (event) => (event.target === document.body || event.target.id === "moment") && setTab());
	document.addEventListener("htmx:load", () => help() && show());
	document.addEventListener("htmx:load", showUnfold);
	document.addEventListener("keydown", (key) => {
		const taken = key.ctrlKey || key.metaKey || key.altKey || key.isComposing || key.target.closest(FIELDS);
		if (help() && !taken && key.key === "?") {
			help().togglePopover();
		}
		else if (help() && !taken && !isOff() && Object.hasOwn(STEPS, key.key)) {
			key.preventDefault();
			go(STEPS[key.key]);
		}
	});
})();
