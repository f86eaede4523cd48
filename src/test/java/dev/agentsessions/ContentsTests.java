package dev.agentsessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import org.junit.jupiter.api.Test;
import org.springframework.stereotype.Component;

import dev.agentsessions.json.JsonText;
import dev.agentsessions.session.EventStream;

/**
 * Contents come from a store only through a service, and a service masks what it has read
 * for callers that may not see secrets.
 */
class ContentsTests {

	private static final Set<Class<?>> CONTENTS = Set.of(JsonText.class, EventStream.class);

	/** Only callers that may write get here, and they see all; a rewind stores it. */
	private static final Set<String> FOR_WRITERS = Set.of("EventService.append", "EventService.appendAll",
			"EventService.appendRewind", "SessionService.create", "SessionService.createLocatable",
			"SessionService.changeState", "HistoryService.fork", "HistoryService.rewind", "FactService.create",
			"FactService.createLocatable", "FactService.remember", "FactService.update", "ArtifactService.save",
			"Creations.once");

	/** A key and counts. */
	private static final Set<String> WITHOUT_CONTENTS = Set.of("SessionService.locate", "UsageService.before");

	private final JavaClasses classes = new ClassFileImporter().withImportOption(new ImportOption.DoNotIncludeTests())
		.importPackages("dev.agentsessions");

	@Test
	void leaveAStoreOnlyThroughAService() {
		DescribedPredicate<JavaClass> ports = DescribedPredicate.describe("are ports of contents",
				(type) -> isPort(type) && Stream.of(type.reflect().getMethods()).anyMatch(ContentsTests::hasContents));
		ArchRuleDefinition.noClasses()
			.that()
			.resideInAnyPackage("..adk..", "..vertex..", "..console..", "..web..", "..security..", "..openapi..")
			.should()
			.dependOnClassesThat(ports)
			.check(this.classes);
	}

	@Test
	void areMaskedByTheServiceThatReadsThem() {
		Set<String> readers = new TreeSet<>();
		Set<String> masking = new TreeSet<>();
		this.classes.stream()
			.filter((type) -> !type.getPackageName().contains("postgres"))
			.filter((type) -> type.isMetaAnnotatedWith(Component.class))
			.flatMap((type) -> type.getMethods().stream())
			.filter((method) -> !method.getModifiers().contains(JavaModifier.PRIVATE))
			.forEach((method) -> {
				Set<JavaCodeUnit> below = new HashSet<>();
				collect(method, below);
				String name = method.getOwner().getSimpleName() + "." + method.getName();
				if (below.stream().anyMatch(ContentsTests::readsContents)) {
					readers.add(name);
				}
				if (below.stream().anyMatch(ContentsTests::asksForSecrets)) {
					masking.add(name);
				}
			});
		assertThat(readers).hasSizeGreaterThan(20);
		assertThat(readers).containsAll(FOR_WRITERS);
		readers.removeAll(masking);
		readers.removeAll(FOR_WRITERS);
		assertThat(readers).as("read contents for callers that may not see secrets, and do not mask them")
			.isEqualTo(WITHOUT_CONTENTS);
	}

	/** The method with all of the same class that it calls. */
	private static void collect(JavaCodeUnit unit, Set<JavaCodeUnit> found) {
		if (found.add(unit)) {
			called(unit).filter((each) -> each.getOwner().equals(unit.getOwner()))
				.forEach((each) -> collect(each, found));
		}
	}

	private static Stream<JavaMethod> called(JavaCodeUnit unit) {
		return Stream
			.concat(unit.getMethodCallsFromSelf().stream().map((call) -> call.getTarget().resolveMember()),
					unit.getMethodReferencesFromSelf().stream().map((call) -> call.getTarget().resolveMember()))
			.flatMap((method) -> method.stream());
	}

	private static boolean readsContents(JavaCodeUnit unit) {
		return called(unit).anyMatch((method) -> isPort(method.getOwner()) && hasContents(method.reflect()));
	}

	private static boolean asksForSecrets(JavaCodeUnit unit) {
		return called(unit).anyMatch((method) -> method.getName().equals("secrets"));
	}

	private static boolean isPort(JavaClass type) {
		return type.isInterface() && !type.getPackageName().contains("postgres")
				&& type.getSimpleName().matches("\\w*(Store|Reads|Directory)");
	}

	private static boolean hasContents(Method method) {
		return hasContents(method.getGenericReturnType(), new HashSet<>())
				|| Stream.of(method.getGenericParameterTypes())
					.anyMatch((type) -> type instanceof ParameterizedType generic
							&& generic.getRawType() == Consumer.class && hasContents(type, new HashSet<>()));
	}

	private static boolean hasContents(Type type, Set<Type> seen) {
		if (CONTENTS.contains(type) || !seen.add(type)) {
			return CONTENTS.contains(type);
		}
		if (type instanceof ParameterizedType generic) {
			return Stream.concat(Stream.of(generic.getRawType()), Arrays.stream(generic.getActualTypeArguments()))
				.anyMatch((each) -> hasContents(each, seen));
		}
		return type instanceof Class<?> record && record.isRecord()
				&& Stream.of(record.getRecordComponents())
					.map(RecordComponent::getGenericType)
					.collect(Collectors.toList())
					.stream()
					.anyMatch((each) -> hasContents(each, seen));
	}

}
