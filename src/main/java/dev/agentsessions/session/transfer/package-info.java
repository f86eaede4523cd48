/**
 * Export and import of whole sessions.
 *
 * <p>
 * An export ({@link TransferService}) goes through users by their keys and through the
 * ids of the sessions of each user. No append changes this order, so no session comes
 * twice. Each session is read by the statement of every other read. A long history is
 * read in chunks while it is written, and a chunk is forgotten when it is written.
 *
 * <p>
 * An import ({@link SessionImport}) reads line by line. A session that is already stored
 * is the same one if its number of events, the id of its newest event and its create time
 * agree ({@link ImportTarget.ExistingSession}); then nothing is written. Otherwise the
 * import writes a new session ({@link ImportTarget.NewSession}): a small one in one
 * transaction, a larger one in several.
 */
@NamedInterface("transfer")
@NullMarked
package dev.agentsessions.session.transfer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
