/** Export and import of whole sessions. */
@NullMarked
package dev.agentsessions.postgres.transfer;

import org.jspecify.annotations.NullMarked;
