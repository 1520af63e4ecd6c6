package org.braid.hdfs.dispatch;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys.Failover;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.time.Ticker;

/** Calls Braid's plugin in the active NameNode. Thread-safe. */
public final class NameNodeLink implements Closeable {
  /** Most repeated calls on a busy NameNode. */
  private static final int BUSY_ATTEMPTS = 8;

  private static final long BUSY_MILLIS = 10;

  private final Configuration conf;
  private final UserGroupInformation user;
  private final List<InetSocketAddress> addresses;
  private final Map<InetSocketAddress, BraidNameNodePB> stubs = new HashMap<>();
  private final Patience patience;
  private final Connect connect;
  private final Ticker ticker;
  private int active;

  /** Makes a stub of the NameNode at an address. */
  interface Connect {
    BraidNameNodePB to(Configuration conf, InetSocketAddress address) throws IOException;
  }

  /**
   * The failovers of a call, by the properties of HDFS's own clients.
   *
   * @param attempts most failovers
   * @param base milliseconds before the second failover; doubled before each further one
   * @param most limit of these milliseconds
   */
  private record Patience(int attempts, long base, long most) {
    static Patience of(Configuration conf, int nameNodes) {
      return nameNodes == 1
          ? new Patience(0, 0, 0)
          : new Patience(
              conf.getInt(Failover.MAX_ATTEMPTS_KEY, Failover.MAX_ATTEMPTS_DEFAULT),
              conf.getInt(Failover.SLEEPTIME_BASE_KEY, Failover.SLEEPTIME_BASE_DEFAULT),
              conf.getInt(Failover.SLEEPTIME_MAX_KEY, Failover.SLEEPTIME_MAX_DEFAULT));
    }

    /** Milliseconds before a failover. */
    long before(int failovers) {
      return failovers == 0 ? 0 : Math.min(most, base << Math.min(20, failovers - 1));
    }
  }

  /**
   * Creates a link, which connects at its first use as the current user.
   *
   * @param uri the file system
   */
  public NameNodeLink(URI uri, Configuration conf) throws IOException {
    this(uri, conf, Rpc::nameNode, Ticker.SYSTEM);
  }

  NameNodeLink(URI uri, Configuration conf, Connect connect, Ticker ticker) throws IOException {
    this.connect = connect;
    this.ticker = ticker;
    this.user = UserGroupInformation.getCurrentUser();
    this.addresses = addresses(uri, conf);
    if (HAUtilClient.isLogicalUri(conf, uri)) {
      share(user, uri, addresses);
    }
    this.conf = new Configuration(conf);
    patience = Patience.of(conf, addresses.size());
    if (addresses.size() > 1) {
      // The other one is asked at once.
      this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 0);
      this.conf.setInt(
          CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 0);
    }
  }

  /**
   * Makes the delegation token of a name service valid for each of its NameNodes, which no client
   * of HDFS does when these are behind a router.
   */
  private static void share(UserGroupInformation user, URI uri, List<InetSocketAddress> addresses) {
    for (InetSocketAddress address : addresses) {
      try {
        HAUtilClient.cloneDelegationTokenForLogicalUri(user, uri, List.of(address));
      } catch (IllegalArgumentException e) {
        // No name server knows it at the moment: the others are asked all the same.
      }
    }
  }

  /**
   * The number of failovers that reach each NameNode of a file system once: any of them may be
   * active, and with observers there are at least three.
   */
  public static int failovers(URI uri, Configuration conf) {
    return Math.max(0, DFSUtilClient.getNameNodeIds(conf, uri.getHost()).size() - 1);
  }

  /** Settings with which a client asks each NameNode of a file system once, without pauses. */
  public static Configuration once(URI uri, Configuration conf) {
    Configuration impatient = new Configuration(conf);
    impatient.setInt(Failover.MAX_ATTEMPTS_KEY, failovers(uri, conf));
    impatient.setInt(Failover.SLEEPTIME_BASE_KEY, 0);
    return impatient;
  }

  /**
   * The RPC addresses of the NameNodes of a file system.
   *
   * @throws IllegalArgumentException when none is configured
   */
  public static List<InetSocketAddress> addresses(URI uri, Configuration conf) {
    if (!HAUtilClient.isLogicalUri(conf, uri)) {
      return List.of(Rpc.nameNodeAddress(conf, uri));
    }
    Map<String, InetSocketAddress> byName =
        DFSUtilClient.getHaNnRpcAddresses(conf).get(uri.getHost());
    if (byName == null || byName.isEmpty()) {
      throw new IllegalArgumentException("no NameNode address is configured for " + uri);
    }
    return List.copyOf(byName.values());
  }

  /**
   * Makes an idempotent call. Reconnects when the NameNode closed the connection. Fails over when
   * it is not active, as patiently as HDFS's own clients, and once when it does not know Braid.
   */
  public <T> T ask(Function<BraidNameNodePB, Rpc.Call<T>> question) throws IOException {
    return call(question, e -> e instanceof StandbyException || isSilent(e) || isNotFound(e));
  }

  /**
   * Makes a call that changes something, which the active NameNode executes at most once. When the
   * answer is missing, so that the call may have been executed, it throws, and the next call goes
   * to another NameNode.
   */
  public <T> T tell(Function<BraidNameNodePB, Rpc.Call<T>> order) throws IOException {
    return call(order, e -> isUnheard(e) || isNotFound(e));
  }

  /**
   * Whether the cause of a failed call is temporary: no NameNode was active or reachable, or the
   * active one was busy or did not answer.
   */
  public static boolean isPassing(IOException e) {
    IOException failure = e instanceof RemoteException told ? told.unwrapRemoteException() : e;
    return failure instanceof RetriableException || isUnheard(failure) || isSilent(failure);
  }

  /** Whether the NameNode certainly did not execute the call, so that repeating it is safe. */
  private static boolean isUnheard(IOException e) {
    return e instanceof StandbyException
        || e instanceof ConnectException
        || e instanceof ConnectTimeoutException
        || e instanceof NoRouteToHostException;
  }

  /**
   * Whether the name of the NameNode's host is unknown at the moment; HDFS's own clients then ask
   * another NameNode.
   */
  private static boolean isNotFound(IOException e) {
    return e instanceof UnknownHostException;
  }

  /** Whether no answer came: the host may be down, and another NameNode active. */
  private static boolean isSilent(IOException e) {
    return e instanceof SocketTimeoutException
        || e instanceof SocketException
        || e instanceof EOFException;
  }

  /**
   * Repeats a call until it is answered.
   *
   * @param repeats the failures after which the call may be repeated
   */
  private <T> T call(Function<BraidNameNodePB, Rpc.Call<T>> call, Predicate<IOException> repeats)
      throws IOException {
    List<IOException> failures = new ArrayList<>();
    boolean reconnected = false;
    int failovers = 0;
    int busy = 0;
    Set<Integer> withoutBraid = new HashSet<>();
    Set<Integer> notFound = new HashSet<>();
    while (true) {
      int index = active();
      try {
        return Rpc.call(call.apply(stub(index)));
      } catch (IOException e) {
        if (e instanceof RetriableException && busy < BUSY_ATTEMPTS) {
          pause(BUSY_MILLIS << busy++);
          continue;
        }
        failures.add(e);
        if (e instanceof RpcNoSuchProtocolException) {
          // It heard nothing, so that another one may. None may know Braid: no use in waiting.
          if (addresses.size() == 1 || !withoutBraid.add(index)) {
            break;
          }
          passOn(index);
          continue;
        }
        if (isNotFound(e)) {
          notFound.add(index);
          if (notFound.size() == addresses.size()) {
            break; // the names are wrong, or nobody tells them
          }
        }
        boolean closed = e instanceof EOFException || e.getClass() == SocketException.class;
        if (!repeats.test(e)) {
          if (isSilent(e)) {
            passOn(index);
          }
          break;
        }
        if (closed && !reconnected) {
          reconnected = true;
          continue;
        }
        if (failovers == patience.attempts()) {
          break;
        }
        passOn(index);
        pause(patience.before(failovers++));
      }
    }
    throw last(failures);
  }

  private void pause(long millis) throws InterruptedIOException {
    try {
      ticker.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while no NameNode was active");
    }
  }

  private static IOException last(List<IOException> failures) {
    IOException last = failures.remove(failures.size() - 1);
    failures.forEach(last::addSuppressed);
    return last;
  }

  private synchronized int active() {
    return active;
  }

  private synchronized void passOn(int failed) {
    if (active == failed) {
      active = (failed + 1) % addresses.size();
    }
  }

  /** The address of the NameNode that the next call goes to. */
  public InetSocketAddress address() {
    return addresses.get(active());
  }

  private synchronized BraidNameNodePB stub(int index) throws IOException {
    InetSocketAddress address = addresses.get(index);
    BraidNameNodePB stub = stubs.get(address);
    if (stub == null) {
      stub = UserCalls.runAs(user, () -> connect.to(conf, address));
      stubs.put(address, stub);
    }
    return stub;
  }

  @Override
  public synchronized void close() {
    stubs.values().forEach(Rpc::stop);
    stubs.clear();
  }
}
