package org.braid.hdfs.namenode.ear;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.braid.placement.Topology;
import org.braid.placement.replication.PreEncodingStore;
import org.braid.placement.rule.StripeRule;
import org.jspecify.annotations.Nullable;

/**
 * The open stripes of one directory, read back from where the replicas of its blocks are. A
 * NameNode that has just started or become active does not know all replicas: a block that it
 * cannot place in its stripe moves the borders of all later stripes of the rack. So {@link #known}
 * tells writers whether to wait, and stripes that were read too early are read again.
 */
final class OpenStripes {
  /** A block before HDFS has given it an id. */
  record Ordinal(long inode, int index) {}

  /**
   * A block that is in no encoded stripe.
   *
   * @param replicas how many it is to have
   * @param nodes UUIDs of the nodes of the replicas that are known
   */
  record Written(Ordinal ordinal, long id, int replicas, List<String> nodes) {
    Written {
      nodes = List.copyOf(nodes);
    }

    boolean late() {
      return nodes.size() < replicas;
    }
  }

  /** What the NameNode knows now. */
  interface Source {
    /** All blocks of the directory that are in no encoded stripe. */
    List<Written> blocks() throws IOException;

    /** Those of some blocks of which not all replicas are known; deleted ones are left out. */
    List<Written> late(List<Written> blocks) throws IOException;
  }

  private final Source source;
  private final int k;
  private @Nullable List<Written> awaited;
  private @Nullable PreEncodingStore<Ordinal> store;
  private boolean complete;
  private long next;
  private long pause;

  /**
   * Open stripes that are not read yet.
   *
   * @param k data blocks of a stripe
   * @param pause milliseconds until stripes that were read too early are read again; it doubles
   *     each time
   */
  OpenStripes(Source source, int k, long pause) {
    this.source = source;
    this.k = k;
    this.pause = pause;
  }

  /** Whether all replicas are known, or the stripes were read already. */
  synchronized boolean known() throws IOException {
    if (store == null) {
      awaited = source.late(awaited == null ? source.blocks() : awaited);
    }
    return store != null || awaited == null || awaited.isEmpty();
  }

  /**
   * The open stripes.
   *
   * @param now milliseconds that never run backwards
   * @param rules where the blocks of a stripe may be after encoding, by the name of its core rack
   */
  synchronized PreEncodingStore<Ordinal> at(
      long now, Topology topology, Function<String, StripeRule> rules) throws IOException {
    PreEncodingStore<Ordinal> present = store;
    if (present != null && (complete || now < next)) {
      return present;
    }
    List<Written> blocks = new ArrayList<>(source.blocks());
    blocks.sort(Comparator.comparingLong(Written::id));
    present = new PreEncodingStore<>(k);
    for (Written block : blocks) {
      present.restore(block.ordinal(), block.nodes(), topology, rules);
    }
    complete = blocks.stream().noneMatch(Written::late);
    next = now + pause;
    pause *= 2;
    awaited = null;
    store = present;
    return present;
  }
}
