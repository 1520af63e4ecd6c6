package org.braid.hdfs.dispatch;

import java.io.IOException;
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
 * Connects a reader to workers by a block token, as HDFS's clients call DataNodes: it needs no
 * ticket, and DataNodes need not know on whose behalf it acts. Where no tokens are given out, it
 * connects as the user. Thread-safe.
 */
public final class BlockTokenCalls implements Workers.Stubs {
  private static final Text NEWEST = new Text("braid");

  private final Rpc.WorkerStubs workers;
  private final UserGroupInformation user;
  private final ClientAddresses addresses;
  private @Nullable UserGroupInformation bearer;

  /** Connections of the present user. */
  public BlockTokenCalls(Configuration conf) throws IOException {
    this.workers = Rpc.workers(conf);
    this.user = UserGroupInformation.getCurrentUser();
    this.addresses = new ClientAddresses(conf);
  }

  /** Takes a token of any block of the cluster; connections that are made later show it. */
  public synchronized void take(ByteString bytes) throws IOException {
    Token<BlockTokenIdentifier> token = BlockTokens.decode(bytes);
    UserGroupInformation known = bearer;
    if (known == null) {
      known = UserGroupInformation.createRemoteUser(user.getShortUserName());
      bearer = known;
    }
    known.addToken(NEWEST, token);
  }

  private synchronized UserGroupInformation caller() {
    return bearer == null ? user : bearer;
  }

  @Override
  public BraidWorkerPB open(Datanode node) throws IOException {
    return UserCalls.runAs(
        caller(), () -> workers.at(addresses.of(node), node.ipcPort(), node.blockPool()));
  }
}
