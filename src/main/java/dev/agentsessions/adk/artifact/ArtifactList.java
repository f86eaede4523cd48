package dev.agentsessions.adk.artifact;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * A page of artifacts.
 *
 * @param artifacts the newest version of each, sorted by name
 * @param nextPageToken the token of the next page; absent on the last page
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record ArtifactList(List<ArtifactMetadata> artifacts, @Nullable String nextPageToken) {
}
