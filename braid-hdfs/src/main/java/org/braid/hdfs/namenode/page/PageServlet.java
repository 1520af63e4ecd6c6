package org.braid.hdfs.namenode.page;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.http.HttpServer2;

/** Serves the page, or its figures as JSON, to users who may see {@code /jmx}. */
public final class PageServlet extends HttpServlet {
  private static final long serialVersionUID = 1;

  /** Called by the web server. */
  public PageServlet() {}

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!HttpServer2.isInstrumentationAccessAllowed(getServletContext(), request, response)) {
      return; // the answer says so
    }
    if (!(getServletContext().getAttribute(BraidPage.ATTRIBUTE) instanceof BraidPage page)) {
      response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "Braid does not run here");
      return;
    }
    boolean json = request.getServletPath().equals(BraidPage.JSON_PATH);
    BraidPage.Form form =
        page.tellsPolicies(getServletContext(), request)
            ? json ? BraidPage.Form.JSON : BraidPage.Form.HTML
            : json ? BraidPage.Form.JSON_WITHOUT_POLICIES : BraidPage.Form.HTML_WITHOUT_POLICIES;
    byte[] body = page.write(form);
    response.setContentType(json ? "application/json; charset=utf-8" : "text/html; charset=utf-8");
    response.setHeader("Cache-Control", "no-store");
    response.setHeader(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  @Override
  protected void doTrace(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.sendError(HttpServletResponse.SC_METHOD_NOT_ALLOWED);
  }
}
