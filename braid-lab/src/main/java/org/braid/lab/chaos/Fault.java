package org.braid.lab.chaos;

import java.util.Locale;

/** The begin or the end of a fault of the cluster. */
sealed interface Fault {
  /** The name of its kind in reports, as in {@code kill-node}. */
  default String kind() {
    return getClass()
        .getSimpleName()
        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
        .toLowerCase(Locale.ROOT);
  }

  /** The least number of seconds before the next fault. */
  default int seconds() {
    return 0;
  }

  /** The node or rack that a lasting fault affects; empty for other faults. */
  default String lastsAt() {
    return "";
  }

  /** The node or rack whose lasting fault this one ends; empty when it ends none. */
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
   * A DataNode's disk is full: its own file system is shrunk to the size of its files, so that
   * every write fails with ENOSPC. The next heartbeat reports it to HDFS.
   */
  record FillDisk(String node) implements Lasting {}

  /**
   * A DataNode's disk has no inode left, so that every new replica fails with ENOSPC, but still
   * reports the same free room.
   */
  record RefuseFiles(String node) implements Lasting {}

  /** A DataNode's disk has room again. */
  record FreeDisk(String node) implements Ending {}

  /**
   * A byte of a replica changes on disk.
   *
   * @param choice chooses one of the replicas that then exist
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

  /** A client's process is killed with its open files. */
  record KillClient(int lane) implements Fault {}

  /** A DataNode is to be taken out of service. */
  record Decommission(String node) implements Lasting {}

  /** A DataNode is in service again. */
  record Recommission(String node) implements Ending {}

  /** HDFS's Balancer runs for at most some seconds. */
  record RunBalancer(int seconds) implements Fault {}
}
