package dev.agentsessions.search;

import dev.agentsessions.search.text.Snippet;

/**
 * A turn that matches a query, with the part of it that has the words.
 *
 * @param found the turn
 * @param snippet the part that has the words of the query
 */
public record Hit(FoundTurn found, Snippet snippet) {

}
