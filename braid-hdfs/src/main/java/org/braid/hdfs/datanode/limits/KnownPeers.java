package org.braid.hdfs.datanode.limits;

import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.security.AccessControlException;
import org.braid.code.LruCache;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.stripe.Datanode;
import org.jspecify.annotations.Nullable;

/**
 * Restricts the addresses that a worker connects to for a user who is not a superuser: only workers
 * on DataNodes that the NameNode knows, at the stream port that these workers name. Thread-safe.
 */
public final class KnownPeers {
  /** Milliseconds after which the address of a DataNode is looked up again. */
  public static final long FRESH_MILLIS = 60_000;

  /**
   * Milliseconds after which a DataNode is looked up again when its address seems to have changed.
   */
  public static final long DOUBT_MILLIS = 1000;

  private static final int REMEMBERED = 10_000;

  /** Characters of a UUID, and of an address, at most. */
  private static final int LONGEST = 255;

  private final Registry nameNode;
  private final Question worker;
  private final LongSupplier clock;
  private final LruCache<String, Slot> slots = new LruCache<>(REMEMBERED);

  /** The DataNodes registered at the NameNode. */
  @FunctionalInterface
  public interface Registry {
    /** The registered DataNode with a UUID. */
    Optional<Datanode> find(String uuid) throws IOException;
  }

  /** Asks a worker itself. */
  @FunctionalInterface
  public interface Question {
    /** The port of its streams. */
    int streamPort(Datanode node) throws IOException;
  }

  private record Place(String ip, int port, long since) {
    boolean is(PeerProto peer) {
      return peer.getHost().equals(ip) && peer.getPort() == port;
    }
  }

  private static final class Slot {
    @Nullable Place place;
  }

  /**
   * Starts without known DataNodes.
   *
   * @param clock milliseconds that never run backwards
   */
  public KnownPeers(Registry nameNode, Question worker, LongSupplier clock) {
    this.nameNode = nameNode;
    this.worker = worker;
    this.clock = clock;
  }

  /**
   * Refuses an address that is not the stream port of a worker.
   *
   * @throws AccessControlException naming the address
   */
  public void check(String user, PeerProto peer) throws IOException {
    if (peer.getUuid().length() > LONGEST || peer.getHost().length() > LONGEST) {
      // Neither remembered nor repeated.
      throw new AccessControlException(
          "%s is no superuser: may not name a DataNode by %d characters at an address of %d, at most %d are allowed"
              .formatted(user, peer.getUuid().length(), peer.getHost().length(), LONGEST));
    }
    Slot slot = slots.get(peer.getUuid(), uuid -> new Slot());
    synchronized (slot) {
      Place known = slot.place;
      long age = known == null ? Long.MAX_VALUE : clock.getAsLong() - known.since;
      if (known != null && (known.is(peer) ? age < FRESH_MILLIS : age < DOUBT_MILLIS)) {
        refuseUnless(known.is(peer), user, peer);
        return;
      }
      Optional<Datanode> node =
          peer.getUuid().isEmpty() ? Optional.empty() : nameNode.find(peer.getUuid());
      // Nobody is asked who is not where the user says.
      refuseUnless(node.isPresent() && node.get().ip().equals(peer.getHost()), user, peer);
      Place now = new Place(node.get().ip(), worker.streamPort(node.get()), clock.getAsLong());
      slot.place = now;
      refuseUnless(now.is(peer), user, peer);
    }
  }

  private static void refuseUnless(boolean known, String user, PeerProto peer)
      throws AccessControlException {
    if (!known) {
      throw new AccessControlException(
          "%s is no superuser: may not have a worker connect to %s:%d, where no DataNode \"%s\" that the NameNode knows serves streams"
              .formatted(user, peer.getHost(), peer.getPort(), peer.getUuid()));
    }
  }
}
