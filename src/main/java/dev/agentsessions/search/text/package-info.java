/**
 * Words: the words of a text, the words that a query asks for, and where a text has them.
 * All of it is Lucene's; the index is in the store.
 *
 * <p>
 * One chain of filters serves all scripts, because the turns of one session may have
 * several languages. Each filter changes words of its own script only. For words in Latin
 * script the app has a {@link TextAnalysis.Language}.
 */
@NamedInterface("text")
@NullMarked
package dev.agentsessions.search.text;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
