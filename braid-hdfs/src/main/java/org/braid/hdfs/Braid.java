package org.braid.hdfs;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.braid.hdfs.api.Cluster;
import org.braid.hdfs.api.Connection;
import org.braid.hdfs.api.RefusedException;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.CheckReport;
import org.braid.hdfs.coordinator.Coordinator;
import org.braid.hdfs.coordinator.check.Inspection;
import org.braid.hdfs.coordinator.throttle.ThrottleSettings;
import org.braid.hdfs.dispatch.Connections;
import org.braid.hdfs.dispatch.Routers;
import org.braid.hdfs.rpc.CallerContexts;

/** Where programs begin. */
public final class Braid {
  private Braid() {}

  /**
   * Does work whose calls name their caller: NameNodes with {@code hadoop.caller.context.enabled}
   * have the name in their audit logs. A caller's context that this thread has already stays.
   */
  public static <T> T calledBy(String caller, CallerContexts.Calls<T> work) throws IOException {
    return CallerContexts.named(caller, work);
  }

  /**
   * Connects to a cluster.
   *
   * @throws RefusedException when it is a router: {@link #behind} finds the NameNode
   * @throws IOException when the NameNode cannot be reached or has no Braid plugin
   */
  public static Cluster connect(Connection connection) throws IOException {
    return Coordinator.connect(connection);
  }

  /**
   * Finds the NameNode behind a router that has some paths.
   *
   * @param connection leads to the router
   * @param paths as clients of the router see them, at least one
   * @throws RefusedException when no NameNode alone has all of them with all below them, or it is
   *     not known for certain which one does
   * @throws IOException when the router or the NameNode cannot be reached
   */
  public static Connection.Behind behind(Connection connection, List<String> paths)
      throws IOException {
    return Routers.behind(connection, paths);
  }

  /**
   * Says what keeps conversion and repair from working on a cluster, also on one without Braid.
   *
   * @param codes names of codes that are to be used
   * @throws IOException when no HDFS is named or this user may not look
   */
  public static CheckReport check(Connection connection, List<String> codes) throws IOException {
    return Inspection.check(connection, codes);
  }

  /**
   * Refuses changes of the throttle that no cluster could be set to, before one is connected to.
   *
   * @param changes as for {@link ThrottleControl#set}
   * @throws IllegalArgumentException when a key or a value cannot be
   */
  public static void checkThrottle(Map<String, String> changes) {
    ThrottleSettings.check(changes);
  }

  /**
   * What to say of a failure of a command that comes from a wrong value of one of Hadoop's own
   * properties; empty when it does not. Hadoop reads many of them no sooner than it needs them.
   */
  public static Optional<String> mistake(Connection connection, RuntimeException failure) {
    return Connections.mistake(connection, failure);
  }
}
