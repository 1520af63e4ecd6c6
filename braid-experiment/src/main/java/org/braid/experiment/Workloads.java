package org.braid.experiment;

import java.util.List;
import java.util.Optional;

/**
 * What an engine can measure.
 *
 * @param engine its name in experiment files: {@code lab} or {@code sim}
 * @param all in the order of listings
 */
public record Workloads(String engine, List<Workload> all) {
  public Workloads {
    all = List.copyOf(all);
  }

  /** The workload of a name. */
  public Optional<Workload> named(String name) {
    return all.stream().filter(workload -> workload.name().equals(name)).findFirst();
  }

  /** All names. */
  public List<String> names() {
    return all.stream().map(Workload::name).toList();
  }
}
