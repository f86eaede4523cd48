package dev.agentsessions.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaCodeUnitReference;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import jakarta.persistence.EntityManager;
import org.junit.jupiter.api.Test;
import org.springframework.data.repository.Repository;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.ClassUtils;

import dev.agentsessions.AgentSessionsApplication;
import dev.agentsessions.postgres.Lanes.WriteLanes;

/**
 * No work reaches a connection but through a lane. A call counts as in a lane if it
 * stands in a lambda of a method that hands one to a lane.
 */
class StatementsInLanesTests {

	private static final List<Class<?>> STATEMENTS = List.of(JdbcOperations.class, JdbcClient.class, Repository.class,
			EntityManager.class);

	/** The locks on the main server have connections besides those of the pool. */
	private static final List<Class<?>> LANES = List.of(Lane.class, WriteLanes.class, ReaderThreads.class,
			Transactions.class, HeapBoundedReads.class,
			ClassUtils.resolveClassName("dev.agentsessions.postgres.servers.MainLocks", null));

	private final List<JavaCodeUnitAccess<?>> accesses = new ClassFileImporter()
		.withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackagesOf(AgentSessionsApplication.class)
		.stream()
		.flatMap((type) -> Stream.<JavaCodeUnitAccess<?>>concat(type.getCodeUnitCallsFromSelf().stream(),
				type.getCodeUnitReferencesFromSelf().stream()))
		.filter((access) -> !access.getOriginOwner().isAssignableTo(JdbcOperations.class))
		.toList();

	private final Map<JavaCodeUnit, List<JavaCodeUnit>> implementations = new HashMap<>();

	@Test
	void noWorkReachesAConnectionButThroughALane() {
		Set<JavaCodeUnit> open = open();
		Set<JavaCodeUnit> called = new HashSet<>();
		this.accesses.forEach((access) -> targets(access).forEach(called::add));
		open.removeIf(called::contains);
		assertThat(open).isEmpty();
	}

	/** Returns the methods that use a connection of whatever calls them. */
	private Set<JavaCodeUnit> open() {
		Set<JavaCodeUnit> inLanes = callers((access) -> isOf(access, LANES), (access) -> true,
				StatementsInLanesTests::takesWork);
		Predicate<JavaCodeUnitAccess<?>> bare = (access) -> !inLanes.contains(access.getOrigin())
				|| !(access.isDeclaredInLambda() || access instanceof JavaCodeUnitReference);
		return callers(bare.and((access) -> isOf(access, STATEMENTS)), bare, (callee) -> true);
	}

	/** Whether a method is given work, which it may hand to a lane. */
	private static boolean takesWork(JavaCodeUnit method) {
		return method.getRawParameterTypes()
			.stream()
			.anyMatch((type) -> type.isAnnotatedWith(FunctionalInterface.class));
	}

	/**
	 * Returns the methods with certain accesses, and those that call one of them.
	 * @param first the accesses
	 * @param calls which calls count
	 * @param callee calls of which methods count
	 */
	private Set<JavaCodeUnit> callers(Predicate<JavaCodeUnitAccess<?>> first, Predicate<JavaCodeUnitAccess<?>> calls,
			Predicate<JavaCodeUnit> callee) {
		Set<JavaCodeUnit> found = new HashSet<>();
		Set<JavaCodeUnit> next = origins(first);
		while (found.addAll(next)) {
			next = origins((access) -> calls.test(access) && targets(access).filter(found::contains).anyMatch(callee));
		}
		return found;
	}

	/** Returns what a call may reach: the method, and those that implement it. */
	private Stream<JavaCodeUnit> targets(JavaCodeUnitAccess<?> access) {
		return access.getTarget()
			.resolveMember()
			.stream()
			.flatMap((method) -> this.implementations
				.computeIfAbsent(method, StatementsInLanesTests::withImplementations)
				.stream());
	}

	private static List<JavaCodeUnit> withImplementations(JavaCodeUnit method) {
		Stream<JavaClass> types = method.getOwner().getPackageName().startsWith("dev.agentsessions")
				? method.getOwner().getAllSubclasses().stream() : Stream.empty();
		return Stream
			.concat(Stream.of(method),
					types.flatMap((type) -> type.getMethods().stream())
						.filter((other) -> other.getName().equals(method.getName())
								&& other.getRawParameterTypes().equals(method.getRawParameterTypes())))
			.toList();
	}

	private Set<JavaCodeUnit> origins(Predicate<JavaCodeUnitAccess<?>> condition) {
		return this.accesses.stream().filter(condition).map(JavaCodeUnitAccess::getOrigin).collect(Collectors.toSet());
	}

	private static boolean isOf(JavaCodeUnitAccess<?> access, List<Class<?>> types) {
		JavaClass owner = access.getTargetOwner();
		return types.stream().anyMatch(owner::isAssignableTo)
				&& !access.getName().matches("<init>|create|getCriteriaBuilder|unwrap");
	}

}
