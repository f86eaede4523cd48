/** The format of an export: NDJSON, one JSON object in each line. */
@NamedInterface("transfer")
@NullMarked
package dev.agentsessions.web.transfer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
