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
 * Failures as they happened. A text of lines {@code HOURS WHAT KIND NAME}, in the order of time:
 * {@code 12.5 down node r3n7}, {@code 13 up node r3n7}, {@code 80 fail rack r2}. {@code fail} loses
 * all blocks, {@code down} makes them unreadable until {@code up}. Blank lines and what follows a
 * {@code #} do not count.
 *
 * @param events in the order of time
 */
public record Trace(List<Event> events) {
  /** Nothing happened. */
  public static final Trace EMPTY = new Trace(List.of());

  private static final int FIELDS = 4;

  public Trace {
    events = List.copyOf(events);
  }

  /** What failed. */
  public enum Kind {
    NODE,
    RACK,
    SITE
  }

  /**
   * One event.
   *
   * @param at seconds from the start of the trace
   * @param kind what failed
   * @param index its number in the topology
   * @param until when it came back, seconds; infinite when it did not, or is lost
   * @param lost whether its blocks are lost
   */
  public record Event(double at, Kind kind, int index, double until, boolean lost) {}

  /** An outage that has not ended yet. */
  private record Open(int event, int line) {}

  /**
   * Reads a trace.
   *
   * @param name of the file, for messages
   * @throws IllegalArgumentException naming the line that is malformed, out of order, or about
   *     something that the topology does not have or that is in another state
   */
  public static Trace parse(String name, List<String> lines, Topology topology) {
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
    return new Trace(events);
  }

  private static void add(
      String[] fields,
      double at,
      int line,
      Topology topology,
      List<Event> events,
      Map<String, Open> open) {
    Kind kind = kind(fields[2]);
    int index = index(kind, fields[3], topology);
    String key = kind + " " + index;
    Open before = open.get(key);
    switch (fields[1]) {
      case "down" -> {
        if (before != null) {
          throw new IllegalArgumentException("it is down since line " + before.line());
        }
        open.put(key, new Open(events.size(), line));
        events.add(new Event(at, kind, index, Double.POSITIVE_INFINITY, false));
      }
      case "up" -> {
        if (before == null) {
          throw new IllegalArgumentException("it is not down");
        }
        open.remove(key);
        events.set(before.event(), ended(events.get(before.event()), at));
      }
      case "fail" -> {
        open.remove(key);
        events.add(new Event(at, kind, index, Double.POSITIVE_INFINITY, true));
      }
      default ->
          throw new IllegalArgumentException("\"" + fields[1] + "\" is none of down, up and fail");
    }
  }

  private static Event ended(Event event, double at) {
    return new Event(event.at(), event.kind(), event.index(), at, event.lost());
  }

  private static Kind kind(String text) {
    for (Kind kind : Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(text)) {
        return kind;
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

  private static int index(Kind kind, String name, Topology topology) {
    OptionalInt found =
        switch (kind) {
          case NODE -> topology.indexOf(name);
          case RACK -> named(topology.racks(), rack -> topology.rackName(rack).equals(name));
          case SITE -> named(topology.sites(), site -> topology.siteName(site).equals(name));
        };
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                "the cluster has no %s \"%s\"; it has %d nodes in %d racks at %d sites, the first node is %s"
                    .formatted(
                        kind.name().toLowerCase(Locale.ROOT),
                        name,
                        topology.nodes(),
                        topology.racks(),
                        topology.sites(),
                        topology.nodeName(0))));
  }

  private static OptionalInt named(int count, IntPredicate matches) {
    return IntStream.range(0, count).filter(matches).findFirst();
  }
}
