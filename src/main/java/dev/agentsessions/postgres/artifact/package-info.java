/**
 * The tables of artifacts.
 *
 * <p>
 * <b>Bytes.</b> {@link BlobWriter} writes bytes as they come, a chunk of 256 KB in a
 * transaction of its own, so no transaction waits for a client. The commits of chunks
 * wait for no disk: the last transaction makes them safe with its own commit, because the
 * log has one order, and counts them, because a crash of the database between two chunks
 * may have lost one. Equal bytes of a user are stored once, found by their digest.
 *
 * <p>
 * <b>Orphans.</b> There is one rule: a blob with a {@code sweep_time} that has passed is
 * deleted, unless a version refers to it ({@link ArtifactRemover}). An upload moves the
 * time an hour ahead with each chunk and removes it at its end. A transaction that
 * deletes versions sets the time of their blobs. A save that finds its bytes stored
 * already locks their row. The sweep locks the row, too, looks for versions with a later
 * statement, and takes the digest away before it deletes chunks. So no save refers to
 * bytes that are being deleted.
 *
 * <p>
 * <b>Locks of a save.</b> The row of the session (shared, so appends go on and a deletion
 * of the session waits), the row of the name, the row of the blob.
 */
@NullMarked
package dev.agentsessions.postgres.artifact;

import org.jspecify.annotations.NullMarked;
