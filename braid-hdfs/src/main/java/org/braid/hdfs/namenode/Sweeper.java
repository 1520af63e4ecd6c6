package org.braid.hdfs.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;
import org.apache.hadoop.util.Time;
import org.braid.code.Codes;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.namenode.StripeIndex.Entry;
import org.braid.hdfs.namenode.StripeReader.Held;
import org.braid.hdfs.proto.BraidProtos.MemberProto;
import org.braid.hdfs.rpc.BraidPaths;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes parity that nobody needs any more and what was left over in the staging directory. */
final class Sweeper {
  private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

  private final NameNodeHost host;
  private final StripeIndex index;

  Sweeper(NameNodeHost host, StripeIndex index) {
    this.host = host;
    this.index = index;
  }

  /**
   * Deletes parity files of which all data members are gone; of the stripes named also those whose
   * data members are each gone or have at least two live replicas and a replication above 1; and
   * staged files that were last modified long enough ago.
   *
   * @param fence checked before each deletion
   * @return the paths deleted
   */
  List<String> sweep(
      long stagingAgeMillis, Collection<String> replicatedStripes, Trimmer.Fence fence)
      throws IOException {
    index.refresh();
    Set<String> replicated = new HashSet<>(replicatedStripes);
    List<String> deleted = new ArrayList<>();
    for (Entry entry : List.copyOf(index.known())) {
      boolean dead =
          host.reading("braidSweep", () -> unneeded(entry, replicated.contains(entry.id())));
      if (dead) {
        fence.check();
        delete(entry.path(), false, deleted);
        index.deleted(entry.id());
      }
    }
    long before = Time.now() - stagingAgeMillis;
    for (Leftover leftover : host.reading("braidSweep", () -> leftovers(before))) {
      fence.check();
      delete(leftover.path, leftover.recursive, deleted);
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
      k = Codes.named(entry.stripe().getCode()).k();
    } catch (UnknownCodeException e) {
      LOG.warn("parity {} is kept: {}", entry.path(), e.getMessage());
      return false;
    }
    for (MemberProto member :
        entry.stripe().getMembersList().subList(0, Math.min(k, entry.stripe().getMembersCount()))) {
      Optional<Held> held = StripeReader.held(host, member);
      if (held.isPresent() && !(replicatedCounts && replicated(held.get()))) {
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

  private record Leftover(String path, boolean recursive) {}

  private List<Leftover> leftovers(long before) throws IOException {
    List<Leftover> old = new ArrayList<>();
    INode staging =
        host.namesystem()
            .getFSDirectory()
            .unprotectedResolvePath(BraidPaths.STAGING)
            .getLastINode();
    if (staging == null || !staging.isDirectory()) {
      return old;
    }
    for (INode stripe : staging.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
      String path = BraidPaths.STAGING + "/" + stripe.getLocalName();
      List<Leftover> files = new ArrayList<>();
      boolean allOld = stripe.getModificationTime() <= before;
      if (stripe.isDirectory()) {
        for (INode file : stripe.asDirectory().getChildrenList(Snapshot.CURRENT_STATE_ID)) {
          if (file.getModificationTime() <= before) {
            files.add(new Leftover(path + "/" + file.getLocalName(), true));
          } else {
            allOld = false;
          }
        }
      }
      if (allOld) {
        old.add(new Leftover(path, true));
      } else {
        old.addAll(files);
      }
    }
    return old;
  }
}
