package dev.agentsessions.console.list;

/**
 * What a deletion of many sessions has done.
 *
 * @param sessions the number of deleted sessions
 * @param events the number of events of these sessions
 * @param changed the number of sessions that are left because they have changed or are
 * gone
 * @param remaining the number of sessions that it has not come to
 */
record Deletion(long sessions, long events, long changed, long remaining) {

}
