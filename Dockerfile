# syntax=docker/dockerfile:1

FROM eclipse-temurin:25-jdk AS build
WORKDIR /build
# Where Maven and where the libraries come from, if not from their usual places. Mostly both are the same repository:
#   docker compose build --build-arg MVNW_REPOURL=https://... --build-arg MAVEN_MIRROR=https://...
ARG MVNW_REPOURL
ARG MAVEN_MIRROR
COPY mvnw pom.xml ./
COPY .mvn .mvn
COPY src/main src/main
RUN --mount=type=cache,target=/maven \
    if [ -n "$MAVEN_MIRROR" ]; then mkdir -p ~/.m2 && printf '<settings><mirrors><mirror><id>mirror</id>%s</mirror></mirrors></settings>' \
    "<mirrorOf>*</mirrorOf><url>$MAVEN_MIRROR</url>" >~/.m2/settings.xml; fi && \
    MAVEN_USER_HOME=/maven ./mvnw -B -ntp -Dmaven.repo.local=/maven/repository -Dmaven.test.skip=true package

FROM eclipse-temurin:25-jre
WORKDIR /app
# The libraries first: most changes leave this layer as it is
COPY --from=build /build/target/lib/ lib/
COPY --from=build /build/target/agent-sessions.jar ./

# The training run: what the JVM loads and links until the application context stands is kept in app.aot, and
# every start begins with it. The run must be here, with the JVM, the paths and the files of the final image: the
# JVM ignores a cache of any other. There is no database while an image is built, so nothing may ask for one:
#   spring.context.exit              ends the run before the server would open its port
#   spring.datasource.*              a name that resolves nowhere (RFC 2606): what still connects, fails
#   spring.flyway.enabled            migrates the schema at the start
#   spring.sql.init.mode             would run scripts
#   spring.jpa.hibernate.ddl-auto    compares the schema with the entities
#   allow_jdbc_metadata_access       asks the database for its version; hence the dialect must be named
# A start creates the repositories when the first requests need them, which the training run does not make:
#   bootstrap-mode                   creates them with the context, so that the cache has their classes, too
RUN java -XX:AOTCacheOutput=app.aot \
    -Dspring.context.exit=onRefresh \
    -Dspring.datasource.url=jdbc:postgresql://database.invalid/training \
    -Dspring.datasource.hikari.initialization-fail-timeout=-1 \
    -Dspring.flyway.enabled=false \
    -Dspring.sql.init.mode=never \
    -Dspring.jpa.hibernate.ddl-auto=none \
    -Dspring.jpa.database-platform=org.hibernate.dialect.PostgreSQLDialect \
    -Dspring.jpa.properties.hibernate.boot.allow_jdbc_metadata_access=false \
    -Dspring.data.jpa.repositories.bootstrap-mode=default \
    -jar agent-sessions.jar

# Loopback is the default outside of a container; inside, nobody could reach it there. So the image does not start
# without access control, or AGENTSESSIONS_SECURITY_ALLOWANONYMOUS=true where nobody else can reach it
ENV SERVER_ADDRESS=0.0.0.0
EXPOSE 8080
# The image has no curl
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${SERVER_PORT:-8080} && \
    printf 'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200'"]
USER 10001:10001
# A service that has run out of memory may have lost a thread that it needs: it ends, to be started again
ENTRYPOINT ["java", "-XX:+ExitOnOutOfMemoryError", "-XX:AOTCache=app.aot", "-jar", "agent-sessions.jar"]
