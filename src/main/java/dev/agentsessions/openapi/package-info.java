/**
 * The OpenAPI documents of the dialects, and the Swagger UI that shows them. The paths of
 * a document come from the controllers, its texts from a file.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package dev.agentsessions.openapi;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
