/**
 * The index of what was said, and the statement that ranks.
 *
 * <p>
 * <b>Index.</b> The table {@code said} has a row for each event that says something,
 * {@code said_sessions} how far a session is indexed. An append touches neither. A search
 * compares this with the revisions of the sessions of its user. The database does that,
 * and returns few sessions of many ({@link UserSessions}). The search indexes what is
 * missing ({@link UserIndexer}), at most 2,000 events or for 250 ms. It leaves the rest
 * to the next search. A part of at most 200 events is read and split into words outside
 * of a transaction. One transaction stores its rows and how far the session is indexed
 * ({@link UserIndexer.SessionIndexer}), so each event is indexed exactly once, whichever
 * replica does it. A rewind in the part makes the session begin anew, without the events
 * that it takes back. Another search may then have missed some of its turns. So each
 * search reads the states once more at its end, and tells that the events of such a
 * session are missing.
 *
 * <p>
 * <b>Text digests.</b> The column {@code same} of {@code said}, {@code memories} and
 * {@code forgotten} is the digest of the text, here called text digest. The column keeps
 * its name: replicas of the version before use it during a rolling upgrade.
 *
 * <p>
 * <b>Locks.</b> The transaction holds an advisory lock ({@link IndexLocks}) of the
 * session, which the sweep of a removed session takes as well. A lock on the row of the
 * session would make its appends wait. A search that does not get the lock in time goes
 * on with the other sessions, and then tries again as long as its 250 ms last.
 *
 * <p>
 * <b>Facts.</b> The table {@code memories} has the facts about a user with their words. A
 * request that writes a fact also writes its words. The statement that ranks adds them to
 * the turns. The table {@code forgotten} has digests of texts that no search finds any
 * more. It does not name events, because an equal text of a fork would take their place.
 *
 * <p>
 * <b>Ranking.</b> {@link SearchStatement} ranks the turns of the sessions that it is
 * given. So it finds nothing of a session that is gone, has expired or has opted out,
 * even before the rows of this session are deleted.
 *
 * <p>
 * <b>Meaning.</b> With an embedding model, {@link MeaningSearch} also compares the vector
 * of the query with those of the same turns ({@link SearchStatement.TurnConditions}), in
 * this program, and it adds both scores. The table {@code said_vectors} has the vectors.
 * A search that misses some tells {@link VectorWorker}. A vector is stored under the lock
 * of the index and only for a row of {@code said}, and every statement that deletes rows
 * of {@code said} deletes their vectors.
 */
@NullMarked
package dev.agentsessions.postgres.memory;

import org.jspecify.annotations.NullMarked;
