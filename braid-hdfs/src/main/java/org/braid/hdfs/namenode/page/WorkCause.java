package org.braid.hdfs.namenode.page;

import org.braid.hdfs.namenode.lease.Leases;

/** Names the reason for the work of a lease's holder. */
final class WorkCause {
  private WorkCause() {}

  /**
   * The reason in words.
   *
   * @param holder holder of the lease, whose name begins with the kind of work
   * @param phase phase that the holder reports
   */
  static String of(String holder, String phase) {
    if (!holder.startsWith(Leases.DAEMON)) {
      return "somebody runs braid " + holder.split(" ", 2)[0];
    }
    return switch (phase) {
      case "repairing" -> "blocks are lost or in wrong places";
      case "planning", "converting", "replicating" -> "a policy asks for it";
      case "watching" -> "nothing is to be done now";
      default -> "";
    };
  }
}
