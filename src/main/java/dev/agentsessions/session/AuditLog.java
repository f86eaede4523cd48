package dev.agentsessions.session;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records for operators who has deleted data, signed in to the console or changed API
 * keys. It knows the caller of the current request. Services call it behind the checks of
 * access, so a refused action is not recorded.
 */
@FunctionalInterface
public interface AuditLog {

	/**
	 * Records an action.
	 * @param action the name of the action
	 * @param details the names that the action was about, and numbers; no contents
	 */
	void add(String action, Map<String, ?> details);

	/**
	 * Deletes, and records it. The record is {@code unfinished} if the deletion failed,
	 * because a part of the data may be deleted then. A refused deletion is not recorded.
	 * @param names whose data it is
	 * @param amount how much a result is
	 */
	default <T> T delete(String action, Map<String, ?> names, Supplier<T> deletion,
			Function<T, Map<String, ?>> amount) {
		Map<String, Object> details = new HashMap<>(names);
		try {
			T deleted = deletion.get();
			details.putAll(amount.apply(deleted));
			add(action, details);
			return deleted;
		}
		catch (RuntimeException | Error ex) {
			if (!(ex instanceof SessionException) || ex instanceof SessionException.Unavailable) {
				details.put("unfinished", true);
				add(action, details);
			}
			throw ex;
		}
	}

}
