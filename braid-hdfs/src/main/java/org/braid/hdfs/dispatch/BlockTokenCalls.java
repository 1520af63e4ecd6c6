package org.braid.hdfs.dispatch;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.rpc.BraidWorkerPB;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.stripe.Datanode;
import org.jspecify.annotations.Nullable;

/**
 * Connects a reader to workers by block tokens, as HDFS's clients call DataNodes: it needs no
 * Kerberos ticket, and DataNodes need not know its user. A DataNode knows only the keys of its own
 * block pools, so that each pool has its own token. Without block tokens, it connects as the user.
 * Thread-safe.
 */
public final class BlockTokenCalls implements Workers.Stubs {
  private static final Text NEWEST = new Text("braid");

  private final Rpc.WorkerStubs workers;
  private final UserGroupInformation user;
  private final ClientAddresses addresses;

  /** By block pool, the caller with the newest token. */
  private final Map<String, UserGroupInformation> bearers = new HashMap<>();

  private @Nullable UserGroupInformation last;

  /** Connections of the present user. */
  public BlockTokenCalls(Configuration conf) throws IOException {
    this.workers = Rpc.workers(conf);
    this.user = UserGroupInformation.getCurrentUser();
    this.addresses = new ClientAddresses(conf);
  }

  /** Takes a token of any block of the cluster, for later connections. */
  public synchronized void take(ByteString bytes) throws IOException {
    Token<BlockTokenIdentifier> token = BlockTokens.decode(bytes);
    UserGroupInformation bearer =
        bearers.computeIfAbsent(
            blockPool(token),
            pool -> UserGroupInformation.createRemoteUser(user.getShortUserName()));
    bearer.addToken(NEWEST, token);
    last = bearer;
  }

  /** The block pool of a token; empty for a token that only a later Hadoop can decode. */
  private static String blockPool(Token<BlockTokenIdentifier> token) {
    BlockTokenIdentifier identifier = new BlockTokenIdentifier();
    try {
      identifier.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
    } catch (IOException | RuntimeException e) {
      return "";
    }
    return String.valueOf(identifier.getBlockPoolId());
  }

  /**
   * The user that calls the worker of a block pool.
   *
   * @param blockPool empty where the NameNode does not tell
   */
  synchronized UserGroupInformation caller(String blockPool) {
    UserGroupInformation bearer = bearers.getOrDefault(blockPool, last);
    return bearer == null ? user : bearer;
  }

  @Override
  public BraidWorkerPB open(Datanode node) throws IOException {
    return UserCalls.runAs(
        caller(node.blockPool()),
        () -> workers.at(addresses.of(node), node.ipcPort(), node.blockPool()));
  }
}
