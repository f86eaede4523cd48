package dev.agentsessions.console;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.web.ConsoleAccess;

/** Responds 404 to console paths without a page. */
@Controller
class UnknownPageController {

	@RequestMapping(ConsoleAccess.PATH + "/**")
	void refuse() {
		throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such page");
	}

}
