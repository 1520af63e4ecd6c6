package org.braid.hdfs.coordinator.convert;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.braid.code.ErasureCode;
import org.braid.hdfs.api.ConvertReport;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.coordinator.convert.Grouper.Group;
import org.braid.hdfs.coordinator.session.StripeMap;
import org.braid.hdfs.policy.HiddenDirectories;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.hdfs.stripe.StoredFile;
import org.braid.hdfs.stripe.StripeStatus;

/**
 * The work on a batch of files that remains before their replication may be persisted.
 *
 * @param files files to convert
 * @param refused files whose parity would take more room than it saves
 * @param unfinished stripes of an earlier run that are to be finished
 * @param groups blocks of the stripes to write
 * @param known stripes that hold blocks of the files already
 */
record BatchPlan(
    List<StoredFile> files,
    List<StoredFile> refused,
    List<StripeStatus> unfinished,
    List<Group> groups,
    StripeMap known,
    ConvertReport.Grouping grouping) {
  /** Hears of each file that is left alone. */
  interface LeftAlone {
    void skip(String path, String cause, String reason);
  }

  /**
   * Plans a batch.
   *
   * @param hidden the hidden directories whose files are left alone
   */
  static BatchPlan of(
      List<StoredFile> asked,
      HiddenDirectories hidden,
      StripeMap known,
      ErasureCode code,
      GroupChoice choice,
      LeftAlone leftAlone)
      throws RefusedException {
    StripeMap stripes = known.whole();
    List<StoredFile> fit = new ArrayList<>();
    for (StoredFile file : asked) {
      Obstacle obstacle = Obstacle.hidden(file, known, hidden);
      if (obstacle == null) {
        obstacle = Obstacle.of(file, stripes, code);
      }
      if (obstacle == null) {
        fit.add(file);
      } else {
        leftAlone.skip(file.path(), obstacle.cause(), obstacle.reason());
      }
    }
    GroupChoice.Chosen chosen = choice.choose(fit);
    Set<String> gainless = new TreeSet<>();
    for (GainFilter.Refusal refusal : chosen.refusals()) {
      gainless.addAll(refusal.paths());
      refusal.paths().forEach(path -> leftAlone.skip(path, "NO_GAIN", refusal.reason()));
    }
    List<StoredFile> refused = fit.stream().filter(f -> gainless.contains(f.path())).toList();
    fit.removeAll(refused);
    Map<String, StripeStatus> unfinished = new LinkedHashMap<>();
    for (StoredFile file : fit) {
      for (BlockStatus block : file.blocks()) {
        StripeStatus status = stripes.of(block);
        if (status != null && !finished(file, block)) {
          unfinished.put(status.stripe().id(), status);
        }
      }
    }
    return new BatchPlan(
        fit, refused, List.copyOf(unfinished.values()), chosen.groups(), known, chosen.report());
  }

  /** Whether a block of a stripe has its one replica, and its file asks for no more. */
  static boolean finished(StoredFile file, BlockStatus block) {
    return file.replication() == 1 && block.expected() <= 1 && block.replicas().size() <= 1;
  }

  /**
   * Whether each block of a file is in a stripe and has its one replica.
   *
   * @param whole the known stripes that lost no data block
   */
  static boolean isDone(StoredFile file, StripeMap whole) {
    return file.blocks().stream().allMatch(b -> whole.holds(b) && finished(file, b));
  }

  /** The stripes whose blocks are encoded anew or replicated again. */
  List<StripeStatus> thinned() {
    return known.all().stream().filter(StripeStatus::isThinned).toList();
  }
}
