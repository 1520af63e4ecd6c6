package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.XAttrCodec;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.calls.SafeRemovals.Look;
import org.jspecify.annotations.Nullable;

/**
 * Keeps stock tools that come over HTTP from destroying stripes: {@code hdfs fsck -delete} and
 * {@code -move}, and WebHDFS's deletions and renames of Braid's directory. Truncation and joining
 * of converted files over WebHDFS, and attributes that ask for what cannot be kept, are refused; a
 * replication that is set by WebHDFS also holds for encoded blocks.
 */
public final class ToolFilter implements Filter {
  private static final String NAME = "braid-tools";
  private static final String FSCK = "/fsck";
  private static final String WEBHDFS = "/webhdfs/v1";

  private record Guards(
      Configuration conf, StripeGuard stripes, ConvertedWrites writes, SafeRemovals removals) {}

  private @Nullable Guards guards;

  /** Called by the web server. */
  public ToolFilter() {}

  /** Puts the filter in front of a NameNode's pages. */
  public static void install(
      HttpServer2 server,
      Configuration conf,
      StripeGuard guard,
      ConvertedWrites writes,
      SafeRemovals removals) {
    server.setAttribute(NAME, new Guards(conf, guard, writes, removals));
    HttpServer2.defineFilter(
        server.getWebAppContext(),
        NAME,
        ToolFilter.class.getName(),
        Collections.emptyMap(),
        new String[] {FSCK, WEBHDFS + "/*"});
  }

  @Override
  public void init(FilterConfig config) {
    guards = (Guards) config.getServletContext().getAttribute(NAME);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Guards present = guards;
    Optional<Look> look = Optional.empty();
    if (present != null
        && request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      if (http.getServletPath().equals(FSCK)) {
        Optional<String> against = fsck(present.stripes(), http.getParameterMap());
        if (against.isPresent()) {
          // fsck's client prints what it is told and ends with a status that is not zero.
          answer.setContentType("text/plain; charset=UTF-8");
          answer.getWriter().println(against.get());
          return;
        }
      } else {
        Optional<String> against = webHdfs(present, http);
        Optional<Removal> removal = against.isPresent() ? Optional.empty() : removal(http);
        if (removal.isPresent()) {
          look = asCaller(present, http, removal.get());
          against = look.filter(l -> !l.goesAtOnce()).map(present.removals()::refuse);
        }
        if (against.isPresent()) {
          answer.sendError(HttpServletResponse.SC_FORBIDDEN, against.get());
          return;
        }
      }
    }
    boolean done = false;
    try {
      chain.doFilter(request, response);
      done =
          response instanceof HttpServletResponse answer
              && answer.getStatus() == HttpServletResponse.SC_OK;
    } finally {
      if (present != null && look.isPresent()) {
        present.removals().end(look.get(), done);
      }
    }
    if (done
        && present != null
        && request instanceof HttpServletRequest http
        && http.getMethod().equals("PUT")
        && parameter(http, "op").equalsIgnoreCase("SETREPLICATION")) {
      present.writes().replicate(path(http));
    }
  }

  /** What a WebHDFS request removes in the NameNode itself; DataNodes create files as clients. */
  private static Optional<Removal> removal(HttpServletRequest request) {
    String path = path(request);
    return switch (request.getMethod() + " " + parameter(request, "op").toUpperCase(Locale.ROOT)) {
      case "DELETE DELETE" ->
          Optional.of(
              Boolean.parseBoolean(parameter(request, "recursive"))
                  ? Removal.tree(path)
                  : Removal.file(path));
      case "DELETE DELETESNAPSHOT" -> Optional.of(Removal.snapshots(path));
      case "PUT RENAME" ->
          parameter(request, "renameoptions").isEmpty()
              ? Optional.empty()
              : Optional.of(Removal.file(parameter(request, "destination")));
      default -> Optional.empty();
    };
  }

  /** Looks at a removal in the name of whoever asks; HDFS refuses those that it does not know. */
  private static Optional<Look> asCaller(Guards guards, HttpServletRequest request, Removal removal)
      throws IOException {
    UserGroupInformation caller;
    try {
      caller = JspHelper.getUGI(request.getServletContext(), request, guards.conf());
    } catch (IOException e) {
      return Optional.empty();
    }
    try {
      PrivilegedExceptionAction<Look> look = () -> guards.removals().lookPatiently(removal);
      return Optional.of(caller.doAs(look));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the NameNode is stopping", e);
    }
  }

  private static String path(HttpServletRequest request) {
    return request.getPathInfo() == null ? "/" : request.getPathInfo();
  }

  private static Optional<String> fsck(StripeGuard guard, Map<String, String[]> options)
      throws IOException {
    if (!options.containsKey("delete") && !options.containsKey("move")) {
      return Optional.empty();
    }
    String[] path = options.get("path");
    return guard.againstFsck(path == null || path.length == 0 ? "/" : path[0]);
  }

  /** What speaks against a WebHDFS request; names of parameters know no case. */
  private static Optional<String> webHdfs(Guards guards, HttpServletRequest request)
      throws IOException {
    String path = path(request);
    return switch (parameter(request, "op").toUpperCase(Locale.ROOT)) {
      case "DELETE", "CREATE", "REMOVEXATTR" -> guards.stripes().againstRemoval(path);
      case "RENAME" -> {
        Optional<String> against = guards.stripes().againstRemoval(path);
        String onto = parameter(request, "destination");
        yield against.isPresent() || onto.isEmpty()
            ? against
            : guards.stripes().againstRemoval(onto);
      }
      case "SETXATTR" -> attribute(guards.stripes(), request);
      case "TRUNCATE" -> unprepared(guards, path);
      case "CONCAT" -> {
        Optional<String> against = unprepared(guards, path);
        for (String source : parameter(request, "sources").split(",", -1)) {
          against = against.isPresent() ? against : unprepared(guards, source);
        }
        yield against;
      }
      default -> Optional.empty();
    };
  }

  private static Optional<String> attribute(StripeGuard guard, HttpServletRequest request) {
    try {
      return guard.againstAttribute(
          XAttrHelper.buildXAttr(
              parameter(request, "xattr.name"),
              XAttrCodec.decodeValue(parameter(request, "xattr.value"))));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // HDFS itself will say what is wrong with it
    }
  }

  /** WebHDFS calls the NameNode without its protocol, where such writes are prepared. */
  private static Optional<String> unprepared(Guards guards, String path) throws IOException {
    return path.isEmpty() || !guards.writes().concerns(path)
        ? Optional.empty()
        : Optional.of(
            path + " is a converted file: truncate and join it by hdfs:// instead of webhdfs://");
  }

  private static String parameter(HttpServletRequest request, String name) {
    for (Map.Entry<String, String[]> option : request.getParameterMap().entrySet()) {
      if (option.getKey().equalsIgnoreCase(name) && option.getValue().length > 0) {
        return option.getValue()[0];
      }
    }
    return "";
  }

  @Override
  public void destroy() {
    guards = null;
  }
}
