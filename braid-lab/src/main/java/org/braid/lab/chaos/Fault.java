package org.braid.lab.chaos;

import java.util.Locale;

/** What happens to the cluster, or ends. */
sealed interface Fault {
  /** The name of its kind in reports, as in {@code kill-node}. */
  default String kind() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  /** Nothing happens for a while. */
  record Quiet(int seconds) implements Fault {}

  /** A DataNode's process is killed. */
  record KillNode(String node) implements Fault {}

  /** A killed DataNode is started on its files. */
  record StartNode(String node) implements Fault {}

  /** A DataNode hangs: its connections stay open and nothing answers. */
  record PauseNode(String node) implements Fault {}

  /** A DataNode that hung goes on. */
  record ResumeNode(String node) implements Fault {}

  /** A DataNode's or a rack's link is cut. */
  record CutLink(String name) implements Fault {}

  /** A link that was cut carries again. */
  record JoinLink(String name) implements Fault {}

  /**
   * A DataNode's disk has no room: it is a file system of its own, which is made as small as its
   * files are, so that every write fails with ENOSPC. HDFS hears of it with the next heartbeat.
   */
  record FillDisk(String node) implements Fault {}

  /**
   * A DataNode's disk lies: it has no inode left for another file, so that every new replica fails
   * with ENOSPC, but says that it has as much room as before.
   */
  record RefuseFiles(String node) implements Fault {}

  /** A DataNode's disk has room again. */
  record FreeDisk(String node) implements Fault {}

  /**
   * A byte of a replica changes on disk.
   *
   * @param choice which replica, of those that are there then
   */
  record FlipByte(int choice) implements Fault {}

  /** The file of a replica is deleted from disk. */
  record DeleteReplica(int choice) implements Fault {}

  /** The NameNode is killed, and started again after some seconds. */
  record KillNameNode(int seconds) implements Fault {}

  /** The NameNode hangs for some seconds. */
  record PauseNameNode(int seconds) implements Fault {}

  /** The coordinator is killed, and started again after some seconds. */
  record KillCoordinator(int seconds) implements Fault {}

  /** The coordinator hangs for some seconds. */
  record PauseCoordinator(int seconds) implements Fault {}

  /** The process of Braid's commands is killed with all that it is doing. */
  record KillCommands(int lane) implements Fault {}

  /** A client's process is killed with whatever it is writing. */
  record KillClient(int lane) implements Fault {}

  /** A DataNode is to be taken out of service. */
  record Decommission(String node) implements Fault {}

  /** A DataNode is in service again. */
  record Recommission(String node) implements Fault {}

  /** HDFS's Balancer runs for at most some seconds. */
  record RunBalancer(int seconds) implements Fault {}
}
