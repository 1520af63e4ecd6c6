package org.braid.hdfs.testing;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.federation.resolver.MountTableResolver;
import org.apache.hadoop.hdfs.server.federation.resolver.MultipleDestinationMountTableResolver;
import org.apache.hadoop.hdfs.server.federation.resolver.order.DestinationOrder;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.hdfs.server.federation.router.Router;
import org.apache.hadoop.hdfs.server.federation.store.MountTableStore;
import org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreFileImpl;
import org.apache.hadoop.hdfs.server.federation.store.protocol.AddMountTableEntryRequest;
import org.apache.hadoop.hdfs.server.federation.store.records.MountTable;
import org.braid.testing.Await;

/** A router of HDFS's federation, unmodified and without Braid, in front of several NameNodes. */
public final class FederationRouter implements AutoCloseable {
  private static final String ANY = "127.0.0.1:0";

  private final Router router = new Router();

  /**
   * Starts a router and waits until it knows an active NameNode of each name service.
   *
   * @param nameNodes a configuration that names the NameNodes; with Kerberos, the router's keytab
   *     and where its delegation tokens are kept, too
   * @param services the name services that it stands for
   * @param directory for its state
   */
  public FederationRouter(Configuration nameNodes, List<String> services, Path directory)
      throws IOException {
    Configuration conf = new Configuration(nameNodes);
    conf.set(RBFConfigKeys.DFS_ROUTER_RPC_ADDRESS_KEY, ANY);
    conf.set(RBFConfigKeys.DFS_ROUTER_ADMIN_ADDRESS_KEY, ANY);
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_HTTP_ENABLE, false);
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_METRICS_ENABLE, false);
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_SAFEMODE_ENABLE, false);
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_DEFAULT_NAMESERVICE_ENABLE, false);
    conf.setBoolean(RBFConfigKeys.DFS_ROUTER_MONITOR_LOCAL_NAMENODE, false);
    conf.set(RBFConfigKeys.DFS_ROUTER_MONITOR_NAMENODE, String.join(",", services));
    conf.set(RBFConfigKeys.DFS_ROUTER_HEARTBEAT_INTERVAL_MS, "500");
    conf.set(
        RBFConfigKeys.FEDERATION_FILE_RESOLVER_CLIENT_CLASS,
        MultipleDestinationMountTableResolver.class.getName());
    conf.set(RBFConfigKeys.FEDERATION_STORE_DRIVER_CLASS, StateStoreFileImpl.class.getName());
    conf.set(
        RBFConfigKeys.FEDERATION_STORE_PREFIX + "driver.file.directory",
        directory.toAbsolutePath().toString());
    router.init(conf);
    router.start();
    Await.until(
        "the router to know the active NameNodes of " + services,
        () -> {
          router.getStateStore().refreshCaches(true);
          for (String service : services) {
            var known = router.getNamenodeResolver().getNamenodesForNameserviceId(service, false);
            if (known == null || known.isEmpty()) {
              return false;
            }
          }
          return true;
        });
  }

  /**
   * Mounts a directory.
   *
   * @param destinations paths by name service; the files of several are spread over these
   */
  public void mount(String path, Map<String, String> destinations) throws IOException {
    mount(path, destinations, new FsPermission((short) 0755));
  }

  /**
   * Mounts a directory that is this user's.
   *
   * @param destinations as above
   * @param rights whom the router's administration names it to; others may use it nevertheless
   */
  public void mount(String path, Map<String, String> destinations, FsPermission rights)
      throws IOException {
    MountTable entry = MountTable.newInstance(path, destinations);
    entry.setMode(rights);
    if (destinations.size() > 1) {
      entry.setDestOrder(DestinationOrder.HASH_ALL);
    }
    router
        .getStateStore()
        .getRegisteredRecordStore(MountTableStore.class)
        .addMountTableEntry(AddMountTableEntryRequest.newInstance(entry));
    ((MountTableResolver) router.getSubclusterResolver()).loadCache(true);
  }

  /** The address that clients use. */
  public String uri() {
    InetSocketAddress address = router.getRpcServerAddress();
    return "hdfs://127.0.0.1:" + address.getPort();
  }

  /** The address of its administration. */
  public String adminAddress() {
    return "127.0.0.1:" + router.getAdminServerAddress().getPort();
  }

  @Override
  public void close() {
    router.stop();
  }
}
