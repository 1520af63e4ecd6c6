package org.braid.hdfs.rpc;

import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.braid.hdfs.proto.BraidProtos.BraidWorkerService;

/** Braid's calls on a DataNode, served by the DataNode's own RPC server. */
@ProtocolInfo(protocolName = BraidWorkerPB.NAME, protocolVersion = 1)
@KerberosInfo(serverPrincipal = DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY)
@TokenInfo(BlockTokenSelector.class)
public interface BraidWorkerPB extends BraidWorkerService.BlockingInterface {
  /** A loadable class name: HDFS refuses other protocol names where authorization is on. */
  String NAME = "org.braid.hdfs.rpc.BraidWorkerPB";
}
