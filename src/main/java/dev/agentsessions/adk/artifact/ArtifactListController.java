package dev.agentsessions.adk.artifact;

import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import dev.agentsessions.adk.QueryParameters;
import dev.agentsessions.session.artifact.ArtifactService;
import dev.agentsessions.web.PageTokens;

/**
 * Lists artifacts page by page. A controller of its own, because a path that ends with a
 * verb is none below that of the artifacts.
 */
@RestController
class ArtifactListController {

	private final ArtifactService artifacts;

	private final PageTokens tokens;

	ArtifactListController(ArtifactService artifacts, PageTokens tokens) {
		this.artifacts = artifacts;
		this.tokens = tokens;
	}

	@GetMapping({ "/apps/{appName}/users/{userId}/sessions/{sessionId}/artifacts:list",
			"/apps/{appName}/users/{userId}/artifacts:list" })
	ArtifactList listArtifacts(ArtifactOwner owner, @RequestParam @Nullable Integer limit,
			@RequestParam @Nullable String pageToken) {
		String after = ArtifactList.after(pageToken, owner, this.tokens);
		return ArtifactList.from(
				this.artifacts.list(owner.user(), owner.session(), after, QueryParameters.pageSize(limit)), owner,
				this.tokens);
	}

}
