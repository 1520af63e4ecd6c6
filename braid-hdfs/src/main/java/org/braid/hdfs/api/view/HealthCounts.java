package org.braid.hdfs.api.view;

import java.util.ArrayList;
import java.util.List;
import org.braid.hdfs.api.view.Health.Cause;
import org.braid.hdfs.api.view.Health.Word;

/**
 * The counts that determine the health of a cluster.
 *
 * @param stripes the states of stripes
 * @param unreadable blocks of replicated files without a readable copy
 * @param nodes the states of DataNodes
 * @param service the state of repair, and the waiting readers
 */
public record HealthCounts(Stripes stripes, long unreadable, Nodes nodes, Service service) {
  /**
   * Stripes that break their promise. A stripe is in one of the counts; only thinned stripes may be
   * in two.
   *
   * @param lost stripes with blocks that can now be neither read nor rebuilt
   * @param atRisk stripes that lack blocks and have no spare one
   * @param unreadable stripes whose description this release cannot read
   * @param lacking stripes that lack blocks and have spare ones
   * @param misplaced stripes with misplaced blocks
   * @param thinned stripes that lost blocks to deletions and changes
   * @param all whether all stripes were counted, and not only the first damaged ones
   */
  public record Stripes(
      long lost,
      long atRisk,
      long unreadable,
      long lacking,
      long misplaced,
      long thinned,
      boolean all) {
    /** No damaged stripes, or none known. */
    public static final Stripes NONE = new Stripes(0, 0, 0, 0, 0, 0, true);
  }

  /**
   * DataNodes with problems.
   *
   * @param dead dead nodes in service
   * @param silent live nodes that do not answer
   * @param plain nodes without Braid's plugin
   */
  public record Nodes(long dead, long silent, long plain) {}

  /**
   * The state of repair, and the waiting readers.
   *
   * @param safeMode whether the NameNode is in safe mode
   * @param repairPaused until when repair is paused, as text after "until"; empty when it is not
   * @param daemonMissing whether there are stripes, and no daemon repairs them
   * @param waiting calls of clients that wait for lost blocks
   */
  public record Service(
      boolean safeMode, String repairPaused, boolean daemonMissing, long waiting) {}

  /** The health. */
  public Health health() {
    List<Cause> causes = new ArrayList<>();
    ofStripes(causes);
    nodes(causes);
    service(causes);
    return Health.of(causes);
  }

  private void ofStripes(List<Cause> causes) {
    stripes(
        causes,
        Word.LOST,
        stripes.lost,
        "%s with blocks that can neither be read nor rebuilt now: bring"
            + " their DataNodes back; braid fsck --list names them");
    count(
        causes,
        Word.LOST,
        unreadable,
        "%s of replicated files without a copy that can be read: bring its DataNodes back",
        "block");
    stripes(
        causes,
        Word.AT_RISK,
        stripes.atRisk,
        "%s with lost blocks and no spare one: run braid repair");
    stripes(
        causes,
        Word.AT_RISK,
        stripes.unreadable,
        "%s that this release cannot read: braid fsck names the parity files");
    stripes(
        causes,
        Word.DEGRADED,
        stripes.lacking,
        "%s with lost blocks and spare ones left: braid repair rebuilds them, braid daemon after"
            + " braid.repair.delay");
    stripes(
        causes,
        Word.DEGRADED,
        stripes.misplaced,
        "%s with blocks in wrong places, or on nodes that leave: run braid repair");
    count(
        causes,
        Word.DEGRADED,
        stripes.thinned,
        "%s with blocks that were deleted or changed since: braid daemon or braid repair"
            + " encodes the others anew, which have copies until then",
        "stripe");
  }

  private void nodes(List<Cause> causes) {
    count(causes, Word.DEGRADED, nodes.dead, "%s dead", "DataNode");
    count(causes, Word.DEGRADED, nodes.silent, "%s not answering", "DataNode");
    count(
        causes,
        Word.DEGRADED,
        nodes.plain,
        "%s running without Braid's plugin: braid check says why",
        "DataNode");
  }

  private void service(List<Cause> causes) {
    if (!service.repairPaused.isEmpty()) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "repair is paused until "
                  + service.repairPaused
                  + ": what is lost is not rebuilt until then"));
    }
    if (service.safeMode) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "the NameNode is in safe mode: nothing is converted, repaired or restored until it leaves,"
                  + " and damage is not known; hdfs dfsadmin -safemode get says more"));
    }
    if (service.daemonMissing) {
      causes.add(
          new Cause(
              Word.DEGRADED,
              "no daemon runs: what is lost is not rebuilt by itself; start braid daemon"));
    }
    count(causes, Word.DEGRADED, service.waiting, "%s of clients waiting for lost blocks", "call");
  }

  private void stripes(List<Cause> causes, Word word, long count, String what) {
    count(causes, word, count, stripes.all ? what : "at least " + what, "stripe");
  }

  private static void count(List<Cause> causes, Word word, long count, String what, String noun) {
    if (count > 0) {
      causes.add(new Cause(word, what.formatted(Amounts.count(count, noun))));
    }
  }
}
