package org.braid.hdfs.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.client.degraded.ClusterNodes;
import org.braid.hdfs.client.degraded.StripeLookup.Cluster;
import org.braid.hdfs.dispatch.NameNodeLink;
import org.braid.hdfs.proto.BraidProtos.ClusterRequestProto;
import org.braid.hdfs.proto.BraidProtos.ClusterResponseProto;
import org.braid.hdfs.proto.BraidProtos.StripesRequestProto;
import org.braid.hdfs.proto.BraidProtos.StripesResponseProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.MemberStatus;
import org.braid.hdfs.stripe.StatusCodec;
import org.braid.hdfs.stripe.StripeStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's calls to Braid in the NameNode: in the active one of several. Pauses the calls when no
 * NameNode knows Braid or permits this user's calls. Thread-safe.
 */
final class NameNodeStripes implements StripeSource {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodeStripes.class);
  private static final int BLOCKS_AT_ONCE = 500;

  private final NameNodeLink link;
  private final Tokens tokens;
  private final Absence absence;
  private final ClusterNodes nodes;
  private volatile String refusal = "";

  /** Takes a token that the NameNode signed. */
  interface Tokens {
    void take(ByteString token) throws IOException;
  }

  NameNodeStripes(NameNodeLink link, LongSupplier clock, Tokens tokens) {
    this.link = link;
    this.tokens = tokens;
    this.absence = new Absence(clock);
    this.nodes = new ClusterNodes(clock, this::describe);
  }

  @Override
  public boolean absent() {
    return absence.lasts();
  }

  @Override
  public String refusal() {
    return refusal;
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
  public Cluster cluster(Collection<String> uuids) throws IOException {
    return nodes.with(uuids);
  }

  private ClusterNodes.Answer describe(List<String> uuids) throws IOException {
    ClusterRequestProto request = ClusterRequestProto.newBuilder().addAllUuids(uuids).build();
    ClusterResponseProto answer =
        call(
            stub -> () -> stub.cluster(null, request),
            ClusterResponseProto.newBuilder().setBlockPool("").setSafeMode(false).build());
    return new ClusterNodes.Answer(
        answer.getDatanodesList().stream().map(StatusCodec::of).toList(),
        answer.hasCallerRack() ? Optional.of(answer.getCallerRack()) : Optional.empty());
  }

  private <T> T call(Function<BraidNameNodePB, Rpc.Call<T>> question, T withoutBraid)
      throws IOException {
    if (absent()) {
      return withoutBraid;
    }
    try {
      T answer = link.ask(question);
      absence.end();
      refusal = "";
      return answer;
    } catch (IOException e) {
      if (!isAbsence(e)) {
        throw e;
      }
      LOG.debug("Braid is not asked for a while: {}", e.getMessage());
      refusal = refusalOf(e);
      absence.begin();
      return withoutBraid;
    }
  }

  /**
   * Whether a failure means that Braid is absent for this user: the NameNode does not know Braid,
   * or its service ACL excludes the user. The user then reads as any other client of HDFS.
   */
  static boolean isAbsence(IOException e) {
    return e instanceof RpcNoSuchProtocolException || e instanceof AuthorizationException;
  }

  /** The message of a failure that the service ACL caused; empty for other failures. */
  static String refusalOf(IOException e) {
    return e instanceof AuthorizationException && !Rpc.isUnknownProtocol(e.getMessage())
        ? Rpc.reason(e)
        : "";
  }

  @Override
  public void close() {
    link.close();
  }
}
