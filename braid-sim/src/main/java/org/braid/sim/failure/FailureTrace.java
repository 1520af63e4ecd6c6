package org.braid.sim.failure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.braid.placement.Topology;

/**
 * Failures and outages in the order of time, recorded on a cluster or drawn by a {@link
 * FailureProcess}.
 *
 * <p>The text form has one line an event, {@code HOURS WHAT DOMAIN NAME}: {@code 12.5 down node
 * r3n7}, {@code 13 up node r3n7}, {@code 80 fail rack r2}. {@code fail} loses all blocks, {@code
 * down} makes them unreadable until {@code up} or {@code fail}. A {@code #} begins a comment.
 *
 * @param events in the order of time
 */
public record FailureTrace(List<Event> events) {
  /** A trace without failures. */
  public static final FailureTrace EMPTY = new FailureTrace(List.of());

  private static final int FIELDS = 4;

  public FailureTrace {
    events = List.copyOf(events);
  }

  /**
   * A failure or an outage.
   *
   * @param at seconds from the start of the trace
   * @param domain what kind of thing fails
   * @param index its number in the topology
   * @param until when it is back, in seconds; infinite when it does not come back or is lost
   * @param lost whether its blocks are lost
   */
  public record Event(double at, FailureDomain domain, int index, double until, boolean lost) {
    public Event {
      if (!(at >= 0) || !(until >= at)) {
        throw new IllegalArgumentException(
            "%s %d fails at %s s and is back at %s s".formatted(domain.label(), index, at, until));
      }
    }
  }

  /** An outage that has not ended yet. */
  private record Open(int event, int line) {}

  /**
   * Parses a trace.
   *
   * @param name of the file, for messages
   * @throws IllegalArgumentException naming the line that is malformed, out of order, names
   *     something that the topology does not have, or contradicts an earlier line
   */
  public static FailureTrace parse(String name, List<String> lines, Topology topology) {
    List<Event> events = new ArrayList<>();
    Map<String, Open> open = new HashMap<>();
    double last = 0;
    for (int i = 0; i < lines.size(); i++) {
      String text = lines.get(i).replaceFirst("#.*", "").strip();
      if (text.isEmpty()) {
        continue;
      }
      try {
        String[] fields = text.split("[\\s,]+", -1);
        if (fields.length != FIELDS) {
          throw new IllegalArgumentException(
              "it has %d fields, not %d: HOURS down|up|fail node|rack|site NAME"
                  .formatted(fields.length, FIELDS));
        }
        double at = hours(fields[0]) * 3600;
        if (at < last) {
          throw new IllegalArgumentException(
              "it is at hour %s, the line before at %s: sort the trace by time"
                  .formatted(number(at / 3600), number(last / 3600)));
        }
        last = at;
        add(fields, at, i + 1, topology, events, open);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            name + " line " + (i + 1) + ": " + e.getMessage() + " (\"" + text + "\")", e);
      }
    }
    return new FailureTrace(events);
  }

  private static void add(
      String[] fields,
      double at,
      int line,
      Topology topology,
      List<Event> events,
      Map<String, Open> open) {
    FailureDomain domain = domain(fields[2]);
    int index = index(domain, fields[3], topology);
    String key = domain + " " + index;
    Open before = open.get(key);
    switch (fields[1]) {
      case "down" -> {
        if (before != null) {
          throw new IllegalArgumentException("it is down since line " + before.line());
        }
        open.put(key, new Open(events.size(), line));
        events.add(new Event(at, domain, index, Double.POSITIVE_INFINITY, false));
      }
      case "up" -> {
        if (before == null) {
          throw new IllegalArgumentException("it is not down");
        }
        close(before, at, events);
        open.remove(key);
      }
      case "fail" -> {
        if (before != null) { // what takes its place is up
          close(before, at, events);
          open.remove(key);
        }
        events.add(new Event(at, domain, index, Double.POSITIVE_INFINITY, true));
      }
      default ->
          throw new IllegalArgumentException("\"" + fields[1] + "\" is none of down, up and fail");
    }
  }

  /** Ends an outage. */
  private static void close(Open outage, double at, List<Event> events) {
    Event down = events.get(outage.event());
    events.set(outage.event(), new Event(down.at(), down.domain(), down.index(), at, false));
  }

  private static FailureDomain domain(String text) {
    for (FailureDomain domain : FailureDomain.values()) {
      if (domain.label().equals(text)) {
        return domain;
      }
    }
    throw new IllegalArgumentException("\"" + text + "\" is none of node, rack and site");
  }

  private static double hours(String text) {
    if (!text.matches("[0-9]{1,9}(\\.[0-9]{1,9})?")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a time: write hours since the start, as in 12.5");
    }
    return Double.parseDouble(text);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.4f", value).replaceFirst("\\.?0+$", "");
  }

  private static int index(FailureDomain domain, String name, Topology topology) {
    OptionalInt found =
        switch (domain) {
          case NODE -> topology.indexOf(name);
          case RACK -> first(topology.racks(), rack -> topology.rackName(rack).equals(name));
          case SITE -> first(topology.sites(), site -> topology.siteName(site).equals(name));
        };
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "the cluster has no %s \"%s\"; it has %d nodes in %d racks at %d sites, the first node is %s"
                    .formatted(
                        domain.label(),
                        name,
                        topology.nodes(),
                        topology.racks(),
                        topology.sites(),
                        topology.nodeName(0))));
  }

  private static OptionalInt first(int count, IntPredicate matches) {
    return IntStream.range(0, count).filter(matches).findFirst();
  }
}
