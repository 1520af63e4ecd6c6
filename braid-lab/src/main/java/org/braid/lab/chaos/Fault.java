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

  /** How long it takes at least before the next one. */
  default int seconds() {
    return 0;
  }

  /** What a fault that lasts until another one ends it befell; empty for others. */
  default String lastsAt() {
    return "";
  }

  /** What a fault ends that lasted; empty for those that end none. */
  default String endsAt() {
    return "";
  }

  /** A fault that lasts. */
  sealed interface Lasting extends Fault {
    String node();

    @Override
    default String lastsAt() {
      return node();
    }
  }

  /** The end of one. */
  sealed interface Ending extends Fault {
    String node();

    @Override
    default String endsAt() {
      return node();
    }
  }

  /** Nothing happens for a while. */
  record Quiet(int seconds) implements Fault {}

  /** A DataNode's process is killed. */
  record KillNode(String node) implements Lasting {}

  /** A killed DataNode is started on its files. */
  record StartNode(String node) implements Ending {}

  /** A DataNode hangs: its connections stay open and nothing answers. */
  record PauseNode(String node) implements Lasting {}

  /** A DataNode that hung goes on. */
  record ResumeNode(String node) implements Ending {}

  /** A DataNode's or a rack's link is cut. */
  record CutLink(String node) implements Lasting {}

  /** A link that was cut carries again. */
  record JoinLink(String node) implements Ending {}

  /**
   * A DataNode's disk has no room: it is a file system of its own, which is made as small as its
   * files are, so that every write fails with ENOSPC. HDFS hears of it with the next heartbeat.
   */
  record FillDisk(String node) implements Lasting {}

  /**
   * A DataNode's disk lies: it has no inode left for another file, so that every new replica fails
   * with ENOSPC, but says that it has as much room as before.
   */
  record RefuseFiles(String node) implements Lasting {}

  /** A DataNode's disk has room again. */
  record FreeDisk(String node) implements Ending {}

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
  record Decommission(String node) implements Lasting {}

  /** A DataNode is in service again. */
  record Recommission(String node) implements Ending {}

  /** HDFS's Balancer runs for at most some seconds. */
  record RunBalancer(int seconds) implements Fault {}
}
