// Live updates of a session page: loads new events as they are appended.
(() => {
	"use strict";

	// Maximum number of events on a page; beyond it, the oldest are removed.
	const MAX_EVENTS = 200;

	let live = null;

	class Live {

		constructor(panel) {
			this.panel = panel;
			this.button = panel.querySelector("button");
			this.status = panel.querySelector("[role=status]");
			this.seq = Number(panel.dataset.seq);
			this.newest = this.seq;
			this.busy = false;
			this.button.hidden = false;
			this.button.addEventListener("click", () => this.isOn() ? this.stop("Stopped.") : this.start());
			this.start();
		}

		isOn() {
			return this.source !== null && this.source !== undefined;
		}

		start() {
			this.source = new EventSource(this.panel.dataset.watch + "&after=" + this.seq);
			this.button.setAttribute("aria-pressed", "true");
			this.status.textContent = "New events show here as they come.";
			this.source.onmessage = (message) => {
				this.newest = Math.max(this.newest, Number(message.data));
				this.show();
			};
			this.source.addEventListener("end", (message) => this.stop({
				CREDENTIALS_EXPIRED: "Sign in again to see more.",
				HISTORY_CHANGED: "The database has lost the newest events. Load the page again."
			}[JSON.parse(message.data).reason] || "The session is gone."));
			this.source.onerror = () => {
				if (this.source && this.source.readyState === EventSource.CLOSED) {
					this.stop("The connection was refused. Load the page again.");
				}
			};
		}

		stop(why) {
			if (this.source) {
				this.source.close();
			}
			this.source = null;
			this.button.setAttribute("aria-pressed", "false");
			this.status.textContent = why;
		}

		tail() {
			const address = this.panel.dataset.tail;
			return address + (address.includes("?") ? "&" : "?") + "after=";
		}

		async show() {
			if (this.busy) {
				return;
			}
			this.busy = true;
			while (this.isOn() && this.seq < this.newest) {
				const before = this.seq;
				await htmx.ajax("GET", this.tail() + this.seq, { target: "#turns", swap: "beforeend" });
				this.joinTurns();
				const events = document.querySelectorAll("#turns .event");
				this.seq = events.length ? Number(events[events.length - 1].dataset.seq) : before;
				if (this.seq === before) {
					break;
				}
				this.status.textContent = "Event " + this.seq + " has come.";
				this.forget(events);
			}
			this.busy = false;
			document.querySelectorAll(".none").forEach((none) => none.remove());
			this.moveSlider();
			document.querySelectorAll(".newest").forEach((link) => link.hash = "#event-" + this.seq);
			htmx.trigger("#keys", "renew");
			htmx.trigger("#pending", "renew");
			htmx.trigger("#usage", "renew");
		}

		// Consecutive events of one invocation are one turn, also if they arrive one by one.
		joinTurns() {
			document.querySelectorAll("#turns .turn").forEach((turn) => {
				const before = turn.previousElementSibling;
				if (before && before.dataset.invocation === turn.dataset.invocation) {
					before.append(...turn.querySelectorAll(".event"));
					before.querySelectorAll(".bars, .duration").forEach((old) => old.remove());
					const sum = before.querySelector(".tokens");
					sum.dataset.tokens = Number(sum.dataset.tokens) + Number(turn.querySelector(".tokens").dataset.tokens);
					sum.textContent = sum.dataset.tokens > 0 ? sum.dataset.tokens + sum.dataset.unit : "";
					turn.remove();
				}
			});
		}

		// The server draws the same marks for the events that it sends.
		drawMarks() {
			const draw = (kind, selector) => document.querySelector(".marks ." + kind).setAttribute("d",
				[...document.querySelectorAll("#turns " + selector)].map((event) => "M" + event.dataset.seq + " 0V1").join(""));
			document.querySelector(".marks").setAttribute("viewBox", "0 0 " + this.seq + " 1");
			draw("quiet", ".event:first-of-type");
			draw("waits", ".asks");
			draw("error", ".failed:is(.event)");
		}

		// A slider at its end stays there. One that the user has moved keeps its value.
		moveSlider() {
			const slider = document.getElementById("at");
			if (slider) {
				const follows = slider.value === slider.max;
				slider.max = this.seq;
				document.querySelector(".slider .revision").textContent = this.seq;
				this.drawMarks();
				if (follows) {
					slider.value = this.seq;
					document.querySelector(".slider .at").textContent = this.seq;
				}
			}
		}

		forget(events) {
			for (let i = 0; i < events.length - MAX_EVENTS; i++) {
				const turn = events[i].closest(".turn");
				events[i].remove();
				if (!turn.querySelector(".event")) {
					turn.remove();
				}
			}
		}
	}

	function begin() {
		const panel = document.querySelector(".live[data-watch]");
		if (live && live.panel !== panel) {
			live.stop("");
			live = null;
		}
		if (panel && !live) {
			live = new Live(panel);
			showNewest();
		}
	}

	// Without a fragment in the address, a session opens at its newest event.
	function showNewest() {
		const events = document.querySelectorAll("#turns .event");
		if (!window.location.hash && events.length > 0) {
			events[events.length - 1].scrollIntoView({ block: "nearest" });
		}
	}

	document.addEventListener("htmx:load", begin);
	document.addEventListener("input", (event) => {
		if (event.target.id === "at") {
			document.querySelector(".slider .at").textContent = event.target.value;
		}
	});
	// The slider may change again before the response to its last request. Then the next request is due, and this
	// response must not replace the slider.
	let chosen = null;
	document.addEventListener("change", (event) => {
		if (event.target.id === "at") {
			chosen = event.target.value;
		}
	});
	document.addEventListener("htmx:beforeSwap", (event) => {
		const request = event.detail.requestConfig;
		if (request.elt.id === "at" && String(request.parameters.at) !== chosen) {
			event.detail.shouldSwap = false;
		}
	});
	// If a background request gets a 401, reloads the page, which then shows the sign-in form.
	document.addEventListener("htmx:responseError", (event) => {
		if (event.detail.xhr.status === 401) {
			window.location.reload();
		}
	});
})();
