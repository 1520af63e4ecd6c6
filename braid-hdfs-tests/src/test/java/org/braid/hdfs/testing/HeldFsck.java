package org.braid.hdfs.testing;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * HDFS's {@code fsck} that takes long: it waits behind all filters, as if it still went through
 * other directories, and looks at files when it is let go on.
 */
public final class HeldFsck implements AutoCloseable {
  private static final long MOST_SECONDS = 120;

  private static volatile CountDownLatch entered = new CountDownLatch(0);
  private static volatile CountDownLatch release = new CountDownLatch(0);

  private final CompletableFuture<HttpResponse<String>> answer;

  private HeldFsck(CompletableFuture<HttpResponse<String>> answer) {
    this.answer = answer;
  }

  /** In front of the servlet. */
  public static final class Gate implements Filter {
    /** Called by the web server. */
    public Gate() {}

    @Override
    public void init(FilterConfig config) {}

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      entered.countDown();
      try {
        release.await(MOST_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      chain.doFilter(request, response);
    }

    @Override
    public void destroy() {}
  }

  /** Has a NameNode's fsck wait when it is told to; once for each NameNode. */
  public static void install(NameNode nameNode) {
    HttpServer2.defineFilter(
        nameNode.getHttpServer().getWebAppContext(),
        "held-fsck",
        Gate.class.getName(),
        Map.of(),
        new String[] {"/fsck"});
  }

  /**
   * Begins one, and returns when it was allowed and waits.
   *
   * @param how {@code delete} or {@code move}
   */
  public static HeldFsck begin(NameNode nameNode, String path, String how) throws IOException {
    entered = new CountDownLatch(1);
    release = new CountDownLatch(1);
    String asked =
        "http://%s/fsck?path=%s&%s=1&ugi=%s"
            .formatted(
                NetUtils.getHostPortString(nameNode.getHttpAddress()),
                URLEncoder.encode(path, StandardCharsets.UTF_8),
                how,
                UserGroupInformation.getCurrentUser().getShortUserName());
    CompletableFuture<HttpResponse<String>> answer =
        HttpClient.newHttpClient()
            .sendAsync(
                HttpRequest.newBuilder(URI.create(asked)).build(),
                HttpResponse.BodyHandlers.ofString());
    try {
      if (!entered.await(MOST_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("fsck does not begin: " + answer);
      }
    } catch (InterruptedException e) {
      throw new InterruptedIOException("waiting for fsck to begin");
    }
    return new HeldFsck(answer);
  }

  /** Lets it go on, waits for its end, and returns what it said. */
  public String end() throws Exception {
    release.countDown();
    return answer.get(MOST_SECONDS, TimeUnit.SECONDS).body();
  }

  @Override
  public void close() throws Exception {
    end();
  }
}
