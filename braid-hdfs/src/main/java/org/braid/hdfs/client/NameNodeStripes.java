package org.braid.hdfs.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.client.degraded.StripeLookup.Cluster;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.Datanode;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.jspecify.annotations.Nullable;

/**
 * A client's questions to Braid in the NameNode: to the active one of several, and none for a while
 * when none of them knows Braid. Thread-safe.
 */
final class NameNodeStripes implements StripeSource {
  private static final int BLOCKS_AT_ONCE = 500;
  private static final long NODES_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final NameNodeLink link;
  private final LongSupplier clock;
  private final Tokens tokens;
  private final Absence absence;
  private volatile @Nullable Known known;

  private record Known(Cluster cluster, long since) {}

  /** Takes a token that the NameNode signed. */
  interface Tokens {
    void take(ByteString token) throws IOException;
  }

  NameNodeStripes(NameNodeLink link, LongSupplier clock, Tokens tokens) {
    this.link = link;
    this.clock = clock;
    this.tokens = tokens;
    this.absence = new Absence(clock);
  }

  @Override
  public boolean absent() {
    return absence.lasts();
  }

  @Override
  public List<StripeStatus> stripes(String path, List<Long> blockIds) throws IOException {
    List<StripeStatus> all = new ArrayList<>();
    for (int from = 0; from < blockIds.size(); from += BLOCKS_AT_ONCE) {
      all.addAll(
          some(path, blockIds.subList(from, Math.min(blockIds.size(), from + BLOCKS_AT_ONCE))));
    }
    return all;
  }

  private List<StripeStatus> some(String path, List<Long> blockIds) throws IOException {
    StripesRequestProto request =
        StripesRequestProto.newBuilder()
            .addAllBlockIds(blockIds)
            .setReadingPath(path)
            .setWithTokens(true)
            .build();
    List<StripeStatus> stripes =
        call(
                stub -> () -> stub.stripes(null, request),
                StripesResponseProto.newBuilder().setMore(false).build())
            .getStripesList()
            .stream()
            .map(StatusCodec::of)
            .toList();
    Optional<ByteString> token =
        stripes.stream()
            .flatMap(stripe -> stripe.members().stream())
            .map(MemberStatus::token)
            .filter(bytes -> !bytes.isEmpty())
            .findFirst();
    if (token.isPresent()) {
      tokens.take(token.get());
    }
    return stripes;
  }

  @Override
  public Cluster cluster() throws IOException {
    Known before = known;
    if (before != null && clock.getAsLong() - before.since <= NODES_NANOS) {
      return before.cluster;
    }
    ClusterResponseProto answer =
        call(
            stub -> () -> stub.cluster(null, ClusterRequestProto.getDefaultInstance()),
            ClusterResponseProto.newBuilder().setBlockPool("").setSafeMode(false).build());
    Map<String, Datanode> byUuid = new HashMap<>();
    answer.getDatanodesList().stream()
        .map(StatusCodec::of)
        .forEach(node -> byUuid.put(node.uuid(), node));
    Optional<String> rack =
        answer.hasCallerRack() ? Optional.of(answer.getCallerRack()) : Optional.empty();
    Cluster cluster = new Cluster(Map.copyOf(byUuid), rack);
    known = new Known(cluster, clock.getAsLong());
    return cluster;
  }

  private <T> T call(Function<BraidNameNodePB, Rpc.Call<T>> question, T withoutBraid)
      throws IOException {
    if (absent()) {
      return withoutBraid;
    }
    try {
      T answer = link.ask(question);
      absence.end();
      return answer;
    } catch (RpcNoSuchProtocolException e) {
      absence.begin();
      return withoutBraid;
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
