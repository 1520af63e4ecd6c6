package org.braid.hdfs.secure;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.hdfs.server.federation.router.RBFConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.apache.hadoop.security.token.delegation.AbstractDelegationTokenSecretManager;
import org.braid.hdfs.testing.FederationRouter;

/**
 * A router with a keytab of its own, in a process of its own, in front of a secure cluster's
 * NameNode. It acts there for those who ask it, and gives delegation tokens that it alone knows.
 */
final class RouterProcess implements AutoCloseable {
  /** The user that the router is, who may act for others. */
  static final String USER = "router";

  /** The name service of the NameNode. */
  static final String SERVICE = "behind";

  private static final String URI = "router at ";

  private final Process process;
  private final String uri;

  private RouterProcess(Process process, String uri) {
    this.process = process;
    this.uri = uri;
  }

  /** Starts one that has the NameNode's root as its own. */
  static RouterProcess start(SecureCluster cluster) throws Exception {
    Path directory = SecureCluster.fresh(SecureCluster.directory("router"));
    String principal = USER + "/" + Realm.HOST;
    Map<String, String> properties = new HashMap<>(services(cluster));
    properties.put(
        RBFConfigKeys.DFS_ROUTER_KERBEROS_PRINCIPAL_KEY, cluster.realm.principal(principal));
    properties.put(
        RBFConfigKeys.DFS_ROUTER_KEYTAB_FILE_KEY, cluster.realm.keytabOf(principal).toString());
    properties.put(RBFConfigKeys.DFS_ROUTER_DELEGATION_TOKEN_DRIVER_CLASS, Tokens.class.getName());
    Path file = cluster.clientFile("router", properties);
    Process process =
        CoordinatorProcess.ofOperator(
                cluster.realm.configuration("router.conf", "24h"),
                Optional.empty(),
                RouterProcess.class,
                file.toString(),
                directory.toString())
            .start();
    StringBuilder said = new StringBuilder();
    BufferedReader reader = process.inputReader();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      said.append(line).append('\n');
      if (line.startsWith(URI)) {
        Thread rest = new Thread(() -> reader.lines().forEach(unused -> {}), "router's output");
        rest.setDaemon(true);
        rest.start();
        return new RouterProcess(process, line.substring(URI.length()));
      }
    }
    throw new IOException("the router has ended: " + said);
  }

  /** The address that clients use. */
  String uri() {
    return uri;
  }

  /** The properties that name the NameNode behind routers. */
  static Map<String, String> services(SecureCluster cluster) {
    return Map.of(
        "dfs.nameservices",
        SERVICE,
        "dfs.namenode.rpc-address." + SERVICE,
        java.net.URI.create(cluster.hdfs.uri()).getAuthority());
  }

  /** The router's delegation tokens, in its memory. */
  public static final class Tokens
      extends AbstractDelegationTokenSecretManager<DelegationTokenIdentifier> {
    private static final long DAY = TimeUnit.DAYS.toMillis(1);

    /** Called by the router. */
    public Tokens(Configuration conf) throws IOException {
      super(DAY, DAY, DAY, DAY);
      startThreads();
    }

    @Override
    public DelegationTokenIdentifier createIdentifier() {
      return new DelegationTokenIdentifier();
    }
  }

  /** Routes until the standard input ends: the file with properties, and a directory. */
  public static void main(String[] args) throws Exception {
    Configuration conf = new Configuration();
    conf.addResource(new org.apache.hadoop.fs.Path(Path.of(args[0]).toUri()));
    UserGroupInformation.setConfiguration(conf);
    ProxyUsers.refreshSuperUserGroupsConfiguration(conf); // else those of the class path count
    try (FederationRouter router = new FederationRouter(conf, List.of(SERVICE), Path.of(args[1]))) {
      router.mount("/", Map.of(SERVICE, "/"));
      System.out.println(URI + router.uri());
      while (System.in.read() >= 0) {}
    }
    System.exit(0);
  }

  @Override
  public void close() throws Exception {
    process.getOutputStream().close();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
  }
}
