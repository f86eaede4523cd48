package dev.agentsessions.openapi;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.Paths;

/**
 * The ids of operations. A method of a controller with a path for sessions and a path for
 * users is two operations with one text: the id of the second one ends with
 * {@code OfUser}.
 */
final class OperationIds {

	private static final String OF_USER = "OfUser";

	private static final Predicate<String> HAS_SESSION = (path) -> path.contains("{sessionId}");

	private OperationIds() {
	}

	/** Replaces the numbers with which springdoc tells the two apart. */
	static void set(Paths paths) {
		paths.values()
			.stream()
			.flatMap(OperationIds::operations)
			.forEach((operation) -> operation.operationId(operation.getOperationId().replaceFirst("_\\d+$", "")));
		Set<String> ofSessions = paths.entrySet()
			.stream()
			.filter((path) -> HAS_SESSION.test(path.getKey()))
			.flatMap((path) -> operations(path.getValue()))
			.map(Operation::getOperationId)
			.collect(Collectors.toSet());
		paths.entrySet()
			.stream()
			.filter((path) -> !HAS_SESSION.test(path.getKey()))
			.flatMap((path) -> operations(path.getValue()))
			.filter((operation) -> ofSessions.contains(operation.getOperationId()))
			.forEach((operation) -> operation.operationId(operation.getOperationId() + OF_USER));
	}

	private static Stream<Operation> operations(PathItem path) {
		return path.readOperations().stream();
	}

	/** Returns the id of the operation whose text an operation has. */
	static String ofText(Operation operation) {
		String id = operation.getOperationId();
		return id.endsWith(OF_USER) ? id.substring(0, id.length() - OF_USER.length()) : id;
	}

}
