/**
 * What clients have stored, served as files: inline data of events, and artifacts.
 *
 * <p>
 * {@link InlineDataStripper} leaves large data out of a response ({@code parts=light}).
 * The events are read as always and changed one by one while they are written; what is
 * left out is not stored in memory. The data is found by its offset in the text, which is
 * neither copied nor parsed. With {@code parts=light}, a list puts on one page what would
 * otherwise be several pages.
 */
@NamedInterface("part")
@NullMarked
package dev.agentsessions.web.part;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
