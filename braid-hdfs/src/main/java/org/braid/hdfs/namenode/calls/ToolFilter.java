package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
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
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrCodec;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Prepared;
import org.braid.hdfs.namenode.calls.ConvertedWrites.Right;
import org.braid.hdfs.namenode.host.AuditLog;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.moves.MovesBeside;
import org.jspecify.annotations.Nullable;

/**
 * Keeps stock tools that use HTTP from destroying stripes: {@code hdfs fsck -delete} and {@code
 * -move}, and WebHDFS's deletions and renames of Braid's directory. Refuses WebHDFS's truncate and
 * concat of converted files, and attributes that Braid cannot honour. A replication that is set by
 * WebHDFS also applies to encoded blocks.
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
          "setReplication",
          "removeXAttr",
          "setXAttr",
          "truncate",
          "concat");

  /** Names what is refused because it has no one name. */
  private static final String UNCLEAR = "webhdfs";

  /** What WebHDFS changes in files in the NameNode itself. */
  private static final Set<String> WRITES = Set.of("POST TRUNCATE", "POST CONCAT");

  private record Guards(
      Configuration conf,
      AuditLog audit,
      StripeGuard stripes,
      ConvertedWrites writes,
      SafeRemovals removals,
      FsckGuard fscks) {}

  private @Nullable Guards guards;

  /** Called by the web server. */
  public ToolFilter() {}

  /**
   * Puts the filter in front of a NameNode's pages.
   *
   * @param fscks gets each run of HDFS's fsck
   */
  public static void install(
      NameNodeHost host,
      StripeGuard guard,
      ConvertedWrites writes,
      SafeRemovals removals,
      FsckGuard fscks) {
    HttpServer2 server = host.nameNode().getHttpServer();
    AuditLog audit = new AuditLog(host);
    server.setAttribute(NAME, new Guards(host.conf(), audit, guard, writes, removals, fscks));
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
      if (http.getServletPath().equals(FSCK)) {
        fsck(present, http, answer, chain);
      } else {
        webHdfs(present, http, answer, chain);
      }
    } else {
      chain.doFilter(request, response);
    }
  }

  private static void fsck(
      Guards guards, HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    Map<String, String[]> options = request.getParameterMap();
    if (!options.containsKey("delete") && !options.containsKey("move")) {
      chain.doFilter(request, answer);
      return;
    }
    String[] given = options.get("path");
    String path = given == null || given.length == 0 ? "/" : given[0];
    // It begins before anything is looked at, so that nothing is converted after the look.
    try (FsckGuard.Run run = guards.fscks().begin(path)) {
      Optional<UserGroupInformation> caller = caller(guards, request);
      Optional<String> against = as(caller, Optional.empty(), () -> guards.fscks().against(run));
      if (against.isPresent()) {
        refused(guards, request, caller, "fsck", path);
        // fsck's client prints what it is told and ends with a status that is not zero.
        answer.setContentType("text/plain; charset=UTF-8");
        answer.getWriter().println(against.get());
      } else {
        chain.doFilter(request, new FsckAnswer(answer, run::stopped));
      }
    }
  }

  private static void webHdfs(
      Guards guards, HttpServletRequest http, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    if (http.getMethod().equals("GET")) {
      chain.doFilter(http, answer);
      return;
    }
    // Before anything is looked at, as above.
    List<Prepared> begun = new ArrayList<>();
    try {
      begin(guards, http, begun);
      WebHdfsRequest request = new WebHdfsRequest(http);
      if (request.operation().equals("PUT RENAME")) {
        renamed(guards, http, answer, chain, request);
      } else if (request.operation().equals("POST CONCAT")) {
        List<String> onto = request.postedPaths();
        List<String> all = new ArrayList<>(request.sources());
        all.addAll(onto);
        guarded(guards, http, answer, beside(guards, chain, all, onto.get(0)), List.of());
      } else {
        UnpreparedWrites others = guards.writes().others();
        guarded(guards, http, answer, others.counted(chain, request.removal()), List.of());
      }
      followed(guards, http, answer, begun);
    } finally {
      begun.forEach(guards.writes()::done);
    }
  }

  private static void renamed(
      Guards guards,
      HttpServletRequest http,
      HttpServletResponse answer,
      FilterChain chain,
      WebHdfsRequest request)
      throws IOException, ServletException {
    try (FsckGuard.Move move =
        guards.fscks().move(List.of(request.path()), request.destination())) {
      List<String> from = List.of(request.path());
      FilterChain made = beside(guards, chain, from, request.destination());
      guarded(guards, http, answer, made, List.of(move));
      if (!isRefused(answer)) {
        move.made();
      }
    }
  }

  /** HDFS gives files other paths; removals look again, or come first. */
  private static FilterChain beside(
      Guards guards, FilterChain chain, List<String> from, String to) {
    return (asked, told) -> {
      HttpServletResponse answer = (HttpServletResponse) told;
      MovesBeside.Move beside;
      try {
        beside = guards.removals().move(from, to);
      } catch (IOException e) { // as WebHDFS answers it
        tell(answer, HttpServletResponse.SC_FORBIDDEN, e);
        return;
      }
      try (beside) {
        moved(beside, chain, asked, answer);
      }
    };
  }

  /**
   * Lets removals at the paths of a move check again, unless HDFS answers that it moved nothing.
   */
  static void moved(
      MovesBeside.Move beside, FilterChain chain, ServletRequest asked, HttpServletResponse answer)
      throws IOException, ServletException {
    boolean refused = false;
    try {
      chain.doFilter(asked, answer);
      refused = isRefused(answer);
    } finally {
      if (!refused) {
        beside.made();
      }
    }
  }

  private static boolean isRefused(HttpServletResponse answer) {
    return answer.getStatus() / 100 == 4;
  }

  private static void guarded(
      Guards guards,
      HttpServletRequest http,
      HttpServletResponse answer,
      FilterChain chain,
      List<FsckGuard.Move> moves)
      throws IOException, ServletException {
    WebHdfsRequest request = new WebHdfsRequest(http);
    Optional<String> ambiguity = request.ambiguity();
    if (ambiguity.isPresent()) {
      refused(guards, http, caller(guards, http), command(request), request.sentPath());
      tell(
          answer,
          HttpServletResponse.SC_BAD_REQUEST,
          new IllegalArgumentException(ambiguity.get()));
      return;
    }
    Optional<UserGroupInformation> caller = caller(guards, http);
    Optional<IOException> against;
    try {
      against =
          as(caller, Optional.<String>empty(), () -> against(guards, request, moves))
              .map(AccessControlException::new);
    } catch (StandbyException e) { // as WebHDFS answers it
      tell(answer, HttpServletResponse.SC_FORBIDDEN, e);
      return;
    }
    if (against.isPresent()) {
      refused(guards, http, caller, command(request), request.path());
      tell(answer, HttpServletResponse.SC_FORBIDDEN, against.get());
      return;
    }
    Optional<Removal> removal = request.removal();
    if (caller.isPresent() && removal.isPresent()) {
      removing(guards, http, answer, chain, caller.get(), removal.get());
      return;
    }
    if (caller.isPresent() && request.operation().equals("PUT SETREPLICATION")) {
      replicating(guards, http, answer, chain, caller.get(), request);
      return;
    }
    chain.doFilter(http, answer);
  }

  /** A request that sets replication. */
  private static void replicating(
      Guards guards,
      HttpServletRequest http,
      HttpServletResponse answer,
      FilterChain chain,
      UserGroupInformation caller,
      WebHdfsRequest request)
      throws IOException, ServletException {
    UserReplication set = guards.writes().replication();
    long before = as(caller, () -> set.fileAt(request.path()));
    chain.doFilter(http, answer);
    if (answer.getStatus() == HttpServletResponse.SC_OK) {
      as(caller, () -> set.set(before, request.path(), request.replication(guards.conf())));
    }
  }

  /** A request that removes blocks. */
  private static void removing(
      Guards guards,
      HttpServletRequest http,
      HttpServletResponse answer,
      FilterChain chain,
      UserGroupInformation caller,
      Removal removal)
      throws IOException, ServletException {
    PendingRemoval pending;
    try {
      pending = as(caller, () -> guards.removals().lookPatiently(removal));
    } catch (IOException e) { // as WebHDFS answers it
      if (e instanceof AccessControlException) {
        refused(guards, http, Optional.of(caller), removal.command(), removal.path());
      }
      tell(answer, HttpServletResponse.SC_FORBIDDEN, e);
      return;
    }
    try (pending) {
      if (!pending.goesAtOnce()) {
        IOException against = new IOException(guards.removals().refuse(pending));
        WebHdfsRequest request = new WebHdfsRequest(http);
        refused(guards, http, Optional.of(caller), command(request), request.path());
        tell(answer, HttpServletResponse.SC_FORBIDDEN, against);
        return;
      }
      chain.doFilter(http, answer);
      if (answer.getStatus() == HttpServletResponse.SC_OK) {
        pending.made();
      }
    }
  }

  /** Answers as HDFS does, so that clients of WebHDFS say why. */
  private static void tell(HttpServletResponse answer, int status, Exception refusal)
      throws IOException {
    answer.setStatus(status);
    answer.setContentType("application/json");
    answer.setCharacterEncoding("UTF-8");
    answer.getWriter().print(JsonUtil.toJsonString(refusal));
  }

  /** Files that a request changes which are not converted now, and not to be meanwhile. */
  private static void begin(Guards guards, HttpServletRequest http, List<Prepared> begun)
      throws IOException {
    WebHdfsRequest request = new WebHdfsRequest(http);
    if (WRITES.contains(request.operation())) {
      // As HDFS asks for them: what takes long is done before anything is looked at.
      Optional<UserGroupInformation> caller = caller(guards, http);
      caller.ifPresent(UserGroupInformation::getGroupsSet);
      for (String path : request.postedPaths()) {
        begun.add(begun(guards, caller, path, Right.WRITE));
      }
      for (String source : request.sources()) {
        begun.add(begun(guards, caller, source, Right.JOIN));
      }
    }
  }

  private static Prepared begun(
      Guards guards, Optional<UserGroupInformation> caller, String path, Right right)
      throws IOException {
    return as(caller, Prepared.REFUSED, () -> guards.writes().beginUnprepared(path, right));
  }

  /** HDFS has changed files that stood there by then. */
  private static void followed(
      Guards guards, HttpServletRequest http, HttpServletResponse answer, List<Prepared> begun)
      throws IOException {
    WebHdfsRequest request = new WebHdfsRequest(http);
    if (!WRITES.contains(request.operation()) || answer.getStatus() != HttpServletResponse.SC_OK) {
      return;
    }
    List<String> paths = request.postedPaths();
    List<Prepared> sources = begun.subList(paths.size(), begun.size());
    for (int i = 0; i < paths.size(); i++) {
      boolean unused =
          request.operation().equals("POST TRUNCATE")
              ? guards.writes().others().isTruncated(begun.get(i), paths.get(i))
              : guards.writes().others().areJoined(begun.get(i), sources, paths.get(i));
    }
  }

  /** Who asks; empty for those that HDFS does not know, and refuses. */
  private static Optional<UserGroupInformation> caller(Guards guards, HttpServletRequest request) {
    try {
      return Optional.of(JspHelper.getUGI(request.getServletContext(), request, guards.conf()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** Looks at something in the name of whoever asks, so that nobody learns more than HDFS tells. */
  private static <T> T as(
      Optional<UserGroupInformation> caller, T unknown, PrivilegedExceptionAction<T> look)
      throws IOException {
    return caller.isEmpty() ? unknown : as(caller.get(), look);
  }

  private static <T> T as(UserGroupInformation caller, PrivilegedExceptionAction<T> look)
      throws IOException {
    try {
      return caller.doAs(look);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the NameNode is stopping", e);
    }
  }

  /** Logs what Braid refuses, under the name that HDFS's audit log has for it. */
  private static void refused(
      Guards guards,
      HttpServletRequest request,
      Optional<UserGroupInformation> caller,
      String command,
      String path)
      throws IOException {
    guards
        .audit()
        .refused(
            caller.orElseGet(() -> UserGroupInformation.createRemoteUser("unknown")),
            new InetSocketAddress(
                InetAddress.getByName(JspHelper.getRemoteAddr(request)), request.getRemotePort()),
            command,
            path);
  }

  /** The operation of a request; of its name no more than letters is written to a log. */
  private static String command(WebHdfsRequest request) {
    Optional<String> op = request.only("op").filter(name -> name.matches("[A-Za-z]{1,40}"));
    return op.flatMap(
            name -> COMMANDS.stream().filter(known -> known.equalsIgnoreCase(name)).findFirst())
        .orElseGet(() -> op.map(name -> name.toLowerCase(Locale.ROOT)).orElse(UNCLEAR));
  }

  /** What speaks against a WebHDFS request. */
  private static Optional<String> against(
      Guards guards, WebHdfsRequest request, List<FsckGuard.Move> moves) throws IOException {
    String path = request.path();
    return switch (request.operation().split(" ", 2)[1]) {
      case "DELETE", "CREATE", "REMOVEXATTR" -> guards.stripes().againstRemoval(path);
      case "RENAME" -> {
        Optional<String> against = guards.stripes().againstRemoval(path);
        String onto = request.destination();
        if (against.isEmpty() && !onto.isEmpty()) {
          against = guards.stripes().againstRemoval(onto);
        }
        yield against.isPresent() || onto.isEmpty() || moves.isEmpty()
            ? against
            : moves.get(0).against();
      }
      case "SETXATTR" -> attribute(guards.stripes(), request);
      case "SETREPLICATION" ->
          guards.stripes().againstReplicas(path, request.replication(guards.conf()));
      case "TRUNCATE" -> unprepared(guards, request.postedPaths(), Right.WRITE);
      case "CONCAT" -> {
        Optional<String> against = unprepared(guards, request.postedPaths(), Right.WRITE);
        yield against.isPresent() ? against : unprepared(guards, request.sources(), Right.JOIN);
      }
      default -> Optional.empty();
    };
  }

  private static Optional<String> attribute(StripeGuard guard, WebHdfsRequest request)
      throws IOException {
    XAttr attribute;
    try {
      attribute =
          XAttrHelper.buildXAttr(
              request.parameter("xattr.name"),
              XAttrCodec.decodeValue(request.parameter("xattr.value")));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty(); // HDFS itself will say what is wrong with it
    }
    return guard.againstAttribute(request.path(), attribute).map(IOException::getMessage);
  }

  /**
   * WebHDFS calls the NameNode without its protocol, where such writes are prepared.
   *
   * @param right what HDFS asks of whoever makes the call: to all others it says itself what is
   *     wrong
   */
  private static Optional<String> unprepared(Guards guards, List<String> paths, Right right)
      throws IOException {
    for (String path : paths) {
      if (!path.isEmpty()
          && guards.writes().concerns(path)
          && guards.writes().permits(path, right)) {
        return Optional.of(
            path + " is a converted file: truncate and join it by hdfs:// instead of webhdfs://");
      }
    }
    return Optional.empty();
  }

  @Override
  public void destroy() {
    guards = null;
  }
}
