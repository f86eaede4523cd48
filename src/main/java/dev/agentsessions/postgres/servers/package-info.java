/**
 * Users on several PostgreSQL servers. The main server and each further one has a whole
 * store of its own, with tables, connections, lanes and groups of appends: the beans of
 * {@code postgres}, once for each server. All data of a user is on one server.
 *
 * <p>
 * {@code Servers} starts the stores and knows which one has a user. {@code StoreRouter}
 * sends each call of a port to the store of the user that its arguments name; so no class
 * of {@code postgres} knows that there are others. What concerns no single user stands in
 * the classes named {@code ...OfServers}, and {@code AppStateCopies} keeps the state of
 * an app the same on all servers. Without further servers, nothing of this package is
 * there.
 */
@NullMarked
package dev.agentsessions.postgres.servers;

import org.jspecify.annotations.NullMarked;
