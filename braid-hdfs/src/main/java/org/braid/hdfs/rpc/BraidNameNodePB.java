package org.braid.hdfs.rpc;

import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.braid.hdfs.proto.BraidProtos.BraidNameNodeService;

/** Braid's calls on the NameNode, served by the NameNode's own RPC server. */
@ProtocolInfo(protocolName = BraidNameNodePB.NAME, protocolVersion = 1)
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(DelegationTokenSelector.class)
public interface BraidNameNodePB extends BraidNameNodeService.BlockingInterface {
  /** A loadable class name: HDFS refuses other protocol names where authorization is on. */
  String NAME = "org.braid.hdfs.rpc.BraidNameNodePB";
}
