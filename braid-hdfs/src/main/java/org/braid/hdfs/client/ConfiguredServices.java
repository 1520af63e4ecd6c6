package org.braid.hdfs.client;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.dispatch.NameServices;
import org.braid.hdfs.dispatch.UserCalls;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;

/** The name services in a client's configuration, called as the client's user. */
final class ConfiguredServices implements PoolStripes.Services {
  /** Asked for one DataNode that there is not, so that the answer names none. */
  private static final ClusterRequestProto POOL =
      ClusterRequestProto.newBuilder().addUuids("none").build();

  private static final int CONNECT_MILLIS = 3000;

  private final Configuration conf;
  private final UserGroupInformation user;
  private final Map<String, URI> uris;
  private final LongSupplier clock;
  private final NameNodeStripes.Tokens tokens;

  ConfiguredServices(URI uri, Configuration conf, LongSupplier clock, NameNodeStripes.Tokens tokens)
      throws IOException {
    this.conf = conf;
    this.user = UserGroupInformation.getCurrentUser();
    this.uris = NameServices.besides(uri, conf);
    this.clock = clock;
    this.tokens = tokens;
  }

  @Override
  public Set<String> names() {
    return uris.keySet();
  }

  @Override
  public Optional<String> blockPool(String name) throws IOException {
    Configuration impatient = NameNodeLink.once(Objects.requireNonNull(uris.get(name), name), conf);
    impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
    impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
    impatient.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    try (NameNodeLink link = link(name, impatient)) {
      return Optional.of(link.ask(stub -> () -> stub.cluster(null, POOL)).getBlockPool());
    } catch (RpcNoSuchProtocolException e) {
      return Optional.empty();
    }
  }

  @Override
  public StripeSource open(String name) throws IOException {
    return new NameNodeStripes(link(name, conf), clock, tokens);
  }

  private NameNodeLink link(String name, Configuration with) throws IOException {
    URI uri = Objects.requireNonNull(uris.get(name), name);
    return UserCalls.runAs(user, () -> new NameNodeLink(uri, with));
  }
}
