/** Everything that names a class of Tomcat, except for server-sent events. */
@NullMarked
package dev.agentsessions.web.tomcat;

import org.jspecify.annotations.NullMarked;
