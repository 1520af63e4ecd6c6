package org.braid.hdfs.namenode.deferral;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.calls.WebHdfsRequest;
import org.braid.hdfs.namenode.host.CallerRights;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.host.Shares;
import org.braid.hdfs.rpc.OneLine;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets WebHDFS reads of a lost block wait until it is rebuilt, and has them redirected to nodes
 * that are not suspect. The DataNode that a read is redirected to reads the blocks behind the first
 * as a client of its own, whose calls wait in their turn.
 *
 * <p>A read that waits holds one of the web server's threads: no more than {@link #MOST} do, of one
 * user no more than {@link #MOST_OF_A_USER}, and nobody waits for a file that he may not read.
 */
public final class WebHdfsFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(WebHdfsFilter.class);
  private static final String NAME = "braid-webhdfs";
  private static final String PREFIX = "/webhdfs/v1";
  private static final String EXCLUDED = "excludedatanodes";

  /** A web server of HDFS has 200 threads unless told otherwise. */
  private static final int MOST = 64;

  private static final int MOST_OF_A_USER = 16;

  private final Shares places = new Shares(MOST, MOST_OF_A_USER);
  private @Nullable Deferral deferral;

  /** Called by the web server. */
  public WebHdfsFilter() {}

  /** Puts the filter in front of WebHDFS; it comes behind authentication. */
  static void install(HttpServer2 server, Deferral deferral) {
    server.setAttribute(NAME, deferral);
    HttpServer2.defineFilter(
        server.getWebAppContext(),
        NAME,
        WebHdfsFilter.class.getName(),
        Collections.emptyMap(),
        new String[] {PREFIX + "/*"});
  }

  @Override
  public void init(FilterConfig config) {
    deferral = (Deferral) config.getServletContext().getAttribute(NAME);
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ServletRequest passed = request;
    Deferral present = deferral;
    if (present != null
        && present.host().nameNode().getNamesystem() != null
        && request instanceof HttpServletRequest http
        && "OPEN".equals(upper(parameter(http, "op")))
        && http.getMethod().equals("GET")) {
      try {
        passed = opening(present, http);
      } catch (IOException | RuntimeException e) {
        // One line, whatever the caller has written into the address.
        LOG.warn(
            "{} is answered as HDFS does: {}",
            http.getRequestURI(),
            OneLine.of(String.valueOf(e.getMessage())));
      }
    }
    chain.doFilter(passed, response);
  }

  @Override
  public void destroy() {
    deferral = null;
  }

  /** Names of parameters know no case. */
  private static @Nullable String parameter(HttpServletRequest request, String name) {
    for (Map.Entry<String, String[]> entry : request.getParameterMap().entrySet()) {
      if (entry.getKey().equalsIgnoreCase(name) && entry.getValue().length > 0) {
        return entry.getValue()[0];
      }
    }
    return null;
  }

  private static String upper(@Nullable String text) {
    return text == null ? "" : text.toUpperCase(Locale.ROOT);
  }

  private HttpServletRequest opening(Deferral deferral, HttpServletRequest request)
      throws IOException {
    String text = parameter(request, "offset");
    long offset = text == null ? 0 : Long.parseLong(text);
    NameNodeHost host = deferral.host();
    long block = blockAt(host, path(request), offset);
    if (block < 0) {
      return request;
    }
    await(deferral, request, block);
    Set<String> suspects = suspectsBeside(host, block);
    return suspects.isEmpty() ? request : new Excluding(request, String.join(",", suspects));
  }

  /** The id of a file's block that holds an offset; -1 where there is none. */
  private static long blockAt(NameNodeHost host, String path, long offset) throws IOException {
    return host.reading(
        "braidOpen",
        () -> {
          INode inode =
              host.namesystem().getFSDirectory().unprotectedResolvePath(path).getLastINode();
          if (inode == null || !inode.isFile() || inode.asFile().isStriped()) {
            return -1L;
          }
          long end = 0;
          for (BlockInfo block : inode.asFile().getBlocks()) {
            end += block.getNumBytes();
            if (offset < end) {
              return block.getBlockId();
            }
          }
          return -1L;
        });
  }

  private void await(Deferral deferral, HttpServletRequest request, long block) throws IOException {
    if (!deferral.demands().mayBeServed()
        || deferral.lostBlocks().rebuildable(Set.of(block)).isEmpty()) {
      return;
    }
    String user = reader(deferral.host(), request);
    if (!places.take(user)) {
      return;
    }
    try {
      CountDownLatch over = new CountDownLatch(1);
      if (deferral.demands().await(user, List.of(block), List.of(), over::countDown)
          && !over.await(2 * DeferralSettings.WAIT_MOST, TimeUnit.MILLISECONDS)) {
        LOG.warn("blk_{} was waited for too long", block);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.giveBack(user);
    }
  }

  /**
   * Who reads, as WebHDFS sees it.
   *
   * @throws IOException when that user may not read the file
   */
  private static String reader(NameNodeHost host, HttpServletRequest request) throws IOException {
    UserGroupInformation caller =
        JspHelper.getUGI(request.getServletContext(), request, host.conf());
    PrivilegedExceptionAction<Boolean> check =
        () -> {
          host.calls().checkAccess(path(request), FsAction.READ);
          // Superusers, whom it lets access all, may not read all.
          CallerRights rights = CallerRights.of(host);
          return host.reading("braidOpen", () -> rights.checkReading(path(request)) != null);
        };
    try {
      caller.doAs(check);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the NameNode is stopping", e);
    }
    return caller.getShortUserName();
  }

  private static String path(HttpServletRequest request) {
    return new WebHdfsRequest(request).path();
  }

  /** Suspect nodes with a copy of a block, if there are others that are not. */
  private static Set<String> suspectsBeside(NameNodeHost host, long id) throws IOException {
    return host.reading(
        "braidOpen",
        () -> {
          Set<String> suspects = new LinkedHashSet<>();
          boolean others = false;
          Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
          if (block.isPresent()) {
            for (ReplicaView replica : ReplicaView.of(host.blocks(), block.get())) {
              DatanodeDescriptor node = replica.node();
              if (replica.suspect(host)) {
                suspects.add(node.getXferAddr());
              } else {
                others |= replica.alive() && !replica.corrupt();
              }
            }
          }
          return others ? suspects : Set.of();
        });
  }

  /** A request that names nodes not to redirect to, as WebHDFS's own client does. */
  private static final class Excluding extends HttpServletRequestWrapper {
    private final String nodes;

    Excluding(HttpServletRequest request, String nodes) {
      super(request);
      String given = parameter(request, EXCLUDED);
      this.nodes = given == null || given.isEmpty() ? nodes : given + "," + nodes;
    }

    @Override
    public String getQueryString() {
      StringBuilder query = new StringBuilder();
      String given = super.getQueryString();
      for (String part : given == null ? new String[0] : given.split("&", -1)) {
        if (!part.toLowerCase(Locale.ROOT).startsWith(EXCLUDED + "=")) {
          query.append(part).append('&');
        }
      }
      return query + EXCLUDED + "=" + URLEncoder.encode(nodes, StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, String[]> getParameterMap() {
      Map<String, String[]> all = new HashMap<>(super.getParameterMap());
      all.keySet().removeIf(EXCLUDED::equalsIgnoreCase);
      all.put(EXCLUDED, new String[] {nodes});
      return all;
    }

    @Override
    public @Nullable String getParameter(String name) {
      return name.equals(EXCLUDED) ? nodes : super.getParameter(name);
    }
  }
}
