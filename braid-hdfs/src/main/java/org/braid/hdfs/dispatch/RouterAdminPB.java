package org.braid.hdfs.dispatch;

import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.braid.hdfs.proto.RouterProtos.RouterAdminService;

/**
 * Protocol of the administration of a router, as used by {@code hdfs dfsrouteradmin}. The router
 * has the same principal there as for its clients, which configure it by the property of NameNodes.
 */
@ProtocolInfo(protocolName = HdfsConstants.ROUTER_ADMIN_PROTOCOL_NAME, protocolVersion = 1)
@KerberosInfo(serverPrincipal = HdfsClientConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
public interface RouterAdminPB extends RouterAdminService.BlockingInterface {}
