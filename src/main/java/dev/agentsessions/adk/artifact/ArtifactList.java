package dev.agentsessions.adk.artifact;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import dev.agentsessions.session.Page;
import dev.agentsessions.session.artifact.ArtifactVersion;
import dev.agentsessions.web.PageTokens;

/**
 * A page of artifacts.
 *
 * @param artifacts the newest version of each, sorted by name
 * @param nextPageToken the token of the next page; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ArtifactList(List<ArtifactMetadata> artifacts, @Nullable String nextPageToken) {

	static ArtifactList from(Page<ArtifactVersion> page, ArtifactOwner owner, PageTokens tokens) {
		return new ArtifactList(page.items().stream().map(ArtifactMetadata::from).toList(),
				page.more() ? tokens.issue(query(owner), page.last().name().name()) : null);
	}

	/** Returns the name after which a page begins. */
	static String after(@Nullable String token, ArtifactOwner owner, PageTokens tokens) {
		return (token != null) ? tokens.position(token, query(owner)).get(0) : "";
	}

	private static List<?> query(ArtifactOwner owner) {
		return (owner.session() != null) ? List.of("artifacts", owner.session())
				: List.of("artifacts of user", owner.user());
	}

}
