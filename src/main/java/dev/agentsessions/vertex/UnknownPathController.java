package dev.agentsessions.vertex;

import io.swagger.v3.oas.annotations.Hidden;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import dev.agentsessions.vertex.event.ApiVersion;
import dev.agentsessions.web.ErrorResponder;

/** Answers for the paths of this dialect that do not exist. */
@Hidden
@RestController
class UnknownPathController {

	@RequestMapping({ ApiVersion.PATTERN + "/projects/**", ApiVersion.PATTERN + "/reasoningEngines/**" })
	void refuse() {
		throw new ResponseStatusException(HttpStatus.NOT_FOUND, ErrorResponder.UNKNOWN_PATH);
	}

}
