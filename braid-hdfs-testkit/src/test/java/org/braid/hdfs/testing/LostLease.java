package org.braid.hdfs.testing;

import java.lang.reflect.Field;
import org.braid.hdfs.namenode.BraidNameNodePlugin;
import org.braid.hdfs.testkit.embedded.EmbeddedCluster;

/** Takes the lease away from whoever works on a cluster, as if it had expired. */
public final class LostLease {
  private LostLease() {}

  /** The lease is free; its holder is not told. */
  public static void lose(EmbeddedCluster cluster) throws ReflectiveOperationException {
    BraidNameNodePlugin plugin =
        BraidNameNodePlugin.of(
                cluster
                    .nameNode()
                    .getNamesystem()
                    .getBlockManager()
                    .getDatanodeManager()
                    .getNetworkTopology())
            .orElseThrow();
    Object leases = field(field(plugin, "deferral"), "leases");
    Field lease = leases.getClass().getDeclaredField("lease");
    lease.setAccessible(true);
    synchronized (leases) {
      lease.set(leases, null);
    }
  }

  private static Object field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }
}
