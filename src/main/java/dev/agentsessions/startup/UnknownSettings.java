package dev.agentsessions.startup;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.stereotype.Component;

/**
 * Refuses to start with a setting that the service does not have. Otherwise a misspelled
 * setting would have no effect, and a door that it should close would stay open.
 */
@Component
class UnknownSettings implements BeanFactoryPostProcessor {

	private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("agent-sessions");

	/**
	 * Variables that Kubernetes sets for a service whose name begins with
	 * {@code agentsessions}, such as AGENTSESSIONS_PORT_8080_TCP_ADDR.
	 */
	private static final Pattern KUBERNETES = Pattern
		.compile(".+\\.(service\\.(host|port(\\..+)?)|port(\\[\\d+]\\.(tcp|udp|sctp)(\\.(proto|port|addr))?)?)");

	private static final String ACTION = """
			Correct the name or remove the setting. The reference (docs/reference.md) lists all settings. \
			In the environment, a name has no hyphens: agent-sessions.body-timeout is AGENTSESSIONS_BODYTIMEOUT.""";

	/** By the name, whether it may have keys below. */
	private final Map<ConfigurationPropertyName, Boolean> known = new HashMap<>();

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		for (String bean : beans.getBeanDefinitionNames()) {
			ConfigurationProperties settings = beans.findAnnotationOnBean(bean, ConfigurationProperties.class, false);
			Class<?> type = beans.getType(bean, false);
			if (settings != null && type != null && isOwn(settings.value())) {
				addKnown(ConfigurationPropertyName.of(settings.value()), type);
			}
		}
		List<String> unknown = StreamSupport
			.stream(ConfigurationPropertySources.get(beans.getBean(Environment.class)).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.map(IterableConfigurationPropertySource.class::cast)
			.flatMap((source) -> source.stream()
				.filter((name) -> PREFIX.isAncestorOf(name) && !isKnown(name) && !isOfOthers(name, source))
				.map((name) -> describe(name, source)))
			.distinct()
			.toList();
		if (!unknown.isEmpty()) {
			throw new StartupException(String.join(System.lineSeparator(), unknown), ACTION);
		}
	}

	private static boolean isOwn(String prefix) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(prefix);
		return PREFIX.equals(name) || PREFIX.isAncestorOf(name);
	}

	private void addKnown(ConfigurationPropertyName name, Class<?> type) {
		if (!type.isRecord()) {
			this.known.put(name, Iterable.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type));
			return;
		}
		for (RecordComponent setting : type.getRecordComponents()) {
			addKnown(name.append(DataObjectPropertyName.toDashedForm(setting.getName())), setting.getType());
		}
	}

	private boolean isKnown(ConfigurationPropertyName name) {
		return this.known.containsKey(name) || this.known.entrySet()
			.stream()
			.anyMatch((setting) -> setting.getValue() && setting.getKey().isAncestorOf(name));
	}

	/**
	 * Whether it is a variable of Kubernetes, or a section of a file without settings.
	 */
	private boolean isOfOthers(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		if (source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource) {
			return KUBERNETES.matcher(name.toString()).matches();
		}
		ConfigurationProperty property = source.getConfigurationProperty(name);
		return property != null && "".equals(property.getValue())
				&& this.known.keySet().stream().anyMatch(name::isAncestorOf);
	}

	private String describe(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		ConfigurationPropertyName nearest = this.known.keySet()
			.stream()
			.min(Comparator.comparingInt((ConfigurationPropertyName other) -> distance(plain(name), plain(other)))
				.thenComparing(Comparator.naturalOrder()))
			.orElseThrow();
		Origin origin = Origin.from(source.getConfigurationProperty(name));
		return "There is no setting " + name + ((origin != null) ? ", from " + origin : "") + ". Did you mean "
				+ nearest + "?";
	}

	private static String plain(ConfigurationPropertyName name) {
		return name.toString().replace("-", "").toLowerCase(Locale.ROOT);
	}

	/** Returns how many characters to insert, remove or replace (Levenshtein). */
	private static int distance(String from, String to) {
		int[] row = new int[to.length() + 1];
		Arrays.setAll(row, (column) -> column);
		for (int i = 1; i <= from.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= to.length(); j++) {
				int replaced = diagonal + ((from.charAt(i - 1) != to.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
			}
		}
		return row[to.length()];
	}

}
