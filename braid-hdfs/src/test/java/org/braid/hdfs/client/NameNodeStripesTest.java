package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.junit.jupiter.api.Test;

final class NameNodeStripesTest {
  /** They read as plain HDFS files are read: lost blocks are waited for. */
  @Test
  void whoMayNotCallBraidReadsAsIfThereWasNone() {
    assertTrue(
        NameNodeStripes.isAbsence(
            new AuthorizationException(
                "User eve is not authorized for protocol interface"
                    + " org.braid.hdfs.rpc.BraidNameNodePB")));
    assertTrue(NameNodeStripes.isAbsence(new RpcNoSuchProtocolException("Unknown protocol")));
  }

  @Test
  void onlyTheServiceAclIsARefusal() {
    assertEquals(
        "User eve is not authorized",
        NameNodeStripes.refusalOf(new AuthorizationException("User eve is not authorized")));
    assertEquals("", NameNodeStripes.refusalOf(new RpcNoSuchProtocolException("Unknown protocol")));
    assertEquals(
        "",
        NameNodeStripes.refusalOf(
            new AuthorizationException(
                "Protocol interface org.braid.hdfs.rpc.BraidNameNodePB is not known.")));
  }

  @Test
  void aRefusedFileAndANameNodeThatIsDownAreNoAbsence() {
    assertFalse(NameNodeStripes.isAbsence(new AccessControlException("Permission denied")));
    assertFalse(NameNodeStripes.isAbsence(new ConnectException("Connection refused")));
  }
}
