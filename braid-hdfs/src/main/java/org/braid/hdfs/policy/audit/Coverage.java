package org.braid.hdfs.policy.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The times covered by logs. Moments within a tolerance form one span, which includes the time
 * between them.
 */
public final class Coverage {
  private final long toleranceMillis;
  private final TreeMap<Long, Long> spans = new TreeMap<>();

  public Coverage(Duration tolerance) {
    toleranceMillis = tolerance.toMillis();
  }

  /** A time from a moment to another one, both included. */
  public record Span(Instant from, Instant to) implements Comparable<Span> {
    private static final Comparator<Span> ORDER =
        Comparator.comparing(Span::from).thenComparing(Span::to);

    @Override
    public int compareTo(Span other) {
      return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
      return from + " to " + to;
    }
  }

  /** Adds a moment. */
  public void add(Instant moment) {
    add(moment.toEpochMilli(), moment.toEpochMilli());
  }

  /** Adds a time. */
  public void add(Span span) {
    add(span.from().toEpochMilli(), span.to().toEpochMilli());
  }

  private void add(long from, long to) {
    long first = from;
    long last = to;
    Map.Entry<Long, Long> near = spans.floorEntry(last + toleranceMillis);
    while (near != null && near.getValue() + toleranceMillis >= first) {
      if (near.getKey() <= first && near.getValue() >= last) {
        return;
      }
      first = Math.min(first, near.getKey());
      last = Math.max(last, near.getValue());
      spans.remove(near.getKey());
      near = spans.floorEntry(last + toleranceMillis);
    }
    spans.put(first, last);
  }

  /** Whether nothing was added. */
  public boolean isEmpty() {
    return spans.isEmpty();
  }

  /** The spans in their order. */
  public List<Span> spans() {
    List<Span> all = new ArrayList<>();
    spans.forEach(
        (from, to) -> all.add(new Span(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to))));
    return all;
  }

  /** The latest span; there must be one. */
  public Span last() {
    Map.Entry<Long, Long> last = spans.lastEntry();
    if (last == null) {
      throw new IllegalStateException("nothing is covered");
    }
    return new Span(Instant.ofEpochMilli(last.getKey()), Instant.ofEpochMilli(last.getValue()));
  }

  /** The gap between the latest span and the one before it; empty when there is none. */
  public Optional<Span> lastGap() {
    return Optional.ofNullable(spans.lowerEntry(last().from().toEpochMilli()))
        .map(before -> new Span(Instant.ofEpochMilli(before.getValue()), last().from()));
  }

  /** An independent copy. */
  public Coverage copy() {
    Coverage copy = new Coverage(Duration.ofMillis(toleranceMillis));
    copy.spans.putAll(spans);
    return copy;
  }
}
