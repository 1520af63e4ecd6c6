package org.braid.hdfs.dispatch;

import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.braid.hdfs.proto.RouterProtos.RouterAdminService;

/**
 * Calls on the administration of a router, as {@code hdfs dfsrouteradmin} makes them. A router is
 * the same principal there as for its clients, who know it by the property of NameNodes.
 */
@ProtocolInfo(protocolName = HdfsConstants.ROUTER_ADMIN_PROTOCOL_NAME, protocolVersion = 1)
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
public interface RouterAdminPB extends RouterAdminService.BlockingInterface {}
