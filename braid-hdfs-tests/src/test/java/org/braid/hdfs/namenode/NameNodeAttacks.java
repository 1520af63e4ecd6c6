package org.braid.hdfs.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.proto.BraidProtos.FileProto;
import org.braid.hdfs.proto.BraidProtos.StripeProto;
import org.braid.hdfs.rpc.BraidNameNodePB;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.hdfs.rpc.Rpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * A NameNode with a converted file that is not eve's. She owns a directory and is no superuser.
 * Braid's calls are refused to her with the exception with which HDFS refuses its own, and nothing
 * has changed after them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class NameNodeAttacks {
  NameNodeFixture fixture;

  /** Braid's calls as eve. */
  BraidNameNodePB stub;

  /** HDFS as eve. */
  DistributedFileSystem fs;

  FileProto secret;
  StripeProto stripe;
  String parity;
  HandlerTimes times;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    fixture =
        NameNodeFixture.start(
            directory,
            4,
            4,
            Map.of(
                "dfs.block.access.token.enable",
                "true",
                "dfs.namenode.audit.log.with.remote.port",
                "true",
                "dfs.namenode.audit.loggers",
                RecordedAudit.class.getName()));
    secret = fixture.write("/secret/f", 2, 3);
    stripe = fixture.publish("rs-2-1", secret.getBlocksList(), made -> made);
    parity = BraidPaths.stripePath(stripe.getId());
    fixture.fs.setPermission(path("/secret"), new FsPermission((short) 0700));
    fixture.fs.mkdirs(path("/eve"));
    fixture.fs.setOwner(path("/eve"), "eve", "users");
    UserGroupInformation eve =
        UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
    stub = fixture.stub(eve);
    fs = fixture.fileSystem(eve);
    times = new HandlerTimes(fixture.cluster.nameNode().getNameNodeAddress().getPort());
  }

  @AfterAll
  void stop() throws Exception {
    times.close();
    Rpc.stop(stub);
    fs.close();
    fixture.close();
  }

  static org.apache.hadoop.fs.Path path(String path) {
    return new org.apache.hadoop.fs.Path(path);
  }

  final void assertDenied(Executable attack) throws IOException {
    times.measure(() -> assertThrows(AccessControlException.class, attack));
    assertUnchanged();
  }

  /** What only a superuser may ask of Braid. */
  final void assertDenied(String what, Rpc.Call<?> call) throws IOException {
    AccessControlException e =
        times.measure(() -> assertThrows(AccessControlException.class, () -> Rpc.call(call)));
    RecordedAudit.assertRefused("eve", "braid.");
    assertTrue(
        String.valueOf(e.getMessage())
            .startsWith("user eve may not " + what + ": superuser needed"),
        e.getMessage());
    assertUnchanged();
  }

  final void assertUnchanged() throws IOException {
    long block = secret.getBlocks(0).getBlock().getId();
    assertEquals(stripe, fixture.stripes(block).get(0).getStripe());
    assertEquals(3, fixture.fs.getFileStatus(path("/secret/f")).getReplication());
    assertTrue(fixture.fs.exists(path(parity)));
  }

  /** A block of a file of eve's. */
  final long own() throws Exception {
    if (!fixture.fs.exists(path("/eve/own"))) {
      fixture.write("/eve/own", 1, 3);
      fixture.fs.setOwner(path("/eve/own"), "eve", "users");
    }
    return fixture.file("/eve/own").getBlocks(0).getBlock().getId();
  }
}
