package dev.agentsessions.adk;

import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.session.Erasure;
import dev.agentsessions.session.SessionService;

/** Erases users. */
@RestController
class UserController {

	private final SessionService sessions;

	UserController(SessionService sessions) {
		this.sessions = sessions;
	}

	/** Answers how much there was. */
	@DeleteMapping("/apps/{appName}/users/{userId}")
	Erasure eraseUser(@PathVariable String appName, @PathVariable String userId) {
		return this.sessions.eraseUser(appName, userId);
	}

}
