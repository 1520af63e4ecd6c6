package org.braid.hdfs.namenode.stripes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.namenode.host.ReplicaView;
import org.braid.hdfs.namenode.stripes.StripeIndex.Entry;
import org.braid.hdfs.namenode.stripes.StripeReader.Held;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.stripe.Member;
import org.braid.hdfs.stripe.UnsupportedStripeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity that nobody needs any more and what was left over in the staging directory. */
public final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  private final NameNodeHost host;
  private final StripeIndex index;

  public Sweeper(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /**
   * Deletes parity files of which all data members are gone or in later stripes; of the stripes
   * named also those whose data members are each gone or have at least two live replicas and a
   * replication above 1; and all staged files: whoever holds the lease stages nothing meanwhile.
   *
   * @param fence checked before each deletion
   * @return the paths deleted
   */
  public List<String> sweep(Collection<String> replicatedStripes, Trimmer.Fence fence)
      throws IOException {
    index.refresh();
    Set<String> replicated = new HashSet<>(replicatedStripes);
    List<String> deleted = new ArrayList<>();
    for (Entry entry : List.copyOf(index.known())) {
      boolean dead =
          host.reading("braidSweep", () -> unneeded(entry, replicated.contains(entry.id())));
      if (dead) {
        fence.check();
        // Once more, on the stripe as the namespace has it now.
        Optional<Entry> now = index.published(entry.id());
        if (now.isEmpty()
            || !host.reading(
                "braidSweep", () -> unneeded(now.get(), replicated.contains(entry.id())))) {
          continue;
        }
        delete(entry.path(), false, deleted);
        index.deleted(entry.id());
      }
    }
    for (String leftover : host.reading("braidSweep", this::leftovers)) {
      fence.check();
      delete(leftover, true, deleted);
    }
    if (!deleted.isEmpty()) {
      LOG.info("swept {} paths", deleted.size());
    }
    return deleted;
  }

  private void delete(String path, boolean recursive, List<String> deleted) throws IOException {
    if (host.asOwner(() -> host.calls().delete(path, recursive))) {
      deleted.add(path);
    }
  }

  private boolean unneeded(Entry entry, boolean replicatedCounts) throws IOException {
    int k;
    try {
      k = entry.stripe().code().k();
    } catch (UnsupportedStripeException e) {
      LOG.warn("parity {} is kept: {}", entry.path(), e.getMessage());
      return false;
    }
    for (Member member : entry.stripe().members().subList(0, k)) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent()
          && index.holds(entry, member)
          && !(replicatedCounts && replicated(held.get()))) {
        return false;
      }
    }
    return true;
  }

  private boolean replicated(Held held) {
    return held.file().getFileReplication() > 1
        && held.block().getReplication() > 1
        && ReplicaView.of(host.blocks(), held.block()).stream()
                .filter(r -> r.good() && !r.stale() && !r.suspect(host))
                .count()
            >= 2;
  }

  private List<String> leftovers() throws IOException {
    List<String> found = new ArrayList<>();
    INode staging =
        host.namesystem()
            .getFSDirectory()
            .unprotectedResolvePath(BraidPaths.STAGING)
            .getLastINode();
    if (staging != null && staging.isDirectory()) {
      for (INode left : staging.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
        found.add(BraidPaths.STAGING + "/" + left.getLocalName());
      }
    }
    return found;
  }
}
