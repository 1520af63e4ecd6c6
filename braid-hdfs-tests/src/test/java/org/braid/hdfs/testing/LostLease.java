package org.braid.hdfs.testing;

import java.lang.reflect.Field;
import java.util.Map;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** Takes their leases away from all who work on a cluster, as if they had expired. */
public final class LostLease {
  private LostLease() {}

  /** Nothing is held; the holders are not told. */
  public static void lose(EmbeddedCluster cluster) throws ReflectiveOperationException {
    BraidNameNodePlugin plugin = Plugins.of(cluster.nameNode());
    Object leases = field(field(plugin, "deferral"), "leases");
    synchronized (leases) {
      ((Map<?, ?>) field(leases, "leases")).clear();
      ((Map<?, ?>) field(field(leases, "claims"), "claims")).clear();
    }
  }

  private static Object field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
