package org.braid.hdfs.coordinator.session;

import java.util.List;
import org.braid.hdfs.api.Span;
import org.braid.hdfs.api.SpilledList;

/** The time since some work began, and the stretches of it that a report draws. Thread-safe. */
public final class Stopwatch {
  private final long start = System.nanoTime();
  private final List<Span> spans = new SpilledList<>();

  public double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  public void span(String lane, String name, double since) {
    spans.add(new Span(lane, name, since, seconds()));
  }

  public List<Span> spans() {
    return spans;
  }
}
