package dev.agentsessions.session.transfer;

import java.util.List;
import java.util.Map;

import dev.agentsessions.json.JsonText;

/**
 * The part of an imported session that is stored at once.
 *
 * @param initialState keys of the own state that it was created with
 * @param state keys of its own state
 * @param events events, in their order
 */
public record ImportChunk(Map<String, JsonText> initialState, Map<String, JsonText> state, List<ImportedEvent> events) {

}
