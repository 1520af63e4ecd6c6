package org.braid.experiment;

import java.util.List;
import java.util.Optional;

/**
 * The workloads of an engine.
 *
 * @param engine its name in experiment files: {@code lab} or {@code sim}
 * @param all the workloads in the order of listings
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
