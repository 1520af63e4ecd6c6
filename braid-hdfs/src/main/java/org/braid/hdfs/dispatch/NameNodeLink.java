package org.braid.hdfs.dispatch;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;

/** Calls to Braid in the NameNode, the active one of several. Thread-safe. */
public final class NameNodeLink implements Closeable {
  private final Configuration conf;
  private final UserGroupInformation user;
  private final List<InetSocketAddress> addresses;
  private final Map<InetSocketAddress, BraidNameNodePB> stubs = new HashMap<>();
  private int active;

  /**
   * A link, made when it is first used, as the current user.
   *
   * @param uri the file system
   */
  public NameNodeLink(URI uri, Configuration conf) throws IOException {
    this.user = UserGroupInformation.getCurrentUser();
    this.addresses = addresses(uri, conf);
    this.conf = new Configuration(conf);
    if (addresses.size() > 1) {
      // The other one is asked at once.
      this.conf.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    }
  }

  private static List<InetSocketAddress> addresses(URI uri, Configuration conf) {
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
   * Asks what changes nothing: over a new connection when the NameNode closed the old one, of
   * another NameNode when this one is not active.
   */
  public <T> T ask(Function<BraidNameNodePB, Rpc.Call<T>> question) throws IOException {
    List<IOException> failures = new ArrayList<>();
    for (int tries = 0; ; tries++) {
      int index = active();
      try {
        return Rpc.call(question.apply(stub(index)));
      } catch (EOFException | StandbyException | SocketException | SocketTimeoutException e) {
        failures.add(e);
        boolean closed = e instanceof EOFException || e.getClass() == SocketException.class;
        if (tries + 1 >= (closed ? Math.max(2, addresses.size()) : addresses.size())) {
          break;
        }
        passOn(index);
      }
    }
    throw last(failures);
  }

  /** Has the NameNode change something: asked once, of the active one. */
  public <T> T tell(Function<BraidNameNodePB, Rpc.Call<T>> order) throws IOException {
    List<IOException> failures = new ArrayList<>();
    for (int tries = 0; tries < addresses.size(); tries++) {
      int index = active();
      try {
        return Rpc.call(order.apply(stub(index)));
      } catch (StandbyException | ConnectException e) {
        // It was not heard, so that nothing can happen twice.
        failures.add(e);
        passOn(index);
      }
    }
    throw last(failures);
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

  /** The address of the NameNode that is asked next. */
  public InetSocketAddress address() {
    return addresses.get(active());
  }

  private synchronized BraidNameNodePB stub(int index) throws IOException {
    InetSocketAddress address = addresses.get(index);
    BraidNameNodePB stub = stubs.get(address);
    if (stub == null) {
      stub = As.user(user, () -> Rpc.nameNode(conf, address));
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
