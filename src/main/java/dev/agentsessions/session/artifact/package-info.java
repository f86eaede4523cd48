/**
 * Artifacts: named files with versions, which agents save for a session or for a user.
 *
 * <p>
 * A name that begins with {@code user:} belongs to the user, every other name to the
 * session. Versions are numbered from 0. A version is bytes, a text, or a reference to a
 * file. Source of these rules: {@code BaseArtifactService} of ADK Python 2.13.
 */
@NamedInterface("artifact")
@NullMarked
package dev.agentsessions.session.artifact;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
