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
import org.braid.hdfs.testkit.bench.namenode.NameNodeLoad.Operation;

/** Derives the figures from the results of the processes. */
final class NameNodeRows {
  /** Number of stripes below which their cost is lost in that of the process. */
  static final int JUDGED = 10_000;

  private static final double RATIO_GOAL = 1.10;
  private static final double HOLD_GOAL = 0.010;
  private static final double STATUS_GOAL = 1;

  /** A standby follows the active NameNode once a second. */
  private static final double FOLLOW_GOAL = 1;

  /** Stripes a second. */
  private static final double FSCK_GOAL = 100_000;

  private static final double CLIENT_GOAL = 256 << 20;

  /** Of a client that converts a million files. */
  private static final double CONVERT_CLIENT_GOAL = 512 << 20;

  /** Of the calls a second 0.97 are left, and 0.90 where blocks are placed for later encoding. */
  private static final double LOAD_GOAL = 1 / 0.97;

  private static final double EAR_GOAL = 1 / 0.90;
  private static final double MICROS = 1e6;
  private static final List<Contender> WITH_BRAID = List.of(Contender.UNCONVERTED, Contender.BRAID);
  private static final String HEAP_REPLICATED = "heap, three replicas";
  private static final String HEAP_CONVERTED = "heap, converted, without Braid";
  private static final String HEAP_BRAID = "heap, converted, all of Braid";
  private static final String HEAP_INDEX = "heap of the index";
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
    if (stripes < JUDGED) {
      noHeap();
    } else {
      heap();
    }
    limited("start-up", SECONDS, sum(Contender.CONVERTED), sum(Contender.BRAID));
    add("of it the index", SECONDS, OptionalDouble.empty(), value(NameNodeProbe.INDEX));
    limited(
        "failover",
        SECONDS,
        value(Contender.CONVERTED, NameNodeProbe.FAILOVER),
        value(NameNodeProbe.FAILOVER));
    measured(
        Contender.BRAID,
        "index after changes elsewhere, in all directories",
        SECONDS,
        NameNodeProbe.FOLLOW,
        NameNodeProbe.FOLLOW,
        OptionalDouble.of(FOLLOW_GOAL));
    operation("a block in a stripe looked up", NameNodeProbe.KNOWN);
    operation("a block in no stripe looked up", NameNodeProbe.UNKNOWN);
    operation("calls of a small convert or repair", NameNodeProbe.CYCLE);
    operation("damaged stripes listed", NameNodeProbe.DAMAGED);
    operation("a silent node's first stripes", NameNodeProbe.FIRST_LOST);
    operation("all stripes of a silent node", NameNodeProbe.ALL_LOST);
    command(
        Contender.BRAID,
        "status",
        NameNodeProbe.STATUS,
        OptionalDouble.of(STATUS_GOAL),
        CLIENT_GOAL);
    OptionalDouble fsck = OptionalDouble.of(Math.max(STATUS_GOAL, stripes / FSCK_GOAL));
    command(Contender.BRAID, "fsck", NameNodeProbe.FSCK, fsck, CLIENT_GOAL);
    fsckRate();
    command(
        Contender.UNCONVERTED,
        "dry run of a conversion of all files",
        NameNodeProbe.DRY_RUN,
        OptionalDouble.empty(),
        CONVERT_CLIENT_GOAL);
    load("create and addBlock", Operation.ADD_BLOCK, LOAD_GOAL);
    load("the same with encoding-aware replication", Operation.ADD_BLOCK_FORESEEN, EAR_GOAL);
    load("getBlockLocations", Operation.LOCATIONS, LOAD_GOAL);
    load("setrep", Operation.SET_REPLICATION, LOAD_GOAL);
    load("a converted file renamed and back", Operation.RENAME, LOAD_GOAL);
    load("create, addBlock and delete", Operation.CREATE_DELETE, LOAD_GOAL);
    add(
        "a directory of 1000 files deleted",
        "ms",
        value(Contender.CONVERTED, NameNodeProbe.DELETE),
        value(NameNodeProbe.DELETE));
    beside();
    locks();
    return List.copyOf(rows);
  }

  private void heap() {
    OptionalDouble before = OptionalDouble.of(heap(Contender.REPLICATED));
    plain(HEAP_REPLICATED, before, "");
    double converted = heap(Contender.CONVERTED);
    plain(
        HEAP_CONVERTED,
        OptionalDouble.of(converted),
        String.format(
            Locale.ROOT, "%.2f of that of three replicas", converted / before.getAsDouble()));
    limited(HEAP_BRAID, BYTES, before, OptionalDouble.of(heap(Contender.BRAID)));
    add(
        HEAP_INDEX,
        BYTES,
        OptionalDouble.empty(),
        OptionalDouble.of(heap(Contender.BRAID) - heap(Contender.CONVERTED)));
  }

  /** The heap of a process varies by more than few stripes take. */
  private void noHeap() {
    for (String what : List.of(HEAP_REPLICATED, HEAP_CONVERTED, HEAP_BRAID, HEAP_INDEX)) {
      plain(what, OptionalDouble.empty(), "told from %d stripes on".formatted(JUDGED));
    }
  }

  private void add(String what, String unit, OptionalDouble plain, OptionalDouble value) {
    rows.add(new Row(what, unit, plain, value, OptionalDouble.empty(), OptionalDouble.empty(), ""));
  }

  /** Bytes a stripe of a NameNode without Braid. */
  private void plain(String what, OptionalDouble value, String remark) {
    OptionalDouble none = OptionalDouble.empty();
    rows.add(new Row(what, BYTES, value, none, none, none, remark));
  }

  /** A row whose ratio has a goal. */
  private void limited(String what, String unit, OptionalDouble plain, OptionalDouble value) {
    OptionalDouble ratio = OptionalDouble.of(value.getAsDouble() / plain.getAsDouble());
    OptionalDouble goal = stripes < JUDGED ? OptionalDouble.empty() : OptionalDouble.of(RATIO_GOAL);
    rows.add(new Row(what, unit, plain, value, goal, ratio, ""));
  }

  private void operation(String what, String name) {
    measured(Contender.BRAID, what, SECONDS, name, name, OptionalDouble.empty());
  }

  /** A command that looks at everything, and the heap that its client takes. */
  private void command(
      Contender contender, String what, String name, OptionalDouble goal, double heapGoal) {
    measured(contender, what, SECONDS, name, name, goal);
    String peak = name + NameNodeProbe.PEAK;
    measured(
        contender, "heap of its client, " + what, "B", name, peak, OptionalDouble.of(heapGoal));
  }

  /** A figure that is absent when what it is of did not end. */
  private void measured(
      Contender contender,
      String what,
      String unit,
      String name,
      String property,
      OptionalDouble goal) {
    Properties of = of(contender);
    OptionalDouble value =
        of.containsKey(property) ? value(contender, property) : OptionalDouble.empty();
    rows.add(
        new Row(
            what,
            unit,
            OptionalDouble.empty(),
            value,
            goal,
            value,
            of.getProperty(name + ".remark", "")));
  }

  private void fsckRate() {
    Properties braid = of(Contender.BRAID);
    String seconds = braid.getProperty(NameNodeProbe.FSCK);
    OptionalDouble micros =
        seconds == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.parseDouble(seconds) * MICROS / stripes);
    rows.add(
        new Row(
            "fsck, each stripe",
            "us",
            OptionalDouble.empty(),
            micros,
            stripes < JUDGED ? OptionalDouble.empty() : OptionalDouble.of(MICROS / FSCK_GOAL),
            micros,
            braid.getProperty(NameNodeProbe.FSCK + ".remark", "")));
  }

  /** The time of a call beside that on the NameNode without Braid. */
  private void load(String what, Operation operation, double goal) {
    String name = NameNodeProbe.name(operation);
    OptionalDouble before = value(Contender.CONVERTED, name);
    OptionalDouble now = value(name);
    rows.add(
        new Row(
            what,
            "ms",
            before,
            now,
            OptionalDouble.of(goal),
            OptionalDouble.of(now.getAsDouble() / before.getAsDouble()),
            ""));
  }

  /** Beside a user who asks Braid, and beside one who asks HDFS as often as it can. */
  private void beside() {
    String name = NameNodeProbe.name(Operation.ADD_BLOCK_BESIDE);
    double before = value(Contender.CONVERTED, name).getAsDouble();
    double now = value(name).getAsDouble();
    rows.add(
        new Row(
            "create and addBlock beside a user who asks without end",
            "ms",
            OptionalDouble.of(before),
            OptionalDouble.of(now),
            OptionalDouble.of(RATIO_GOAL),
            OptionalDouble.of(now / before),
            "asked Braid %s; asked HDFS %s"
                .formatted(
                    of(Contender.BRAID).getProperty(name + ".remark"),
                    of(Contender.CONVERTED).getProperty(name + ".remark"))));
  }

  private void locks() {
    double processor = 0;
    long count = 0;
    double total = 0;
    double longest = 0;
    String of = "";
    for (Contender contender : WITH_BRAID) {
      Properties braid = of(contender);
      for (String name : braid.stringPropertyNames()) {
        if (name.startsWith(NameNodeProbe.LOCK)) {
          String[] parts = braid.getProperty(name, "").split(" ", -1);
          count += Long.parseLong(parts[0]);
          total += Double.parseDouble(parts[1]);
          if (Double.parseDouble(parts[2]) > longest) {
            longest = Double.parseDouble(parts[2]);
            of = name.substring(NameNodeProbe.LOCK.length());
            processor = Double.parseDouble(parts[3]);
          }
        }
      }
    }
    longest("files", "braidFiles");
    longest("stripes", "braidStripes");
    longest("lost blocks", "braidDamaged");
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
            "of it on a processor",
            SECONDS,
            OptionalDouble.empty(),
            OptionalDouble.of(processor),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            "the rest is what the machine did else, such as the JVM's collections"));
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

  /** The longest hold for a listing. */
  private void longest(String listed, String name) {
    OptionalDouble most =
        WITH_BRAID.stream()
            .map(contender -> of(contender).getProperty(NameNodeProbe.LOCK + name))
            .filter(Objects::nonNull)
            .mapToDouble(hold -> Double.parseDouble(hold.split(" ", -1)[2]))
            .max();
    rows.add(
        new Row(
            "longest hold, listing " + listed,
            SECONDS,
            OptionalDouble.empty(),
            most,
            OptionalDouble.of(HOLD_GOAL),
            most,
            ""));
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
