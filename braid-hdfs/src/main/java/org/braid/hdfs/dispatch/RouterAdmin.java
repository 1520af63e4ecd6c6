package org.braid.hdfs.dispatch;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.net.NetUtils;
import org.braid.hdfs.dispatch.MountTable.Place;
import org.braid.hdfs.proto.RouterProtos.HoldersRequestProto;
import org.braid.hdfs.proto.RouterProtos.MountProto;
import org.braid.hdfs.proto.RouterProtos.MountsRequestProto;
import org.braid.hdfs.proto.RouterProtos.MountsResponseProto;
import org.braid.hdfs.rpc.Rpc;

/** Calls the administration of a router, which lists the mounts. */
final class RouterAdmin implements Closeable {
  /** Hadoop's property: the address of the administration; without a host, the router's host. */
  static final String ADDRESS_KEY = "dfs.federation.router.admin-address";

  private static final int PORT = 8111;
  private static final String ANYWHERE = "0.0.0.0:" + PORT;

  private static final int CONNECT_MILLIS = 3000;
  private static final int CALL_MILLIS = 30_000;

  /** Requests all mounts that the user may read. */
  private static final MountsRequestProto ALL =
      MountsRequestProto.newBuilder().setPath("/").build();

  private final RouterAdminPB stub;
  private final MountTable mounts;

  private RouterAdmin(RouterAdminPB stub, MountTable mounts) {
    this.stub = stub;
    this.mounts = mounts;
  }

  /**
   * Connects to the first router that answers.
   *
   * @param router the file system
   * @throws IOException when none answers, with the reason
   */
  static RouterAdmin connect(URI router, Configuration conf) throws IOException {
    Configuration impatient = new Configuration(conf);
    impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
    impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    impatient.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    List<String> reasons = new ArrayList<>();
    for (InetSocketAddress address : addresses(router, conf)) {
      RouterAdminPB stub = Rpc.proxy(RouterAdminPB.class, impatient, address, CALL_MILLIS);
      try {
        MountsResponseProto answer = Rpc.call(() -> stub.getMountTableEntries(null, ALL));
        return new RouterAdmin(stub, table(answer));
      } catch (IOException e) {
        Rpc.stop(stub);
        reasons.add(Rpc.reason(e));
      }
    }
    throw new IOException(
        "its mounts cannot be read: %s (%s says where)"
            .formatted(String.join(", ", reasons), ADDRESS_KEY));
  }

  /**
   * The addresses of the administration of routers: a single one, or the same port of each router.
   *
   * @param router the file system
   */
  static List<InetSocketAddress> addresses(URI router, Configuration conf) throws IOException {
    InetSocketAddress configured;
    try {
      configured =
          NetUtils.createSocketAddr(conf.getTrimmed(ADDRESS_KEY, ANYWHERE), PORT, ADDRESS_KEY);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (configured.isUnresolved() || !configured.getAddress().isAnyLocalAddress()) {
      return List.of(configured);
    }
    return NameNodeLink.addresses(router, conf).stream()
        .map(one -> NetUtils.createSocketAddrForHost(one.getHostString(), configured.getPort()))
        .toList();
  }

  private static MountTable table(MountsResponseProto answer) {
    Map<String, List<Place>> mounts = new HashMap<>();
    for (MountProto mount : answer.getMountsList()) {
      mounts.put(
          mount.getPath(),
          mount.getPlacesList().stream()
              .map(place -> new Place(place.getService(), place.getPath()))
              .toList());
    }
    return new MountTable(mounts);
  }

  MountTable mounts() {
    return mounts;
  }

  /** The name services in which the router itself finds a path. */
  List<String> holders(String path) throws IOException {
    HoldersRequestProto request = HoldersRequestProto.newBuilder().setPath(path).build();
    return List.copyOf(Rpc.call(() -> stub.getDestination(null, request)).getServicesList());
  }

  @Override
  public void close() {
    Rpc.stop(stub);
  }
}
