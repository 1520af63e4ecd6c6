package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.calls.SafeRemovals.Look;
import org.braid.hdfs.namenode.host.AuditLog;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.stripes.OpenWrites;
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

  /** What may be refused, as HDFS's audit log names it. */
  private static final List<String> COMMANDS =
      List.of(
          "delete",
          "deleteSnapshot",
          "rename",
          "create",
          "removeXAttr",
          "setXAttr",
          "truncate",
          "concat");

  private record Guards(
      Configuration conf,
      AuditLog audit,
      StripeGuard stripes,
      ConvertedWrites writes,
      SafeRemovals removals,
      OpenWrites open) {}

  private @Nullable Guards guards;

  /** Called by the web server. */
  public ToolFilter() {}

  /**
   * Puts the filter in front of a NameNode's pages.
   *
   * @param open notes what is under way
   */
  public static void install(
      NameNodeHost host,
      StripeGuard guard,
      ConvertedWrites writes,
      SafeRemovals removals,
      OpenWrites open) {
    HttpServer2 server = host.nameNode().getHttpServer();
    AuditLog audit = new AuditLog(host.namesystem());
    server.setAttribute(NAME, new Guards(host.conf(), audit, guard, writes, removals, open));
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
    if (present != null
        && request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      // Before anything is looked at, so that nothing is converted after the look.
      List<Prepared> begun = new ArrayList<>();
      boolean deletes = http.getServletPath().equals(FSCK) && deletes(http.getParameterMap());
      if (deletes) {
        present.open().beginFsck();
      }
      try {
        begin(present, http, begun);
        guarded(present, http, answer, chain);
      } finally {
        begun.forEach(present.writes()::done);
        if (deletes) {
          present.open().endFsck();
        }
      }
    } else {
      chain.doFilter(request, response);
    }
  }

  private static void guarded(
      Guards guards, HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    Optional<Look> look = Optional.empty();
    Optional<UserGroupInformation> caller = caller(guards, request);
    if (request.getServletPath().equals(FSCK)) {
      Optional<String> against =
          as(caller, Optional.empty(), () -> fsck(guards.stripes(), request.getParameterMap()));
      if (against.isPresent()) {
        refused(guards, request, caller);
        // fsck's client prints what it is told and ends with a status that is not zero.
        answer.setContentType("text/plain; charset=UTF-8");
        answer.getWriter().println(against.get());
        return;
      }
    } else if (!request.getMethod().equals("GET") && ambiguous(request)) {
      answer.sendError(HttpServletResponse.SC_BAD_REQUEST, "a parameter is given twice");
      return;
    } else {
      Optional<String> against = as(caller, Optional.empty(), () -> webHdfs(guards, request));
      Optional<Removal> removal = against.isPresent() ? Optional.empty() : removal(request);
      if (removal.isPresent()) {
        try {
          look =
              as(
                  caller,
                  Optional.empty(),
                  () -> Optional.of(guards.removals().lookPatiently(removal.get())));
        } catch (IOException e) { // as WebHDFS answers it
          answer.sendError(HttpServletResponse.SC_FORBIDDEN, e.getMessage());
          return;
        }
        against = look.filter(l -> !l.goesAtOnce()).map(guards.removals()::refuse);
      }
      if (against.isPresent()) {
        refused(guards, request, caller);
        answer.sendError(HttpServletResponse.SC_FORBIDDEN, against.get());
        return;
      }
    }
    boolean done = false;
    try {
      chain.doFilter(request, answer);
      done = answer.getStatus() == HttpServletResponse.SC_OK;
    } finally {
      if (look.isPresent()) {
        guards.removals().end(look.get(), done);
      }
    }
    if (done
        && request.getMethod().equals("PUT")
        && parameter(request, "op").equalsIgnoreCase("SETREPLICATION")) {
      guards.writes().replicate(path(request));
    }
  }

  /** Files that a request changes which are not converted now, and not to be meanwhile. */
  private static void begin(Guards guards, HttpServletRequest request, List<Prepared> begun)
      throws IOException {
    String op = parameter(request, "op").toUpperCase(Locale.ROOT);
    if (request.getMethod().equals("POST") && (op.equals("TRUNCATE") || op.equals("CONCAT"))) {
      begun.add(guards.writes().begin(path(request)));
      for (String source : parameter(request, "sources").split(",", -1)) {
        if (source.startsWith("/")) {
          begun.add(guards.writes().begin(source));
        }
      }
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
      case "DELETE DELETESNAPSHOT" ->
          Optional.of(Removal.snapshot(path, parameter(request, "snapshotname")));
      case "PUT RENAME" ->
          parameter(request, "renameoptions").isEmpty()
              ? Optional.empty()
              : Optional.of(Removal.replaced(parameter(request, "destination"), path));
      default -> Optional.empty();
    };
  }

  /** Who asks; empty for those that HDFS does not know, and refuses. */
  private static Optional<UserGroupInformation> caller(Guards guards, HttpServletRequest request) {
    try {
      return Optional.of(JspHelper.getUGI(request.getServletContext(), request, guards.conf()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Looks at something in the name of whoever asks, so that nobody learns more than HDFS tells. */
  private static <T> T as(
      Optional<UserGroupInformation> caller, T unknown, PrivilegedExceptionAction<T> look)
      throws IOException {
    if (caller.isEmpty()) {
      return unknown;
    }
    try {
      return caller.get().doAs(look);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the NameNode is stopping", e);
    }
  }

  /** Logs what Braid refuses, under the name that HDFS's audit log has for it. */
  private static void refused(
      Guards guards, HttpServletRequest request, Optional<UserGroupInformation> caller)
      throws IOException {
    boolean fsck = request.getServletPath().equals(FSCK);
    String op = parameter(request, "op");
    String command =
        fsck
            ? "fsck"
            : COMMANDS.stream().filter(name -> name.equalsIgnoreCase(op)).findFirst().orElse(op);
    guards
        .audit()
        .refused(
            caller.orElseGet(() -> UserGroupInformation.createRemoteUser("unknown")),
            InetAddress.getByName(JspHelper.getRemoteAddr(request)),
            command,
            fsck ? parameter(request, "path") : path(request));
  }

  /**
   * Whether a parameter is given with two values, in whatever case: HDFS reads one of them, and a
   * filter may read the other.
   */
  private static boolean ambiguous(HttpServletRequest request) {
    return query(request).values().stream().anyMatch(values -> values.size() > 1);
  }

  /** The values of parameters, whose names know no case, in the address: the body counts not. */
  private static Map<String, Set<String>> query(HttpServletRequest request) {
    Map<String, Set<String>> all = new HashMap<>();
    String query = request.getQueryString() == null ? "" : request.getQueryString();
    for (String part : query.split("&", -1)) {
      String[] option = part.split("=", 2);
      all.computeIfAbsent(decoded(option[0]).toLowerCase(Locale.ROOT), n -> new LinkedHashSet<>())
          .add(option.length == 1 ? "" : decoded(option[1]));
    }
    return all;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text; // HDFS itself will say what is wrong with it
    }
  }

  private static String path(HttpServletRequest request) {
    return request.getPathInfo() == null ? "/" : request.getPathInfo();
  }

  private static boolean deletes(Map<String, String[]> fsck) {
    return fsck.containsKey("delete") || fsck.containsKey("move");
  }

  private static Optional<String> fsck(StripeGuard guard, Map<String, String[]> options)
      throws IOException {
    if (!deletes(options)) {
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
      case "TRUNCATE" -> unprepared(guards, path, FsAction.WRITE);
      case "CONCAT" -> {
        Optional<String> against = unprepared(guards, path, FsAction.WRITE);
        for (String source : parameter(request, "sources").split(",", -1)) {
          against = against.isPresent() ? against : unprepared(guards, source, FsAction.READ);
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

  /**
   * WebHDFS calls the NameNode without its protocol, where such writes are prepared.
   *
   * @param needed what HDFS lets only those do with the file who may make the call
   */
  private static Optional<String> unprepared(Guards guards, String path, FsAction needed)
      throws IOException {
    return path.isEmpty() || !guards.writes().concerns(path) || !guards.writes().may(path, needed)
        ? Optional.empty()
        : Optional.of(
            path + " is a converted file: truncate and join it by hdfs:// instead of webhdfs://");
  }

  private static String parameter(HttpServletRequest request, String name) {
    return query(request).getOrDefault(name, Set.of("")).iterator().next();
  }

  @Override
  public void destroy() {
    guards = null;
  }
}
