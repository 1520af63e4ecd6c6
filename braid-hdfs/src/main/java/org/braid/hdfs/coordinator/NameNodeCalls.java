package org.braid.hdfs.coordinator;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.AcquireRequestProto;
import org.braid.hdfs.proto.BraidProtos.AcquireResponseProto;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.DemandsRequestProto;
import org.braid.hdfs.proto.BraidProtos.DemandsResponseProto;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.FilesRequestProto;
import org.braid.hdfs.proto.BraidProtos.FilesResponseProto;
import org.braid.hdfs.proto.BraidProtos.PutStripeRequestProto;
import org.braid.hdfs.proto.BraidProtos.RaiseRequestProto;
import org.braid.hdfs.proto.BraidProtos.ReleaseRequestProto;
import org.braid.hdfs.proto.BraidProtos.RenewRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.proto.BraidProtos.StripeStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.proto.BraidProtos.SweepRequestProto;
import org.braid.hdfs.proto.BraidProtos.TrimRequestProto;

/** Braid's calls on the NameNode, in pages where answers may be long. Thread-safe. */
final class NameNodeCalls implements Closeable {
  private static final int PAGE = 500;

  private final NameNodeLink link;

  NameNodeCalls(NameNodeLink link) {
    this.link = link;
  }

  ClusterResponseProto cluster() throws IOException {
    return link.ask(stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()));
  }

  /** All files at or below a path. */
  List<FileProto> files(String path) throws IOException {
    List<FileProto> out = new ArrayList<>();
    FilesRequestProto.Builder request = FilesRequestProto.newBuilder().setPath(path).setLimit(PAGE);
    while (true) {
      FilesResponseProto page = link.ask(stub -> () -> stub.files(null, request.build()));
      out.addAll(page.getFilesList());
      if (!page.getMore()) {
        return out;
      }
      request.setAfter(page.getFiles(page.getFilesCount() - 1).getPath());
    }
  }

  /** All stripes. */
  List<StripeStatusProto> stripes() throws IOException {
    List<StripeStatusProto> out = new ArrayList<>();
    StripesRequestProto.Builder request = StripesRequestProto.newBuilder().setLimit(PAGE);
    page(request, out);
    return out;
  }

  /** The stripes of which a block has not exactly one good copy, at its home. */
  List<StripeStatusProto> damagedStripes() throws IOException {
    List<StripeStatusProto> out = new ArrayList<>();
    page(StripesRequestProto.newBuilder().setLimit(PAGE).setDamaged(true), out);
    return out;
  }

  /** The stripes that hold some blocks, each once. */
  List<StripeStatusProto> stripesOf(Collection<Long> blockIds) throws IOException {
    Map<String, StripeStatusProto> out = new LinkedHashMap<>();
    List<Long> ids = List.copyOf(blockIds);
    for (int from = 0; from < ids.size(); from += PAGE) {
      List<StripeStatusProto> found = new ArrayList<>();
      page(
          StripesRequestProto.newBuilder()
              .setLimit(PAGE)
              .addAllBlockIds(ids.subList(from, Math.min(ids.size(), from + PAGE))),
          found);
      found.forEach(s -> out.put(s.getStripe().getId(), s));
    }
    return List.copyOf(out.values());
  }

  /** A stripe as it is now, or as it was when it is not known any more. */
  StripeStatusProto refreshed(StripeStatusProto status) throws IOException {
    return stripesOf(Stripes.blockIds(status.getStripe())).stream()
        .filter(now -> now.getStripe().getId().equals(status.getStripe().getId()))
        .findFirst()
        .orElse(status);
  }

  private void page(StripesRequestProto.Builder request, List<StripeStatusProto> out)
      throws IOException {
    while (true) {
      StripesResponseProto page = link.ask(stub -> () -> stub.stripes(null, request.build()));
      out.addAll(page.getStripesList());
      if (!page.getMore()) {
        return;
      }
      request.setAfter(page.getStripes(page.getStripesCount() - 1).getStripe().getId());
    }
  }

  AcquireResponseProto acquire(String holder) throws IOException {
    return link.tell(
        stub ->
            () -> stub.acquire(null, AcquireRequestProto.newBuilder().setHolder(holder).build()));
  }

  boolean renew(String lease) throws IOException {
    return link.tell(
            stub -> () -> stub.renew(null, RenewRequestProto.newBuilder().setLease(lease).build()))
        .getHeld();
  }

  /**
   * The lost blocks that readers wait for; answered when there is one, or after some time.
   *
   * @param after only demands of greater numbers
   * @param yields answered, too, when somebody waits for the lease
   * @param refused blocks that cannot be rebuilt
   */
  DemandsResponseProto demands(
      String lease, long after, int millis, boolean yields, Collection<Long> refused)
      throws IOException {
    return link.tell(
        stub ->
            () ->
                stub.demands(
                    null,
                    DemandsRequestProto.newBuilder()
                        .setLease(lease)
                        .setAfter(after)
                        .setWaitMillis(millis)
                        .setYields(yields)
                        .addAllRefused(refused)
                        .build()));
  }

  void release(String lease) throws IOException {
    link.tell(
        stub -> () -> stub.release(null, ReleaseRequestProto.newBuilder().setLease(lease).build()));
  }

  void putStripe(String lease, String parityPath, StripeProto stripe) throws IOException {
    link.tell(
        stub ->
            () ->
                stub.putStripe(
                    null,
                    PutStripeRequestProto.newBuilder()
                        .setLease(lease)
                        .setParityPath(parityPath)
                        .setStripe(stripe)
                        .build()));
  }

  /** Drops the surplus replicas of a stripe; what was refused comes back in words. */
  List<String> trim(String lease, String stripeId) throws IOException {
    return link.tell(
            stub ->
                () ->
                    stub.trim(
                        null,
                        TrimRequestProto.newBuilder()
                            .setLease(lease)
                            .setStripeId(stripeId)
                            .build()))
        .getRefusalsList();
  }

  void raise(String lease, long inode, int replication) throws IOException {
    link.tell(
        stub ->
            () ->
                stub.raise(
                    null,
                    RaiseRequestProto.newBuilder()
                        .setLease(lease)
                        .setInode(inode)
                        .setReplication(replication)
                        .build()));
  }

  /** Deletes parity that protects nothing, and staged leftovers; returns their paths. */
  List<String> sweep(String lease, Collection<String> replicatedStripes) throws IOException {
    return link.tell(
            stub ->
                () ->
                    stub.sweep(
                        null,
                        SweepRequestProto.newBuilder()
                            .setLease(lease)
                            .setStagingAgeMillis(0)
                            .addAllReplicatedStripes(replicatedStripes)
                            .build()))
        .getDeletedList();
  }

  @Override
  public void close() {
    link.close();
  }
}
