package org.braid.hdfs.coordinator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.braid.hdfs.fault.FaultStep;

/**
 * Something that happens while a command is at a step.
 *
 * @param operation what happens when the step is reached first
 */
record Crossing(Command command, FaultStep step, Operation operation) {

  /** What Braid is asked to do, and the steps that it takes. */
  enum Command {
    /** Of replicated files. */
    CONVERT("CONVERT_.*|WORKER_.*|NAMENODE_(PUT_STRIPE|TRIM|TRIM_BLOCK|PERSIST)"),
    /** Of converted files. */
    RESTORE("RESTORE_.*|NAMENODE_RAISE"),
    /** Of lost blocks. */
    REPAIR("REPAIR_.*|WORKER_.*|NAMENODE_(PUT_STRIPE|TRIM|TRIM_BLOCK)"),
    /** Of a block beside another one of its stripe. */
    RELOCATE("REPAIR_.*|WORKER_.*|NAMENODE_(PUT_STRIPE|TRIM|TRIM_BLOCK)"),
    /** Of what is left of stripes some of whose blocks were deleted. */
    REENCODE("CONVERT_.*|WORKER_.*|NAMENODE_(PUT_STRIPE|TRIM|TRIM_BLOCK|PERSIST)");

    private final String steps;

    Command(String steps) {
      this.steps = steps;
    }

    /** The steps it takes. */
    Set<FaultStep> steps() {
      return Arrays.stream(FaultStep.values())
          .filter(step -> step.name().matches(steps))
          .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultStep.class)));
    }
  }

  /** What users do to {@code d/f}, which shares stripes with others, and what machines do. */
  enum Operation {
    APPEND,
    APPEND_BLOCKS,
    /** By a client that dies without closing the file. */
    APPEND_AND_DIE,
    TRUNCATE_BLOCK,
    TRUNCATE_INSIDE,
    TRUNCATE_ALL,
    CONCAT_ONTO,
    CONCAT_AWAY,
    RENAME,
    DELETE,
    DELETE_SHARING,
    DELETE_PARENT,
    OVERWRITE,
    RAISE_REPLICATION,
    LOWER_REPLICATION,
    SNAPSHOT_AND_DELETE,
    FILL_QUOTA,
    CLOSE_TO_OTHERS,
    /** Another command, which waits for its turn. */
    SECOND_COMMAND,
    /** The lease is lost, and another command runs to its end meanwhile. */
    LEASE_TAKEN,
    COORDINATOR_CRASH,
    NAMENODE_RESTART,
    FAILOVER,
    DATANODE_CRASH,
    DATANODE_RESTART;

    /** Whether stripes lose blocks by it, and so tolerance, until they are encoded anew. */
    boolean thins() {
      return EnumSet.of(
              TRUNCATE_BLOCK,
              TRUNCATE_INSIDE,
              TRUNCATE_ALL,
              DELETE,
              DELETE_SHARING,
              DELETE_PARENT,
              OVERWRITE)
          .contains(this);
    }

    /** Whether a process stops or the lease is lost, so that the command may fail. */
    boolean stops() {
      return compareTo(LEASE_TAKEN) >= 0;
    }

    private boolean meets(FaultStep step) {
      // The steps of workers and of the NameNode are not the coordinator's.
      return this != COORDINATOR_CRASH || step.name().matches("(CONVERT|RESTORE|REPAIR)_.*");
    }
  }

  private static final int SAMPLE = 14;

  /** Operations a line of the table's legend. */
  private static final int LEGEND = 4;

  /** Those that lost data once, and the boundaries beside what cannot be undone. */
  private static final List<Crossing> IMPORTANT =
      List.of(
          new Crossing(Command.CONVERT, FaultStep.CONVERT_TRIMMED, Operation.APPEND_BLOCKS),
          new Crossing(Command.CONVERT, FaultStep.CONVERT_TRIMMED, Operation.CONCAT_ONTO),
          new Crossing(Command.CONVERT, FaultStep.CONVERT_TRIMMED, Operation.DELETE),
          new Crossing(Command.CONVERT, FaultStep.CONVERT_PERSISTED, Operation.APPEND),
          new Crossing(Command.CONVERT, FaultStep.NAMENODE_TRIM_BLOCK, Operation.TRUNCATE_INSIDE),
          new Crossing(Command.CONVERT, FaultStep.NAMENODE_PERSIST, Operation.LEASE_TAKEN),
          new Crossing(Command.RESTORE, FaultStep.NAMENODE_RAISE, Operation.DELETE_SHARING),
          new Crossing(Command.RESTORE, FaultStep.NAMENODE_RAISE, Operation.FILL_QUOTA),
          new Crossing(Command.RESTORE, FaultStep.RESTORE_RAISED, Operation.LOWER_REPLICATION),
          new Crossing(Command.REPAIR, FaultStep.REPAIR_REBUILT, Operation.APPEND),
          new Crossing(Command.REPAIR, FaultStep.REPAIR_VERIFIED, Operation.SNAPSHOT_AND_DELETE),
          new Crossing(Command.RELOCATE, FaultStep.REPAIR_HOMED, Operation.RENAME),
          new Crossing(Command.REENCODE, FaultStep.CONVERT_TRIMMED, Operation.DELETE));

  /** All there are. */
  static List<Crossing> all() {
    List<Crossing> all = new ArrayList<>();
    for (Command command : Command.values()) {
      for (FaultStep step : command.steps()) {
        for (Operation operation : Operation.values()) {
          if (operation.meets(step)) {
            all.add(new Crossing(command, step, operation));
          }
        }
      }
    }
    return all;
  }

  /**
   * Those to run: those that match {@code -Dbraid.crossings=REGEX}, all with {@code
   * -Dbraid.long=true}, else the important ones and, up to {@code -Dbraid.crossings.sample=N}, some
   * drawn at random. Those that need another cluster are the last.
   */
  static List<Crossing> selected(Random random) {
    List<Crossing> selected = all();
    String chosen = System.getProperty("braid.crossings");
    if (chosen != null) {
      selected.removeIf(crossing -> !crossing.toString().matches(chosen));
    } else if (!Boolean.getBoolean("braid.long")) {
      Collections.shuffle(selected, random);
      Set<Crossing> sample = new LinkedHashSet<>(IMPORTANT);
      int size = Integer.getInteger("braid.crossings.sample", SAMPLE);
      selected.stream().limit(Math.max(0, size - IMPORTANT.size())).forEach(sample::add);
      selected = new ArrayList<>(sample);
    }
    selected.sort(Comparator.comparing(crossing -> crossing.operation() == Operation.FAILOVER));
    return selected;
  }

  @Override
  public String toString() {
    return command + " " + step + " " + operation;
  }

  /** How often each crossing was reached: a line for each step, a column for each operation. */
  static String table(Map<Crossing, Integer> counters) {
    StringBuilder table = new StringBuilder("Crossings, and how often each was reached:\n");
    StringBuilder heads = new StringBuilder("%-9s %-20s".formatted("command", "step"));
    char head = 'a';
    for (Operation operation : Operation.values()) {
      boolean last = (head - 'a') % LEGEND == LEGEND - 1;
      table.append("%c %-20s%s".formatted(head, operation, last ? "\n" : " "));
      heads.append("%3c".formatted(head));
      head++;
    }
    table.append(heads);
    for (Command command : Command.values()) {
      for (FaultStep step : command.steps()) {
        table.append("\n%-9s %-20s".formatted(command, step));
        for (Operation operation : Operation.values()) {
          Integer count = counters.get(new Crossing(command, step, operation));
          String none = operation.meets(step) ? "." : "";
          table.append("%3s".formatted(count == null ? none : count));
        }
      }
    }
    return table
        .append(
            "\n%d of %d crossings were run (. was not), %d were reached"
                .formatted(
                    counters.size(),
                    all().size(),
                    counters.values().stream().filter(count -> count > 0).count()))
        .toString();
  }
}
