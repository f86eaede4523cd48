package dev.agentsessions.openapi;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.DeserializationFeature;
import io.swagger.v3.core.util.Yaml31;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.ExternalDocumentation;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/**
 * The descriptions in an OpenAPI document, read from a file.
 *
 * @param info the title and description of the API
 * @param externalDocs the link to further documentation
 * @param tags the groups of operations
 * @param parameters descriptions and examples of parameters, by name or by {@code
 * operationId.name}
 * @param operations descriptions, bodies and responses by operation id, in the order of
 * the document
 * @param components the parts that operations share
 */
record ApiDescriptions(Info info, ExternalDocumentation externalDocs, List<Tag> tags, Map<String, Parameter> parameters,
		Map<String, Operation> operations, Components components) {

	static ApiDescriptions read(Resource file) {
		try (InputStream yaml = file.getInputStream()) {
			return Yaml31.mapper()
				.readerFor(ApiDescriptions.class)
				.with(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
				.readValue(yaml);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Returns the description of an operation. */
	@Nullable Operation operation(Operation operation) {
		return this.operations.get(OperationIds.ofText(operation));
	}

	/** Returns the description of a parameter of an operation. */
	@Nullable Parameter parameter(Operation operation, Parameter parameter) {
		Parameter own = this.parameters.get(OperationIds.ofText(operation) + "." + parameter.getName());
		return (own != null) ? own : this.parameters.get(parameter.getName());
	}

}
