# syntax=docker/dockerfile:1

# A release names both with a digest (docs/releasing.md)
ARG JDK=eclipse-temurin:25-jdk
ARG JRE=eclipse-temurin:25-jre

FROM $JDK AS build
WORKDIR /build
# Where Maven and where the libraries come from, if not from their usual places. Mostly both are the same repository:
#   docker compose build --build-arg MVNW_REPOURL=https://... --build-arg MAVEN_MIRROR=https://...
ARG MVNW_REPOURL
ARG MAVEN_MIRROR
COPY mvnw pom.xml LICENSE NOTICE ./
COPY .mvn .mvn
COPY src/main src/main
RUN --mount=type=cache,target=/maven \
    if [ -n "$MAVEN_MIRROR" ]; then mkdir -p ~/.m2 && printf '<settings><mirrors><mirror><id>mirror</id>%s</mirror></mirrors></settings>' \
    "<mirrorOf>*</mirrorOf><url>$MAVEN_MIRROR</url>" >~/.m2/settings.xml; fi && \
    MAVEN_USER_HOME=/maven ./mvnw -B -ntp -Dmaven.repo.local=/maven/repository -Dmaven.test.skip=true package

# The training run makes the cache of the JVM, agent-sessions.aot: the classes that it has loaded and linked, and what it has
# learnt about their methods. It must have the JVM, the paths and the files of the final image, because a JVM ignores a
# cache that was made with others
FROM $JRE AS training
WORKDIR /app
COPY --from=build /build/target/lib/ lib/
COPY --from=build /build/target/embedded/ embedded/
COPY --from=build /build/target/agent-sessions /build/target/agent-sessions.jar ./
RUN chmod 777 .
# The PostgreSQL of the training does not run as root, nor as a user without a name
USER nobody
RUN XDG_CACHE_HOME=/tmp ./agent-sessions --make-cache

FROM $JRE
ARG REVISION
LABEL org.opencontainers.image.title="Agent Sessions" \
    org.opencontainers.image.description="Keeps the sessions, the scoped state and the events of AI agents over HTTP" \
    org.opencontainers.image.version="1.0.0-SNAPSHOT" \
    org.opencontainers.image.revision="$REVISION" \
    org.opencontainers.image.source="https://github.com/agent-sessions/agent-sessions" \
    org.opencontainers.image.documentation="https://github.com/agent-sessions/agent-sessions/blob/main/docs/operations.md" \
    org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY LICENSE NOTICE ./
# The libraries first: most changes leave this layer as it is
COPY --from=build /build/target/lib/ lib/
COPY --from=build /build/target/agent-sessions /build/target/agent-sessions.jar ./
COPY --from=training /app/agent-sessions.aot ./

# Loopback is the default outside of a container; inside, nobody could reach it there. So the image does not start
# without access control, or AGENTSESSIONS_SECURITY_ALLOWANONYMOUS=true where nobody else can reach it
ENV SERVER_ADDRESS=0.0.0.0
EXPOSE 8080
# The share of the container's memory for the heap. The process needs about 200 MB more than its heap (docs/operations.md):
# of 512 MB, 307 MB are heap. A variable and no argument, so that another value of the variable replaces it
ENV JAVA_TOOL_OPTIONS=-XX:MaxRAMPercentage=60
# Asks whether the replica is ready, without TLS, because the image has no program that speaks it. If the service has TLS
# (SERVER_SSL_...), give health a port inside of the container: MANAGEMENT_SERVER_PORT=8081,
# MANAGEMENT_SERVER_ADDRESS=127.0.0.1 and MANAGEMENT_SERVER_SSL_ENABLED=false
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${MANAGEMENT_SERVER_PORT:-${SERVER_PORT:-8080}} && \
    printf 'GET /actuator/health/readiness HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200'"]
USER 10001:10001
ENTRYPOINT ["/app/agent-sessions"]
