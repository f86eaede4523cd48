/**
 * Creates, lists and changes sessions; the table {@code state} as callers see it.
 *
 * <p>
 * A list of sessions follows the index {@code (app_key, user_key, last_update_time, id)}
 * from the position in the page token. In the Vertex AI dialect, a list by {@code
 * create_time}, or of all users by time, has no index, because every append would have to
 * pay for it: the sessions of the user or of the app are sorted for every page.
 * {@link StatePageReader} reads the state with further queries in the same transaction
 * (isolation level: repeatable read), one query for a page that is not large. A page ends
 * early when it has as much as memory may hold.
 *
 * <p>
 * A list of sessions with an event that meets a condition ({@link MatchReader}) takes
 * sessions in the same orders and examines their events from the newest one on. The work
 * of a page is bounded, so a page may end early, also within a session
 * (docs/adr/0019-a-list-examines-a-bounded-number-of-events.md).
 *
 * <p>
 * A list of users ({@link UserPageReader}) follows the same index. One recursive
 * statement jumps from each user to the next, and counts the newest sessions of each, at
 * most 1,001. Its transaction forbids sorts, because with other statistics PostgreSQL
 * would read all of an app to sort it. So a page reads about 50,000 rows at most, however
 * many sessions a user has. Like every list, it steps over expired sessions one by one
 * until the purge has removed them.
 */
@NullMarked
package dev.agentsessions.postgres.manage;

import org.jspecify.annotations.NullMarked;
