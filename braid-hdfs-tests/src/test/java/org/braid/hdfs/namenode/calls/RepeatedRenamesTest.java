package org.braid.hdfs.namenode.calls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.NameNodeProxies;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.namenode.SharedNameNode;
import org.braid.hdfs.proto.BraidProtos.BlockStatusProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.testing.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Removals by a client that numbers its calls itself; a lost block needs a file. */
final class RepeatedRenamesTest {
  @RegisterExtension static final SharedNameNode fixture = SharedNameNode.wiped(4, 4, Map.of());
  private ClientProtocol calls;

  @BeforeEach
  void encode() throws Exception {
    List<BlockStatusProto> blocks = new ArrayList<>();
    for (String path : List.of("/needed", "/lost")) {
      blocks.add(fixture.write(path, 1, 3).getBlocks(0));
    }
    StripeProto stripe = fixture.publish("rs-2-1", blocks, x -> x);
    assertEquals(List.of(), fixture.trim(stripe.getId()));
    for (String path : List.of("/needed", "/lost")) {
      fixture.fs.setReplication(new Path(path), (short) 1);
    }
    var lost = blocks.get(1).getBlock();
    Await.until("one copy", () -> fixture.holders(lost.getId()).size() == 1);
    fixture.lose(lost);
    calls =
        NameNodeProxies.createNonHAProxy(
                fixture.cluster.configuration(),
                fixture.cluster.nameNode().getNameNodeAddress(),
                ClientProtocol.class,
                UserGroupInformation.getCurrentUser(),
                false)
            .getProxy();
  }

  @AfterEach
  void disconnect() {
    RPC.stopProxy(calls);
  }

  private void rename(String from, String to, int call, int repeats) throws IOException {
    Client.setCallIdAndRetryCount(call, repeats, null);
    calls.rename2(from, to, Options.Rename.OVERWRITE);
  }

  /** Whoever calls may write the file a moment later. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void whatIsNotThereYetReplacesNothingThatIsNeeded(int repeats) throws Exception {
    IOException refusal =
        assertThrows(
            IOException.class, () -> rename("/absent", "/needed", Client.nextCallId(), repeats));
    String said = String.valueOf(refusal.getMessage());
    assertTrue(said.contains("/needed cannot be removed yet"), said);
  }

  /** HDFS answers it as before, and does nothing. */
  @Test
  void aCallThatWasMadeAndIsRepeatedRemovesNothing() throws Exception {
    fixture.write("/other", 1, 3);
    int call = Client.nextCallId();
    rename("/needed", "/other", call, 0);
    rename("/needed", "/other", call, 1);
    assertFalse(fixture.fs.exists(new Path("/needed")));
    assertTrue(fixture.fs.exists(new Path("/other")));
  }

  private boolean delete(String path, int call, int repeats) throws IOException {
    Client.setCallIdAndRetryCount(call, repeats, null);
    return calls.delete(path, false);
  }

  /** Others may have put there since what is needed: HDFS answers as before, and does nothing. */
  @Test
  void aDeletionThatWasMadeAndIsRepeatedIsNotJudgedAgain() throws Exception {
    fixture.write("/gone", 1, 3);
    int call = Client.nextCallId();
    assertTrue(delete("/gone", call, 0));
    assertTrue(fixture.fs.rename(new Path("/needed"), new Path("/gone")));
    assertTrue(delete("/gone", call, 1));
    assertTrue(fixture.fs.exists(new Path("/gone")));
  }

  private static LateAnswer held(byte[] client, int call, int repeats) {
    Server.getCurCall()
        .set(new Server.Call(call, repeats, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, client));
    try {
      return LateAnswer.toPresentCall().orElseThrow();
    } finally {
      Server.getCurCall().remove();
    }
  }

  /** Of two that are held the one that came first may be made, and the other one is answered. */
  @Test
  void aCallThatIsHeldKnowsThatItWasMadeMeanwhile() {
    var namesystem = fixture.cluster.nameNode().getNamesystem();
    byte[] client = new byte[16];
    client[0] = 7;
    LateAnswer repeated = held(client, 41, 1);
    LateAnswer other = held(client, 42, 1);
    assertFalse(repeated.isRemembered(namesystem));
    namesystem.getRetryCache().addCacheEntry(client, 41);
    assertTrue(repeated.isRemembered(namesystem));
    assertFalse(other.isRemembered(namesystem));
    assertNull(Server.getCurCall().get());
  }
}
