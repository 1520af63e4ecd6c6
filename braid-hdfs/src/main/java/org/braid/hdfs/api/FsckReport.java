package org.braid.hdfs.api;

import java.io.Serializable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The readable, degraded, repairable and lost files, with the reasons.
 *
 * @param files every file asked for that is converted or has a missing block; of many a {@link
 *     SpilledList}
 * @param orphans parity files and staged leftovers that protect nothing; likewise
 * @param unreadable why the descriptions of parity files cannot be read, by path, for the first
 *     thousands; until they can be read, Braid drops no block about which it knows nothing else
 * @param healthyFiles files without a finding
 * @param storage converted files and parity files with blocks on storage types that their storage
 *     policies do not want, which is no damage; of many a {@link SpilledList}
 * @param unprotected healthy files without parity of which HDFS keeps one replica, so that the next
 *     loss can damage them; of many a {@link SpilledList}
 */
public record FsckReport(
    List<FileState> files,
    List<String> orphans,
    Map<String, String> unreadable,
    int healthyFiles,
    List<StorageState> storage,
    List<String> unprotected) {
  public FsckReport {
    unreadable = Map.copyOf(unreadable);
  }

  /** The state of a block or a file; a file has the state of its worst block. */
  public enum State {
    /** Every promise holds. */
    HEALTHY,
    /** Readable, but its stripe lacks blocks or breaks its rack limit. */
    DEGRADED,
    /** No copy is reachable; it can be rebuilt from its stripe. */
    REPAIRABLE,
    /** No copy is reachable and it cannot be rebuilt. */
    LOST
  }

  /**
   * A file with its findings; blocks without one are not listed.
   *
   * @param converted whether a block is in a stripe
   * @param blocks how many there are; of a file that only snapshots have, those in stripes
   * @param onlyInSnapshots whether this is of a file that was deleted, or of what was cut off one,
   *     so that only snapshots have it; its path is the one that it had
   */
  public record FileState(
      String path,
      State state,
      boolean converted,
      int blocks,
      List<BlockState> findings,
      boolean onlyInSnapshots)
      implements Serializable {
    public FileState {
      findings = List.copyOf(findings);
    }
  }

  /**
   * A finding.
   *
   * @param index the block's position in its file
   * @param spare number of further blocks that the stripe can lose; -1 without a stripe
   */
  public record BlockState(
      int index, String name, String stripe, State state, int spare, String why)
      implements Serializable {}

  /**
   * A file whose storage policy is not met.
   *
   * @param wanted the type of storage that the policy wants for one replica
   * @param blocks number of its blocks in stripes of which no replica is on that type
   */
  public record StorageState(String path, String wanted, int blocks) implements Serializable {}

  /** Number of files in each state; a file that only snapshots have counts separately. */
  public Map<State, Integer> counts() {
    Map<State, Integer> counts = new EnumMap<>(State.class);
    for (State state : State.values()) {
      counts.put(state, state == State.HEALTHY ? healthyFiles : 0);
    }
    files.forEach(file -> counts.merge(file.state(), 1, Integer::sum));
    return counts;
  }

  /** Number of files in a state. */
  public int count(State state) {
    return counts().getOrDefault(state, 0);
  }
}
