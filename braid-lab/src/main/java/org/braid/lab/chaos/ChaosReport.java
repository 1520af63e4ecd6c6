package org.braid.lab.chaos;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of a run of chaos.
 *
 * @param seconds from the first operation to the end of the last calm
 * @param rounds rounds of operations and faults that were begun
 * @param calms rounds after which all checks passed
 * @param helped calms that needed {@code braid repair} in addition to the coordinator
 * @param operations of clients, by kind
 * @param commands of Braid, by kind
 * @param failures commands of Braid that failed or were refused, by kind
 * @param faults by kind
 * @param crossings operations, faults and commands that met a running command of Braid, by both
 *     kinds
 * @param met operations that clients began while a fault went on, by its kind
 * @param bytesVerified bytes that were read and are right
 * @param violations the broken promises
 */
public record ChaosReport(
    long seed,
    double seconds,
    int rounds,
    int calms,
    int helped,
    Map<String, Integer> operations,
    Map<String, Integer> commands,
    Map<String, Integer> failures,
    Map<String, Integer> faults,
    Map<String, Integer> crossings,
    Map<String, Integer> met,
    long bytesVerified,
    List<String> violations) {
  public ChaosReport {
    operations = new TreeMap<>(operations);
    commands = new TreeMap<>(commands);
    failures = new TreeMap<>(failures);
    faults = new TreeMap<>(faults);
    crossings = new TreeMap<>(crossings);
    met = new TreeMap<>(met);
    violations = List.copyOf(violations);
  }
}
