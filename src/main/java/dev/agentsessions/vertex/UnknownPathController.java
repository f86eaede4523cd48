package dev.agentsessions.vertex;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import io.swagger.v3.oas.annotations.Hidden;

import dev.agentsessions.http.ErrorResponder;
import dev.agentsessions.vertex.event.ApiVersion;

/** Answers for the paths of this dialect that do not exist. */
@Hidden
@RestController
class UnknownPathController {

	@RequestMapping({ ApiVersion.PATTERN + "/projects/**", ApiVersion.PATTERN + "/reasoningEngines/**" })
	void refuse() {
		throw new ResponseStatusException(HttpStatus.NOT_FOUND, ErrorResponder.UNKNOWN_PATH);
	}

}
