package dev.agentsessions.openapi;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.swagger.v3.oas.models.PathItem;

/**
 * A path whose operations have the order in which a reader tries them out: create before
 * read.
 */
@JsonPropertyOrder({ "post", "put", "get", "patch", "delete" })
class OrderedPathItem extends PathItem {

	static OrderedPathItem of(PathItem path) {
		OrderedPathItem ordered = new OrderedPathItem();
		path.readOperationsMap().forEach(ordered::operation);
		return ordered;
	}

}
