/**
 * Facts about a user that an agent or a person has stored. Unlike events, they belong to
 * no session, can be changed and deleted, and may expire.
 */
@NamedInterface("fact")
@NullMarked
package dev.agentsessions.search.fact;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
