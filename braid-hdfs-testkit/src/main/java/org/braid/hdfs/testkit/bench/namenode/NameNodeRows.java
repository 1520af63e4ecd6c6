package org.braid.hdfs.testkit.bench.namenode;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Properties;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Contender;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Row;

/** The figures that follow from what the processes measured. */
final class NameNodeRows {
  /** With fewer stripes the heap that they take is lost in that of the process. */
  private static final int JUDGED = 10_000;

  private static final double RATIO_GOAL = 1.10;
  private static final double HOLD_GOAL = 0.010;
  private static final double STATUS_GOAL = 1;
  private static final String BYTES = "B/stripe";
  private static final String SECONDS = "s";

  private final int stripes;
  private final Map<Contender, Properties> measured;
  private final List<Row> rows = new ArrayList<>();

  NameNodeRows(int stripes, Map<Contender, Properties> measured) {
    this.stripes = stripes;
    this.measured = measured;
  }

  List<Row> rows() {
    OptionalDouble before = OptionalDouble.of(heap(Contender.REPLICATED));
    add("heap, three replicas", BYTES, OptionalDouble.empty(), before);
    add(
        "heap, converted, without Braid",
        BYTES,
        before,
        OptionalDouble.of(heap(Contender.CONVERTED)));
    limited(
        "heap, converted, all of Braid", BYTES, before, OptionalDouble.of(heap(Contender.BRAID)));
    add(
        "heap of the index",
        BYTES,
        OptionalDouble.empty(),
        OptionalDouble.of(heap(Contender.BRAID) - heap(Contender.CONVERTED)));
    limited("start-up", SECONDS, sum(Contender.CONVERTED), sum(Contender.BRAID));
    add("of it the index", SECONDS, OptionalDouble.empty(), value(NameNodeProbe.INDEX));
    limited(
        "failover",
        SECONDS,
        value(Contender.CONVERTED, NameNodeProbe.FAILOVER),
        value(NameNodeProbe.FAILOVER));
    operation("a block in a stripe looked up", NameNodeProbe.KNOWN, OptionalDouble.empty());
    operation("a block in no stripe looked up", NameNodeProbe.UNKNOWN, OptionalDouble.empty());
    operation("calls of a small convert or repair", NameNodeProbe.CYCLE, OptionalDouble.empty());
    operation("damaged stripes listed", NameNodeProbe.DAMAGED, OptionalDouble.empty());
    operation("status", NameNodeProbe.STATUS, OptionalDouble.of(STATUS_GOAL));
    locks();
    return List.copyOf(rows);
  }

  private void add(String what, String unit, OptionalDouble plain, OptionalDouble value) {
    rows.add(new Row(what, unit, plain, value, OptionalDouble.empty(), OptionalDouble.empty(), ""));
  }

  /** A row whose ratio has a goal. */
  private void limited(String what, String unit, OptionalDouble plain, OptionalDouble value) {
    OptionalDouble ratio = OptionalDouble.of(value.getAsDouble() / plain.getAsDouble());
    OptionalDouble goal =
        unit.equals(BYTES) && stripes < JUDGED
            ? OptionalDouble.empty()
            : OptionalDouble.of(RATIO_GOAL);
    rows.add(new Row(what, unit, plain, value, goal, ratio, ""));
  }

  private void operation(String what, String name, OptionalDouble goal) {
    Properties braid = of(Contender.BRAID);
    OptionalDouble value =
        braid.containsKey(name) ? value(Contender.BRAID, name) : OptionalDouble.empty();
    rows.add(
        new Row(
            what,
            SECONDS,
            OptionalDouble.empty(),
            value,
            goal,
            value,
            braid.getProperty(name + ".remark", "")));
  }

  private void locks() {
    long count = 0;
    double total = 0;
    double longest = 0;
    String of = "";
    Properties braid = of(Contender.BRAID);
    for (String name : braid.stringPropertyNames()) {
      if (name.startsWith(NameNodeProbe.LOCK)) {
        String[] parts = braid.getProperty(name, "").split(" ", -1);
        count += Long.parseLong(parts[0]);
        total += Double.parseDouble(parts[1]);
        if (Double.parseDouble(parts[2]) > longest) {
          longest = Double.parseDouble(parts[2]);
          of = name.substring(NameNodeProbe.LOCK.length());
        }
      }
    }
    OptionalDouble most = OptionalDouble.of(longest);
    rows.add(
        new Row(
            "longest hold of the lock by Braid",
            SECONDS,
            OptionalDouble.empty(),
            most,
            OptionalDouble.of(HOLD_GOAL),
            most,
            of));
    rows.add(
        new Row(
            "all its holds in this run",
            SECONDS,
            OptionalDouble.empty(),
            OptionalDouble.of(total),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            String.format(Locale.ROOT, "%d holds", count)));
  }

  /** Bytes a stripe, without those that a NameNode takes without files. */
  private double heap(Contender contender) {
    double used = value(contender, NameNodeProbe.HEAP).getAsDouble();
    return (used - value(Contender.EMPTY, NameNodeProbe.HEAP).getAsDouble()) / stripes;
  }

  private OptionalDouble sum(Contender contender) {
    return OptionalDouble.of(
        value(contender, NameNodeProbe.LOAD).getAsDouble()
            + value(contender, NameNodeProbe.REPORTS).getAsDouble()
            + value(contender, NameNodeProbe.INDEX).getAsDouble());
  }

  private OptionalDouble value(String name) {
    return value(Contender.BRAID, name);
  }

  private OptionalDouble value(Contender contender, String name) {
    return OptionalDouble.of(
        Double.parseDouble(Objects.requireNonNull(of(contender).getProperty(name), name)));
  }

  private Properties of(Contender contender) {
    return Objects.requireNonNull(measured.get(contender));
  }
}
