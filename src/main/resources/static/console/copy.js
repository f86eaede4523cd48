// Copy buttons beside everything that has a name or a command. Without JavaScript there are none.
(() => {
	"use strict";

	const SHOWN_FOR_MS = 2000;

	// The value beside the button: named, at another address, or what the element shows.
	async function valueOf(element) {
		if (element.dataset.copyFrom) {
			const response = await fetch(element.dataset.copyFrom);
			if (!response.ok) {
				throw new Error("The response has status " + response.status);
			}
			return response.text();
		}
		return element.dataset.copyValue ?? element.value ?? element.textContent;
	}

	// Browsers offer the clipboard only over TLS and on this machine.
	async function write(text) {
		if (navigator.clipboard) {
			return navigator.clipboard.writeText(text);
		}
		const area = document.createElement("textarea");
		area.value = text;
		area.className = "unseen";
		document.body.append(area);
		area.select();
		const copied = document.execCommand("copy");
		area.remove();
		if (!copied) {
			throw new Error("The browser does not copy");
		}
	}

	function label(element) {
		return "Copy " + element.dataset.copy;
	}

	async function copy(element, button) {
		try {
			await write(await valueOf(element));
			button.textContent = "Copied";
		}
		catch {
			button.textContent = "Not copied";
		}
		button.focus();
		setTimeout(() => button.textContent = label(element), SHOWN_FOR_MS);
	}

	function addButton(element) {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "copy";
		button.textContent = label(element);
		button.setAttribute("aria-live", "polite");
		button.addEventListener("click", () => copy(element, button));
		element.dataset.copyReady = "true";
		(element.closest("label") ?? element).after(button);
	}

	document.addEventListener("htmx:load", () =>
		document.querySelectorAll("[data-copy]:not([data-copy-ready])").forEach(addButton));
})();
