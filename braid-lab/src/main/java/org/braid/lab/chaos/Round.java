package org.braid.lab.chaos;

import java.util.List;
import org.braid.hdfs.testkit.lab.Command;

/**
 * What happens between two calms: each list in its order, all lists at the same time.
 *
 * @param clients what each client does to its files
 * @param braid what each process of Braid's commands is told
 * @param faults what happens to the cluster; empty: nothing, and no command may fail
 */
record Round(List<List<Command>> clients, List<List<Command>> braid, List<Fault> faults) {
  Round {
    clients = List.copyOf(clients);
    braid = List.copyOf(braid);
    faults = List.copyOf(faults);
  }
}
