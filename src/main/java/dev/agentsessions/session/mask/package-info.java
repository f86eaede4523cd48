/** What a secret is, in JSON and in texts. */
@NullMarked
package dev.agentsessions.session.mask;

import org.jspecify.annotations.NullMarked;
