package dev.agentsessions.console;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.web.ConsoleAccess;

/** Answers for the pages that do not exist. */
@Controller
class UnknownPageController {

	@RequestMapping(ConsoleAccess.PATH + "/**")
	void refuse() {
		throw new ResponseStatusException(HttpStatus.NOT_FOUND, "There is no such page");
	}

}
