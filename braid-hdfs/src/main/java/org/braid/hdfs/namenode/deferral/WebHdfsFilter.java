package org.braid.hdfs.namenode.deferral;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.JspHelper;
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
 * Lets WebHDFS reads of a lost block wait until it is rebuilt, and redirects them to nodes that are
 * not suspect. The DataNode that serves a read reads later blocks as an HDFS client, whose calls
 * wait in turn. A request for a checksum or an append is redirected to a node with the file's last
 * block; this node, too, works as an HDFS client. A request for a checksum cannot exclude nodes
 * from the redirect, so HDFS's answer is changed instead.
 *
 * <p>A waiting request holds a thread of the web server: at most {@link #MOST} wait in all and
 * {@link #MOST_OF_A_USER} of one user. No request waits for a file that its user may not read, or
 * may not write if it appends.
 */
public final class WebHdfsFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(WebHdfsFilter.class);
  private static final String NAME = "braid-webhdfs";
  private static final String PREFIX = "/webhdfs/v1";
  private static final String EXCLUDED = "excludedatanodes";
  private static final String READ = "GET OPEN";
  private static final String CHECKSUM = "GET GETFILECHECKSUM";
  private static final String APPEND = "POST APPEND";

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
    RedirectedAnswer redirected = null;
    Deferral present = deferral;
    if (present != null
        && present.host().nameNode().getNamesystem() != null
        && request instanceof HttpServletRequest http
        && response instanceof HttpServletResponse answer) {
      try {
        Optional<FileRequest> asked = FileRequest.of(http);
        Copies copies = asked.isEmpty() ? Copies.NONE : awaited(present, http, asked.get());
        if (asked.isPresent() && asked.get().operation().equals(CHECKSUM)) {
          Map<String, String> instead = copies.instead();
          redirected = instead.isEmpty() ? null : new RedirectedAnswer(answer, instead);
        } else if (!copies.suspects().isEmpty()) {
          passed = new Excluding(http, copies.addresses());
        }
      } catch (FileNotFoundException e) {
        LOG.debug("{} is not there", http.getRequestURI()); // HDFS says so
      } catch (IOException | RuntimeException e) {
        // One line, whatever the caller has written into the address.
        LOG.warn(
            "{} is answered as HDFS does: {}",
            http.getRequestURI(),
            OneLine.of(String.valueOf(e.getMessage())));
      }
    }
    if (redirected == null) {
      chain.doFilter(passed, response);
    } else {
      chain.doFilter(passed, redirected);
      redirected.finish();
    }
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

  /**
   * A request that needs a block of a file.
   *
   * @param operation method and operation
   * @param offset the byte for which HDFS looks for a node; empty: the last one
   */
  private record FileRequest(String path, String operation, OptionalLong offset) {
    /**
     * Reads a request; empty for other requests, and if versions of HDFS resolve the path
     * differently.
     */
    static Optional<FileRequest> of(HttpServletRequest request) {
      WebHdfsRequest read = new WebHdfsRequest(request);
      String operation = read.operation();
      return switch (operation) {
        case READ -> {
          OptionalLong offset = read.offset();
          yield offset.isPresent()
              ? Optional.of(new FileRequest(read.path(), operation, offset))
              : Optional.empty();
        }
        case CHECKSUM -> last(List.of(read.path()), operation);
        case APPEND -> last(read.postedPaths(), operation);
        default -> Optional.empty();
      };
    }

    private static Optional<FileRequest> last(List<String> paths, String operation) {
      return paths.size() == 1
          ? Optional.of(new FileRequest(paths.get(0), operation, OptionalLong.empty()))
          : Optional.empty();
    }
  }

  /** The copies of the block that a request needs, which is waited for where it is lost. */
  private Copies awaited(Deferral deferral, HttpServletRequest request, FileRequest asked)
      throws IOException {
    NameNodeHost host = deferral.host();
    long block = NeededBlock.at(host, asked.path, asked.offset);
    if (block < 0) {
      return Copies.NONE;
    }
    await(deferral, request, asked, block);
    return suspectsBeside(host, block);
  }

  private void await(Deferral deferral, HttpServletRequest request, FileRequest asked, long block)
      throws IOException {
    if (!deferral.demands().mayBeServed()
        || deferral.lostBlocks().rebuildable(Set.of(block)).isEmpty()) {
      return;
    }
    String user = caller(deferral.host(), request, asked);
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
   * Who asks, as WebHDFS sees it.
   *
   * @throws IOException when that user may not read the file, which HDFS wants of all whom it
   *     redirects to a block, or may not write to it
   */
  private static String caller(NameNodeHost host, HttpServletRequest request, FileRequest asked)
      throws IOException {
    String path = asked.path;
    boolean writes = asked.operation.equals(APPEND);
    UserGroupInformation caller =
        JspHelper.getUGI(request.getServletContext(), request, host.conf());
    PrivilegedExceptionAction<Boolean> check =
        () -> {
          host.calls().checkAccess(path, FsAction.READ);
          // Superusers, whom it lets access all, may not read all.
          CallerRights rights = CallerRights.of(host);
          return host.readingFiles(
              "braidOpen",
              () ->
                  rights.checkReading(path) != null
                      && (!writes || rights.check(path, FsAction.WRITE) != null));
        };
    try {
      caller.doAs(check);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the NameNode is stopping", e);
    }
    return caller.getShortUserName();
  }

  /**
   * The copies of a block, as far as HDFS is not to redirect to them.
   *
   * @param suspects suspect nodes, if there are others that are not
   * @param named the first node that an answer may name in their place
   */
  private record Copies(List<DatanodeDescriptor> suspects, Optional<DatanodeDescriptor> named) {
    static final Copies NONE = new Copies(List.of(), Optional.empty());

    /** The addresses of the suspect nodes, in the form in which a request excludes them. */
    String addresses() {
      return suspects.stream()
          .map(DatanodeDescriptor::getXferAddr)
          .collect(Collectors.joining(","));
    }

    /** The address of the node to name, by the addresses of the suspect nodes. */
    Map<String, String> instead() {
      Map<String, String> instead = new LinkedHashMap<>();
      if (named.isPresent()) {
        DatanodeDescriptor node = named.get();
        for (DatanodeDescriptor suspect : suspects) {
          instead.put(web(suspect, suspect.getInfoPort()), web(node, node.getInfoPort()));
          instead.put(
              web(suspect, suspect.getInfoSecurePort()), web(node, node.getInfoSecurePort()));
        }
      }
      return instead;
    }
  }

  /** Suspect nodes with a copy of a block, if there are others that are not. */
  private static Copies suspectsBeside(NameNodeHost host, long id) throws IOException {
    return host.readingBlocks(
        "braidOpen",
        () -> {
          List<DatanodeDescriptor> suspects = new ArrayList<>();
          List<ReplicaView> others = new ArrayList<>();
          Optional<BlockInfo> block = ReplicaView.stored(host.blocks(), id);
          if (block.isPresent()) {
            for (ReplicaView replica : ReplicaView.of(host.blocks(), block.get())) {
              if (replica.suspect(host)) {
                suspects.add(replica.node());
              } else if (replica.alive() && !replica.corrupt()) {
                others.add(replica);
              }
            }
          }
          Optional<DatanodeDescriptor> named =
              others.stream()
                  .filter(ReplicaView::usable)
                  .map(ReplicaView::node)
                  .filter(node -> !node.isDecommissioned() && !node.isInMaintenance())
                  .findFirst();
          return others.isEmpty() ? Copies.NONE : new Copies(suspects, named);
        });
  }

  /** A node's web server, as WebHDFS names it. */
  private static String web(DatanodeDescriptor node, int port) {
    return node.getHostName() + ":" + port;
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
