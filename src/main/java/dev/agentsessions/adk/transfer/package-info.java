/** Export and import as NDJSON. */
@NullMarked
package dev.agentsessions.adk.transfer;

import org.jspecify.annotations.NullMarked;
