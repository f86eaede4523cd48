/**
 * JSON that stays the text that was sent: reads its first level, puts it together again,
 * compares it by value.
 *
 * <p>
 * JSON crosses all packages as text. {@link JsonObject} reads the first level of an
 * object and stores each value as the characters that were sent ({@link JsonText}). So an
 * event can lose its {@code temp:} keys and gain an id, and nothing else of it is parsed
 * and written again. {@link JsonSpan} finds a value deeper in a text by its offsets,
 * without copying or parsing the text.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.json;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
