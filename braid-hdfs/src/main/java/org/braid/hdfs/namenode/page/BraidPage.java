package org.braid.hdfs.namenode.page;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.servlet.ServletContext;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.common.JspHelper;
import org.apache.hadoop.http.HttpServer2;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Time;
import org.braid.hdfs.namenode.deferral.Deferral;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.lease.Leases;
import org.braid.hdfs.namenode.stripes.StripeIndex;
import org.braid.hdfs.namenode.view.StripeFigures;
import org.braid.thread.DaemonThreads;
import org.braid.thread.Turn;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows Braid's work as a page of the NameNode's own web server and as JSON. Collects the figures
 * at most once a second, however many clients ask.
 */
public final class BraidPage implements Closeable {
  /** The path of the page. */
  public static final String PATH = "/braid";

  /** The path of the same figures as JSON. */
  public static final String JSON_PATH = "/braid.json";

  static final String ATTRIBUTE = "braid-page";
  private static final Logger LOG = LoggerFactory.getLogger(BraidPage.class);
  private static final long FRESH_MILLIS = 1000;
  private static final long LOOK_MILLIS = 10_000;

  private final NameNodeHost host;
  private final PageGatherer gatherer;
  private final PolicyReader policies;
  private final History history;
  private final InstantSource clock;
  private final Thread thread = DaemonThreads.of("braid-page", this::run);
  private long sampled;
  private long gathered;
  private @Nullable PageFigures figures;

  /** What was written of these figures. */
  private final Map<Form, byte[]> written = new EnumMap<>(Form.class);

  /** The form of the page, by the rights of its reader. */
  enum Form {
    HTML,
    JSON,
    /** HTML for readers who may not see the policies. */
    HTML_WITHOUT_POLICIES,
    /** JSON for readers who may not see the policies. */
    JSON_WITHOUT_POLICIES
  }

  private BraidPage(
      NameNodeHost host,
      StripeIndex index,
      StripeFigures figures,
      Leases leases,
      Deferral deferral,
      InstantSource clock) {
    this.host = host;
    this.clock = clock;
    policies = PolicyReader.of(host);
    history = new History();
    gatherer = new PageGatherer(host, index, figures, leases, deferral, policies, history, clock);
    sampled = Time.monotonicNow() - History.INTERVAL_MILLIS;
  }

  /**
   * Adds the page to a NameNode's web server, behind the same authentication as its other pages.
   *
   * @param figures the state of stripes
   * @param clock the time of day
   */
  public static BraidPage install(
      NameNodeHost host,
      StripeIndex index,
      StripeFigures figures,
      Leases leases,
      Deferral deferral,
      InstantSource clock) {
    BraidPage page = new BraidPage(host, index, figures, leases, deferral, clock);
    HttpServer2 server = host.nameNode().getHttpServer();
    server.setAttribute(ATTRIBUTE, page);
    server.addServlet("braid", PATH, PageServlet.class);
    server.addServlet("braid-json", JSON_PATH, PageServlet.class);
    page.thread.start();
    return page;
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(LOOK_MILLIS);
        Turn.take(
            this::look, e -> LOG.warn("the page may lack something, again soon: {}", e.toString()));
      }
    } catch (InterruptedException e) {
      LOG.debug("the page does not look any more");
    }
  }

  private void look() {
    if (host.nameNode().isActiveState()) {
      policies.look();
    } else {
      policies.forget();
    }
    Set<String> registered = new HashSet<>();
    for (DatanodeDescriptor node : host.nodes().getDatanodes()) {
      registered.add(node.getDatanodeUuid());
    }
    host.traffic().keep(registered);
    if (Time.monotonicNow() - sampled >= History.INTERVAL_MILLIS) {
      sample();
      sampled = Time.monotonicNow();
    }
  }

  /** Adds a sample to the history; called every ten minutes. */
  public void sample() {
    history.take(clock.millis(), Time.monotonicNow(), gatherer.sample());
  }

  /** What is known now, or was at most a second ago. */
  private PageFigures figures() throws IOException {
    PageFigures known = figures;
    if (known == null || Time.monotonicNow() - gathered > FRESH_MILLIS) {
      known = gatherer.gather();
      figures = known;
      gathered = Time.monotonicNow();
      written.clear();
    }
    return known;
  }

  /** The figures in a form. */
  synchronized byte[] write(Form form) throws IOException {
    PageFigures known = figures();
    return written.computeIfAbsent(form, key -> bytes(key, known));
  }

  private static byte[] bytes(Form form, PageFigures known) {
    String text =
        switch (form) {
          case HTML -> PageHtml.write(known);
          case JSON -> PageJson.write(known);
          case HTML_WITHOUT_POLICIES -> PageHtml.write(known.withoutPolicies());
          case JSON_WITHOUT_POLICIES -> PageJson.write(known.withoutPolicies());
        };
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Whether the reader may see the policies, which are a file of the superuser. Without Kerberos
   * anybody may claim to be the superuser.
   */
  boolean tellsPolicies(ServletContext context, HttpServletRequest request) {
    if (!UserGroupInformation.isSecurityEnabled()) {
      return true;
    }
    try {
      return host.isSuperuser(JspHelper.getUGI(context, request, host.conf()));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
