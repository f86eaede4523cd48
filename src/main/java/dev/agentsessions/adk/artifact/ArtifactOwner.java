package dev.agentsessions.adk.artifact;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.core.MethodParameter;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

import dev.agentsessions.session.SessionKey;
import dev.agentsessions.session.StateOwner;
import dev.agentsessions.session.artifact.ArtifactName;
import dev.agentsessions.web.PathVariables;

/** Whose artifacts a path names. Not a record: their components are query parameters. */
final class ArtifactOwner {

	private final StateOwner user;

	private final @Nullable SessionKey session;

	private ArtifactOwner(StateOwner user, @Nullable SessionKey session) {
		this.user = user;
		this.session = session;
	}

	static ArtifactOwner of(Map<String, String> path) {
		StateOwner user = new StateOwner(PathVariables.required(path, "appName"),
				PathVariables.required(path, "userId"));
		String sessionId = path.get("sessionId");
		return new ArtifactOwner(user, (sessionId != null)
				? new SessionKey(user.appName(), PathVariables.required(path, "userId"), sessionId) : null);
	}

	StateOwner user() {
		return this.user;
	}

	/** Returns the session; {@code null} if the path has none. */
	@Nullable SessionKey session() {
		return this.session;
	}

	/** Returns an artifact by its name. */
	ArtifactName artifact(String name) {
		return (this.session != null) ? ArtifactName.of(this.session, name) : ArtifactName.of(this.user, name);
	}

	/** Resolves controller parameters of this type. */
	@Component
	static class Resolver implements HandlerMethodArgumentResolver, WebMvcConfigurer {

		static {
			SpringDocUtils.getConfig().addRequestWrapperToIgnore(ArtifactOwner.class);
		}

		@Override
		public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
			resolvers.add(this);
		}

		@Override
		public boolean supportsParameter(MethodParameter parameter) {
			return parameter.getParameterType() == ArtifactOwner.class;
		}

		@Override
		public ArtifactOwner resolveArgument(MethodParameter parameter, @Nullable ModelAndViewContainer container,
				NativeWebRequest request, @Nullable WebDataBinderFactory binderFactory) {
			return of(PathVariables.of(request));
		}

	}

}
