package org.braid.hdfs.coordinator.policy;

import org.braid.hdfs.api.view.Amounts;

/** The journal's lines about the work of policies. */
final class PolicyLines {
  private PolicyLines() {}

  /**
   * Files were converted.
   *
   * @param before bytes of all replicas and parity of these files
   * @param after the same now
   */
  static String converted(String policy, int files, String code, long before, long after) {
    return "policy %s: %s converted to %s, stored %s before, %s after"
        .formatted(
            policy,
            Amounts.count(files, "file"),
            code,
            Amounts.bytes(before),
            Amounts.bytes(after));
  }

  /** Files were restored. */
  static String restored(String policy, int files) {
    return "policy %s: %s restored".formatted(policy, Amounts.count(files, "file"));
  }

  /**
   * Says that work is broken off.
   *
   * @param files number of files of the batch that are done
   * @param then what becomes of the other files
   */
  static String brokenOff(String policy, int files, String then) {
    return ("policy %s is broken off, %s of this batch %s done: the others are readable and as safe"
            + " as before, %s")
        .formatted(policy, Amounts.count(files, "file"), files == 1 ? "is" : "are", then);
  }
}
