import java.io.File;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** The service's own Tomcat with one servlet, which answers every request with the same line of JSON. */
public class Bare {

	public static void main(String[] args) throws Exception {
		Tomcat tomcat = new Tomcat();
		tomcat.setBaseDir(args[1]);
		tomcat.setPort(Integer.parseInt(args[0]));
		tomcat.getConnector();
		Context context = tomcat.addContext("", new File(args[1]).getAbsolutePath());
		Tomcat.addServlet(context, "bare", new HttpServlet() {

			@Override
			protected void service(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
				request.getInputStream().readAllBytes();
				response.setContentType("application/json");
				response.getOutputStream().write("{\"version\":\"0\"}".getBytes());
			}

		});
		context.addServletMappingDecoded("/*", "bare");
		tomcat.start();
		tomcat.getServer().await();
	}

}
