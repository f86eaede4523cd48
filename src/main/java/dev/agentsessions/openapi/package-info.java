/**
 * The OpenAPI documents of the dialects, and the Swagger UI that shows them. A document's
 * paths come from the controllers, everything that people read from a file.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.openapi;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
