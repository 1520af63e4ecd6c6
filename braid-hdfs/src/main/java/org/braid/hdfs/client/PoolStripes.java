package org.braid.hdfs.client;

import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.braid.hdfs.client.degraded.StripeLookup;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;

/**
 * A client's look-ups of stripes at the NameNode that owns the blocks. This is the NameNode of the
 * file system. If the file system is a router of HDFS's federation, which does not know Braid, it
 * is the NameNode of the name service with the blocks' pool. A router translates paths without
 * telling clients how, so look-ups there name the file by its inode number. If there is no such
 * NameNode, files are read as plain HDFS files, and the log gives the reason once. Thread-safe.
 */
final class PoolStripes implements StripeLookup, Closeable {
  private final URI uri;
  private final Consumer<String> warnings;
  private final StripeSource named;
  private final Services services;
  private final Numbers numbers;

  /** How long pools are not looked for again that could not be found. */
  private final Absence unknown;

  private final Map<String, StripeSource> byPool = new ConcurrentHashMap<>();
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Held by the one that looks for a pool: who closes does not wait for answers. */
  private final Object looking = new Object();

  private volatile boolean closed;

  /** The name services of a client's configuration besides its file system. */
  interface Services {
    Set<String> names();

    /** The block pool of a name service, asked without retries; empty if it does not know Braid. */
    Optional<String> blockPool(String name) throws IOException;

    StripeSource open(String name) throws IOException;
  }

  /** The inode numbers of files in the NameNode that owns them. */
  interface Numbers {
    long of(String path) throws IOException;
  }

  /**
   * Starts without calls.
   *
   * @param uri the file system
   * @param named the NameNodes of the file system
   * @param clock nanoseconds, from any origin
   * @param warnings receives a line for the log
   */
  PoolStripes(
      URI uri,
      StripeSource named,
      Services services,
      Numbers numbers,
      LongSupplier clock,
      Consumer<String> warnings) {
    this.uri = uri;
    this.warnings = warnings;
    this.named = named;
    this.services = services;
    this.numbers = numbers;
    this.unknown = new Absence(clock);
  }

  /** Whether no NameNode that knows Braid is known, by the last answers. */
  boolean absent() {
    return named.absent() && byPool.isEmpty();
  }

  @Override
  public List<StripeStatus> stripes(String path, String blockPool, List<Long> blockIds)
      throws IOException {
    boolean absent = named.absent(); // which ends after a while, so that it is asked again
    List<StripeStatus> stripes = named.stripes(path, blockIds);
    if (!stripes.isEmpty() || (!absent && !named.absent())) {
      return stripes;
    }
    StripeSource source = source(blockPool);
    if (source == null) {
      return List.of();
    }
    try {
      return source.stripes(BraidPaths.inode(numbers.of(path)), blockIds);
    } catch (IOException e) {
      // The router still answers: HDFS's own waiting and errors stand.
      warn("the NameNode behind it: " + Rpc.reason(e));
      return List.of();
    }
  }

  @Override
  public Cluster cluster(String blockPool, Collection<String> uuids) throws IOException {
    StripeSource source = byPool.get(blockPool);
    return (source == null ? named : source).cluster(uuids);
  }

  private @Nullable StripeSource source(String blockPool) {
    StripeSource known = byPool.get(blockPool);
    if (known != null || unknown.lasts()) {
      return known;
    }
    return find(blockPool);
  }

  private @Nullable StripeSource find(String blockPool) {
    synchronized (looking) {
      if (unknown.lasts()) {
        return byPool.get(blockPool); // others have looked while this thread waited
      }
      List<String> reasons = new ArrayList<>();
      for (String name : services.names()) {
        if (closed || byPool.containsKey(blockPool)) {
          break;
        }
        look(name, reasons);
      }
      StripeSource found = byPool.get(blockPool);
      if (found == null && !closed) {
        unknown.begin();
        warn(missing(blockPool, reasons));
      }
      return found;
    }
  }

  /** Asks a name service for its pool, and keeps it as that pool's source. */
  private void look(String name, List<String> reasons) {
    try {
      Optional<String> pool = services.blockPool(name);
      if (pool.isEmpty()) {
        reasons.add(name + " does not know Braid");
      } else if (!byPool.containsKey(pool.get())) {
        keep(pool.get(), services.open(name));
      }
    } catch (IOException e) {
      reasons.add(name + ": " + Rpc.reason(e));
    }
  }

  private synchronized void keep(String blockPool, StripeSource source) {
    if (closed) {
      source.close();
    } else {
      byPool.put(blockPool, source);
    }
  }

  private String missing(String blockPool, List<String> reasons) {
    String refusal = named.refusal();
    return (refusal.isEmpty() ? "" : refusal + "; ")
        + (services.names().isEmpty()
            ? "if it is a router, dfs.nameservices must name the NameNodes behind it"
            : "none of the name services "
                + services.names()
                + " is known to have "
                + blockPool
                + (reasons.isEmpty() ? "" : ", " + String.join(", ", reasons)));
  }

  private void warn(String reason) {
    if (!warned.getAndSet(true)) {
      warnings.accept(
          "%s %s: files are read as plain HDFS files, lost blocks are not rebuilt (%s)"
              .formatted(
                  uri,
                  named.refusal().isEmpty()
                      ? "does not know Braid"
                      : "does not let this user call Braid",
                  reason));
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    named.close();
    byPool.values().forEach(StripeSource::close);
  }
}
