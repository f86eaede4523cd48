package dev.agentsessions.vertex;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.vertex.event.ApiVersion;
import dev.agentsessions.web.ErrorResponder;

/** Responds with 404 to the paths of this dialect without a route. */
@Hidden
@RestController
class UnknownPathController {

	@RequestMapping({ ApiVersion.PATTERN + "/projects/**", ApiVersion.PATTERN + "/reasoningEngines/**" })
	void refuse() {
		throw new ResponseStatusException(HttpStatus.NOT_FOUND, ErrorResponder.UNKNOWN_PATH);
	}

}
