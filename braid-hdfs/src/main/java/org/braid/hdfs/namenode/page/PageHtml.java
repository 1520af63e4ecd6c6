package org.braid.hdfs.namenode.page;

import static org.braid.hdfs.namenode.page.Html.cell;
import static org.braid.hdfs.namenode.page.Html.marked;
import static org.braid.hdfs.namenode.page.Html.number;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.braid.hdfs.api.view.Health;
import org.braid.hdfs.policy.Moments;
import org.jspecify.annotations.Nullable;

/** Writes the page's figures as HTML, without scripts and without external resources. */
final class PageHtml {
  /** Nodes that are listed; {@code /braid.json} has all. */
  static final int MOST_NODES = 100;

  private static final int MOST_RACKS = 200;
  private static final int REFRESH_SECONDS = 10;
  private static final String STYLE = style();

  private final PageFigures figures;
  private final Html html = new Html();

  private PageHtml(PageFigures figures) {
    this.figures = figures;
  }

  /** The page. */
  static String write(PageFigures figures) {
    return new PageHtml(figures).page();
  }

  private static String style() {
    try (InputStream in = PageHtml.class.getResourceAsStream("page.css")) {
      if (in == null) {
        throw new IllegalStateException("page.css is missing beside its class");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String page() {
    html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n")
        .markup("<meta http-equiv=\"refresh\" content=\"" + REFRESH_SECONDS + "\"/>\n")
        .markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n")
        .element("title", "Braid: " + word(figures.health()) + ", " + figures.nameNode())
        .markup("\n<style>\n" + STYLE + "</style>\n</head>\n<body>\n<nav>")
        .markup("<a href=\"/dfshealth.html#tab-overview\">Hadoop</a>")
        .markup("<a href=\"/dfshealth.html#tab-overview\">Overview</a>")
        .markup("<a href=\"/dfshealth.html#tab-datanode\">Datanodes</a>")
        .markup("<b>Braid</b><a href=\"/explorer.html#/\">Browse</a>")
        .markup("<a href=\"/logs/\">Logs</a><a href=\"/jmx\">Metrics</a></nav>\n<main>\n");
    html.markup("<h1>Braid ").element("small", "'" + figures.nameNode() + "'").markup("</h1>\n");
    html.element(
        "p",
        "quiet",
        figures.state()
            + (figures.safeMode() ? ", in safe mode" : "")
            + ", at "
            + figures.at()
            + "; loads itself again every "
            + REFRESH_SECONDS
            + " s");
    health();
    tiles();
    work();
    stored();
    traffic();
    nodes();
    policies();
    history();
    html.markup("<footer>The same figures as JSON, of all nodes: ")
        .markup("<a href=\"/braid.json\">/braid.json</a>. Figures for monitoring systems: ")
        .markup("<a href=\"/jmx?qry=Hadoop:service=NameNode,name=Braid*\">/jmx</a>, /prom.")
        .markup("</footer>\n</main>\n</body>\n</html>\n");
    return html.toString();
  }

  private static String word(@Nullable Health health) {
    return health == null ? "unknown" : word(health.word());
  }

  private static String word(Health.Word word) {
    return word.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private void health() {
    Health health = figures.health();
    String style = health == null ? "" : " " + health.word().name().toLowerCase(Locale.ROOT);
    html.markup("<div class=\"health" + style + "\">").element("strong", word(health));
    if (!figures.notice().isEmpty()) {
      html.element("p", figures.notice());
    }
    if (health != null && !health.causes().isEmpty()) {
      html.markup("<ul>");
      for (Health.Cause cause : health.causes()) {
        html.markup("<li>").text(word(cause.word()) + ": " + cause.what()).markup("</li>\n");
      }
      html.markup("</ul>");
    }
    html.markup("</div>\n");
  }

  private void tile(Object value, String about) {
    html.markup("<div class=\"tile\">")
        .element("b", value)
        .element("span", about)
        .markup("</div>\n");
  }

  private void tiles() {
    PageFigures.Stored stored = figures.stored();
    html.markup("<div class=\"tiles\">\n");
    tile(Units.bytes(stored.savedBytes()), "saved by conversion");
    Long replicated = stored.replicatedBytes();
    if (replicated != null) {
      tile(Units.bytes(replicated), "replicated, with all copies");
    }
    tile(
        Units.bytes(stored.dataBytes()),
        "converted, and " + Units.bytes(stored.parityBytes()) + " of parity");
    PageFigures.Stripes stripes = figures.stripes();
    if (stripes == null) {
      tile(Units.count(stored.stripes()), "stripes");
    } else {
      long damaged = stripes.degraded() + stripes.atRisk() + stripes.lost() + stripes.unreadable();
      tile(Units.count(damaged), "damaged of " + Units.count(stored.stripes(), "stripe"));
    }
    PageFigures.Waiting waiting = figures.waiting();
    if (waiting != null) {
      tile(
          Units.count(waiting.calls()),
          waiting.calls() > 0 && !waiting.served()
              ? "calls waiting, nobody rebuilds"
              : "calls waiting for lost blocks");
    }
    html.markup("</div>\n");
  }

  private void holder(String how, PageFigures.Lease lease) {
    html.markup("<p>" + how)
        .element("b", lease.holder())
        .text(" for " + Units.time(lease.seconds()) + ".")
        .markup("</p>\n");
    progress(lease.work());
  }

  private void work() {
    PageFigures.Waiting waiting = figures.waiting();
    if (waiting == null) {
      return; // a standby does not know
    }
    html.element("h2", "Work");
    PageFigures.Lease lease = figures.lease();
    if (lease == null) {
      html.markup("<p>Nobody holds the lease: nothing is converted, repaired or restored now.</p>");
    } else {
      holder("The lease is held by ", lease);
      figures.beside().forEach(other -> holder("Beside it works ", other));
    }
    String next = waiting.forLease();
    if (next != null) {
      html.element("p", next + " waits for the lease.");
    }
    if (waiting.standingBy() > 0) {
      html.element(
          "p",
          "quiet",
          "%s by for when its holder ends."
              .formatted(
                  waiting.standingBy() == 1
                      ? "1 daemon stands"
                      : waiting.standingBy() + " daemons stand"));
    }
    PageFigures.Scrub scrub = figures.scrub();
    if (scrub != null) {
      Long last = scrub.lastFindings();
      Long unread = scrub.lastUnread();
      html.element(
          "p",
          "quiet",
          "Scrub of all stripes: %d %% of this round, %s so far; %s; %s."
              .formatted(
                  scrub.percent(),
                  Units.count(scrub.findings(), "finding"),
                  last == null
                      ? "no round has ended yet"
                      : Units.count(last, "finding")
                          + " in the last round"
                          + (unread == null || unread == 0
                              ? ""
                              : ", which could not read " + Units.count(unread, "replica")),
                  readWithin(scrub)));
    }
  }

  /** Within which time every stripe was read. */
  private String readWithin(PageFigures.Scrub scrub) {
    if (figures.stored().stripes() == 0) {
      return "there are no stripes";
    }
    Long oldest = scrub.oldestSeconds();
    return oldest == null || scrub.lastFindings() == null
        ? "not every stripe was read yet"
        : "every stripe was read within " + Units.time(oldest);
  }

  private void progress(PageFigures.@Nullable Work work) {
    if (work == null) {
      html.markup("<p class=\"quiet\">It has not said yet how far it is.</p>\n");
    } else if (work.total() <= 0) {
      html.element("p", work.phase() + ", for " + Units.time(work.seconds()) + because(work));
    } else {
      Long left = work.secondsLeft();
      html.markup(
              "<progress max=\""
                  + work.total()
                  + "\" value=\""
                  + Math.min(work.done(), work.total())
                  + "\"></progress>\n")
          .element(
              "p",
              "%s: %s of %s (%d %%) in %s; %s%s"
                  .formatted(
                      work.phase(),
                      Units.count(work.done()),
                      Units.count(work.total()),
                      (int) (100.0 * Math.min(work.done(), work.total()) / work.total()),
                      Units.time(work.seconds()),
                      left == null
                          ? "how long it still takes cannot be told yet"
                          : "about " + Units.time(left) + " left",
                      because(work)));
    }
  }

  private static String because(PageFigures.Work work) {
    return work.cause().isEmpty() ? "" : "; why: " + work.cause();
  }

  private void stored() {
    html.element("h2", "Stripes").markup("<div class=\"two\">\n<div>\n");
    PageFigures.Stripes stripes = figures.stripes();
    if (stripes != null) {
      html.table("state", ">stripes", "");
      state("healthy", stripes.healthy(), "good", "all is as promised");
      state("misplaced", stripes.misplaced(), "warn", "blocks are in wrong places");
      state("degraded", stripes.degraded(), "warn", "blocks are lost, further ones may be");
      state("at risk", stripes.atRisk(), "bad", "the next loss may cost data");
      state("lost", stripes.lost(), "worst", "blocks are lost that those left do not give back");
      state("unreadable", stripes.unreadable(), "bad", "this release cannot read them");
      state("thinned", stripes.thinned(), "warn", "lost blocks to deletions, encoded anew");
      html.end();
      if (stripes.oldestDamageSeconds() > 0) {
        html.element(
            "p", "One has lacked blocks for " + Units.time(stripes.oldestDamageSeconds()) + ".");
      }
    }
    html.markup("</div>\n<div>\n");
    if (figures.stored().codes().isEmpty()) {
      html.markup("<p class=\"quiet\">Nothing is converted.</p>");
    } else {
      html.table("code", ">stripes", ">data blocks", ">data", ">parity");
      for (PageFigures.Code code : figures.stored().codes()) {
        html.row(
            cell(code.code()),
            number(Units.count(code.stripes())),
            number(Units.count(code.dataBlocks())),
            number(Units.bytes(code.dataBytes())),
            number(Units.bytes(code.parityBytes())));
      }
      html.end();
    }
    html.markup("</div>\n</div>\n");
  }

  private void state(String word, long count, String style, String about) {
    html.row(count > 0 ? marked(word, style) : cell(word), number(Units.count(count)), cell(about));
  }

  private void traffic() {
    PageFigures.Traffic traffic = figures.traffic();
    html.element("h2", "Traffic")
        .element(
            "p",
            "quiet",
            "As DataNodes say, since this NameNode started "
                + Units.time(traffic.seconds())
                + " ago; a second: over the last minute. Braid counts what nodes send to each"
                + " other, HDFS what its clients read and write.")
        .table("for", ">now", ">bytes", ">in rack", ">between racks", ">between sites", ">unknown");
    for (PageFigures.Sent sent : traffic.causes()) {
      html.row(
          cell("Braid: " + sent.cause().replace('_', ' ')),
          number(Units.rate(sent.bytesPerSecond())),
          number(Units.bytes(sent.bytes())),
          link(sent, "in_rack"),
          link(sent, "cross_rack"),
          link(sent, "cross_site"),
          link(sent, "unknown"));
    }
    PageFigures.Clients clients = traffic.clients();
    client("clients read", clients.readBytesPerSecond(), clients.readBytes());
    client("clients write", clients.writtenBytesPerSecond(), clients.writtenBytes());
    html.end();
  }

  private void client(String what, long perSecond, long bytes) {
    html.row(
        cell(what),
        number(Units.rate(perSecond)),
        number(Units.bytes(bytes)),
        cell(""),
        cell(""),
        cell(""),
        cell(""));
  }

  private static Html.Cell link(PageFigures.Sent sent, String link) {
    Long bytes = sent.links().get(link);
    return number(bytes == null ? "" : Units.bytes(bytes));
  }

  private void nodes() {
    html.element("h2", "Racks and nodes")
        .table(
            "rack",
            ">nodes",
            "",
            ">Braid sends",
            ">sent in all",
            ">clients read",
            ">clients write");
    for (PageFigures.Rack rack : figures.racks().subList(0, most(figures.racks(), MOST_RACKS))) {
      long dead = rack.nodes() - rack.live();
      html.row(
          cell(rack.rack()),
          number(Units.count(rack.nodes())),
          marked(
              (dead > 0 ? Units.count(dead) + " dead " : "")
                  + (rack.suspect() > 0 ? Units.count(rack.suspect()) + " silent" : ""),
              "bad"),
          number(Units.rate(rack.sentBytesPerSecond())),
          number(Units.bytes(rack.sentBytes())),
          number(Units.rate(rack.clients().readBytesPerSecond())),
          number(Units.rate(rack.clients().writtenBytesPerSecond())));
    }
    html.end();
    left(figures.racks(), MOST_RACKS, "racks");
    html.table(
        "node",
        "rack",
        "",
        ">Braid sends",
        ">sent in all",
        ">clients read",
        ">clients write",
        "for");
    for (PageFigures.Node node : figures.nodes().subList(0, most(figures.nodes(), MOST_NODES))) {
      html.row(
          cell(node.host()),
          cell(node.rack()),
          marked(state(node), node.live() && !node.suspect() ? "good" : "bad"),
          number(Units.rate(node.sentBytesPerSecond())),
          number(Units.bytes(node.sentBytes())),
          number(Units.rate(node.clients().readBytesPerSecond())),
          number(Units.rate(node.clients().writtenBytesPerSecond())),
          cell(
              node.causes().stream()
                  .map(some -> some.cause().replace('_', ' ') + " " + Units.bytes(some.bytes()))
                  .collect(Collectors.joining(", "))));
    }
    html.end();
    left(figures.nodes(), MOST_NODES, "nodes, which moved less");
  }

  private static String state(PageFigures.Node node) {
    if (!node.live()) {
      return "dead";
    }
    return (node.suspect() ? "silent" : "live") + (node.inService() ? "" : ", leaves");
  }

  private static int most(List<?> list, int most) {
    return Math.min(list.size(), most);
  }

  private void left(List<?> list, int most, String what) {
    if (list.size() > most) {
      html.element(
          "p",
          "quiet",
          "And %s more %s: /braid.json has them.".formatted(Units.count(list.size() - most), what));
    }
  }

  private void policies() {
    PageFigures.Policies policies = figures.policies();
    if (policies == null) {
      return;
    }
    html.element("h2", "Policies");
    if (!policies.problem().isEmpty()) {
      html.element("p", "bad", policies.problem());
      return;
    }
    policies
        .pauses()
        .forEach(
            (work, until) ->
                html.element("p", "warn", work + " is paused until " + Moments.words(until)));
    if (policies.policies().isEmpty()) {
      html.markup("<p class=\"quiet\">There are none: files are converted by command alone.</p>\n");
      return;
    }
    html.table("policy", "", "does", "with");
    for (Map<String, Object> policy : policies.policies()) {
      boolean enabled = Boolean.TRUE.equals(policy.get("enabled"));
      html.row(
          cell(policy.getOrDefault("name", "")),
          marked(enabled ? "enabled" : "disabled", enabled ? "good" : "quiet"),
          cell(policy.getOrDefault("action", "")),
          cell(
              policy.entrySet().stream()
                  .filter(entry -> !List.of("name", "enabled", "action").contains(entry.getKey()))
                  .map(entry -> entry.getKey() + " " + entry.getValue())
                  .collect(Collectors.joining(", "))));
    }
    html.end()
        .element(
            "p",
            "quiet",
            "Change %d by %s at %s: %s"
                .formatted(policies.revision(), policies.user(), policies.at(), policies.change()));
  }

  private void history() {
    History.Series history = figures.history();
    html.element("h2", "History")
        .element(
            "p",
            "quiet",
            "Every ten minutes for at most a week, since this NameNode started: it is kept in"
                + " memory alone.");
    if (history.at().size() < 2) {
      html.markup("<p>There are too few samples yet.</p>\n");
      return;
    }
    List<Long> at = history.at();
    html.markup("<div class=\"charts\">\n");
    HistoryChart.draw(html, "Saved", at, List.of(), List.of(history.savedBytes()), Units::bytes);
    HistoryChart.draw(
        html,
        "Bytes a second",
        at,
        List.of("Braid", "clients"),
        List.of(
            sum(at.size(), List.copyOf(history.sentPerSecond().values())),
            sum(
                at.size(),
                List.of(history.clientReadPerSecond(), history.clientWrittenPerSecond()))),
        Units::rate);
    HistoryChart.draw(
        html, "Damaged stripes", at, List.of(), List.of(history.damagedStripes()), Units::count);
    HistoryChart.draw(
        html, "Calls waiting", at, List.of(), List.of(history.waitingCalls()), Units::count);
    html.markup("</div>\n");
  }

  private static List<Long> sum(int size, List<List<Long>> series) {
    return IntStream.range(0, size)
        .mapToObj(i -> series.stream().mapToLong(values -> values.get(i)).sum())
        .toList();
  }
}
