/** Export and import of whole sessions. */
@NamedInterface("transfer")
@NullMarked
package dev.agentsessions.session.transfer;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.NamedInterface;
