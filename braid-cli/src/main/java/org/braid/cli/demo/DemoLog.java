package org.braid.cli.demo;

import java.util.ArrayList;
import java.util.List;
import org.braid.cli.demo.DemoReport.Check;
import org.braid.cli.demo.DemoReport.Conversion;
import org.braid.cli.demo.DemoReport.Placement;
import org.braid.cli.demo.DemoReport.Read;
import org.braid.cli.demo.DemoReport.Repair;
import org.braid.cli.demo.DemoReport.StoredFile;
import org.braid.hdfs.api.ConvertReport.Skipped;
import org.braid.hdfs.api.RepairReport.PlanView;
import org.braid.hdfs.api.Span;

/** Measurements and comparisons of a demo while it runs. */
final class DemoLog {
  final List<StoredFile> files = new ArrayList<>();
  final List<Skipped> skipped = new ArrayList<>();
  final List<Conversion> conversions = new ArrayList<>();
  final List<Repair> repairs = new ArrayList<>();
  final List<Read> reads = new ArrayList<>();
  final List<Check> checks = new ArrayList<>();
  final List<Placement> placements = new ArrayList<>();
  final List<PlanView> plans = new ArrayList<>();
  final List<Span> spans = new ArrayList<>();
  private final long start = System.nanoTime();
  private long storageBefore;
  private long storageAfter;

  /** Seconds since the demo began. */
  double seconds() {
    return (System.nanoTime() - start) / 1e9;
  }

  /** Adds a comparison; returns whether it holds. */
  boolean check(boolean holds, String what, String detail) {
    checks.add(new Check(what, holds, detail));
    return holds;
  }

  /** Adds the stored bytes of a conversion. */
  void stored(long before, long after) {
    storageBefore += before;
    storageAfter += after;
  }

  /** Adds the spans of work that began at a second of the demo. */
  void spans(String work, double began, List<Span> worked) {
    spans.add(new Span("work", work, began, seconds()));
    for (Span span : worked) {
      spans.add(
          new Span(
              work + ": " + span.lane(),
              span.name(),
              began + span.startSeconds(),
              began + span.endSeconds()));
    }
  }

  /** Adds the span of a step that began at a second of the demo and ends now. */
  void step(String title, double began) {
    spans.add(new Span("act", title, began, seconds()));
  }

  DemoReport.Storage storage() {
    long logical = files.stream().mapToLong(StoredFile::bytes).sum();
    return new DemoReport.Storage(logical, storageBefore, storageAfter);
  }

  List<Check> failed() {
    return checks.stream().filter(c -> !c.ok()).toList();
  }
}
