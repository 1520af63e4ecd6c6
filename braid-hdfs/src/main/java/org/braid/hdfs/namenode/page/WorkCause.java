package org.braid.hdfs.namenode.page;

import org.braid.hdfs.namenode.lease.Leases;

/** Why the holder of the lease does what it does. */
final class WorkCause {
  private WorkCause() {}

  /**
   * The cause in words.
   *
   * @param holder of the lease, which begins with the word for its work
   * @param phase what it says that it does
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
