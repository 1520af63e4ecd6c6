package org.braid.hdfs.datanode;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.braid.hdfs.datanode.limits.FragmentSize;
import org.braid.hdfs.datanode.limits.KnownPeers;
import org.braid.hdfs.proto.BraidProtos.ExecuteRequestProto;
import org.braid.hdfs.proto.BraidProtos.OpProto;
import org.braid.hdfs.proto.BraidProtos.PeerProto;
import org.braid.hdfs.proto.BraidProtos.ReadOpProto;
import org.braid.hdfs.rpc.BlockTokens;
import org.braid.hdfs.stripe.StripeCodec;

/**
 * Checks what a caller may ask of a worker. A superuser may do everything. Other users may read
 * blocks, by the rules of HDFS's own data transfer, and receive streams from other workers, but
 * never store blocks.
 */
final class AccessCheck {
  private final Replicas replicas;
  private final KnownPeers peers;
  private final String self;
  private final String superGroup;

  AccessCheck(Replicas replicas, KnownPeers peers) throws IOException {
    this.replicas = replicas;
    this.peers = peers;
    self = UserGroupInformation.getLoginUser().getShortUserName();
    superGroup =
        replicas
            .node()
            .getConf()
            .get(
                DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
                DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
  }

  /** Permits a caller to verify a replica, which reveals its checksum. */
  void verify(UserGroupInformation caller) throws IOException {
    if (!isSuperuser(caller) && !isOpen()) {
      throw new AccessControlException(
          caller.getShortUserName() + " is no superuser: may not verify replicas");
    }
  }

  /** Permits a caller to scrub a replica, which takes disk time and may end in a report to HDFS. */
  void scrub(UserGroupInformation caller) throws IOException {
    requireSuperuser(caller, "scrub replicas");
  }

  /** Permits a caller to pin replicas. */
  void pin(UserGroupInformation caller) throws IOException {
    requireSuperuser(caller, "pin replicas");
  }

  /** Permits a caller to change the rates of runs. */
  void pace(UserGroupInformation caller) throws IOException {
    requireSuperuser(caller, "change the pace of runs");
  }

  /** Permits a caller to force replicas to disk. */
  void sync(UserGroupInformation caller) throws IOException {
    requireSuperuser(caller, "force replicas to disk");
  }

  private void requireSuperuser(UserGroupInformation caller, String what) throws IOException {
    if (!isSuperuser(caller)) {
      throw new AccessControlException(
          caller.getShortUserName() + " is no superuser: may not " + what);
    }
  }

  /** Permits a caller to run a fragment. */
  void execute(UserGroupInformation caller, ExecuteRequestProto request) throws IOException {
    if (isSuperuser(caller)) {
      return;
    }
    FragmentSize.check(caller.getShortUserName(), request);
    if (request.hasBytesPerSecond()) {
      pace(caller); // a slow fragment holds its thread and buffers for long
    }
    int reads = 0;
    for (OpProto op : request.getOpsList()) {
      if (op.hasStore()) {
        throw new AccessControlException(
            caller.getShortUserName() + " is no superuser: may not store blocks");
      }
      if (op.hasRead()) {
        read(caller, op.getRead());
        reads++;
      }
    }
    if (reads == 0 && !isOpen()) {
      throw new AccessControlException(
          caller.getShortUserName()
              + " is no superuser: may not run a fragment that reads nothing");
    }
    for (PeerProto peer : request.getPeersList()) {
      peers.check(caller.getShortUserName(), peer);
    }
  }

  private void read(UserGroupInformation caller, ReadOpProto read) throws IOException {
    if (isOpen()) {
      return;
    }
    DataNode node = replicas.node();
    if (!replicas.usesTokens()) {
      throw new AccessControlException(
          caller.getShortUserName() + " is no superuser, and block tokens are off: may not read");
    }
    ExtendedBlock block = replicas.block(StripeCodec.of(read.getBlock()));
    try {
      node.getBlockPoolTokenSecretManager()
          .checkAccess(
              BlockTokens.decode(read.getToken()), null, block, AccessMode.READ, null, null);
    } catch (IOException | RuntimeException e) {
      // HDFS decodes a token before it checks the signature, and what it meets there may be
      // garbled.
      throw new AccessControlException(
          caller.getShortUserName()
              + " may not read "
              + Replicas.describe(block)
              + " on "
              + replicas.name()
              + ": "
              + Optional.ofNullable(e.getMessage()).orElse("bad token"));
    }
  }

  /** Whether HDFS itself would serve anyone. */
  private boolean isOpen() throws IOException {
    return !replicas.usesTokens() && !UserGroupInformation.isSecurityEnabled();
  }

  /**
   * Whether a caller is a superuser. A caller that authenticates with a block token alone never is.
   */
  boolean isSuperuser(UserGroupInformation caller) {
    return caller.getAuthenticationMethod() != AuthenticationMethod.TOKEN && isMember(caller);
  }

  private boolean isMember(UserGroupInformation caller) {
    return caller.getShortUserName().equals(self) || caller.getGroupsSet().contains(superGroup);
  }
}
