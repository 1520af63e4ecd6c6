package org.braid.hdfs.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.api.ConvertRequest.Encode;
import org.braid.hdfs.api.ConvertRequest.Encoder;
import org.braid.hdfs.api.ConvertRequest.Group;
import org.braid.hdfs.api.ConvertRequest.Homes;
import org.braid.hdfs.api.ConvertRequest.Method;
import org.braid.hdfs.stripe.BlockStatus;
import org.braid.testing.Await;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

/** Truncations wait for copies of the encoded block that is cut. */
final class HeldCutsTest {
  private static final Random RANDOM = Seeds.random(HeldCutsTest.class);

  /**
   * Of files that are a stripe each: what is left of one is rebuilt without the block that is cut.
   */
  private static final int LENGTH = 2 * ClusterFixture.BLOCK + 5;

  /** Copies are made for every cut that comes; one user's cuts leave places to others. */
  @Test
  void oneUserTakesNotAllPlacesInWhichCutsWait() throws Exception {
    try (ClusterFixture fixture = new ClusterFixture(6, 6, HeldCopies.CONFIGURATION);
        HeldCopies copies = new HeldCopies(fixture.hdfs.nameNode())) {
      int files = 65;
      List<Path> paths = new ArrayList<>();
      for (int i = 0; i < files; i++) {
        paths.add(new Path("/cuts/f" + i));
        fixture.write("/cuts/f" + i, 3 * ClusterFixture.BLOCK, 3, RANDOM);
        fixture.fs.setOwner(paths.get(i), "eve", "users");
      }
      fixture.write("/cuts/another", 3 * ClusterFixture.BLOCK, 3, RANDOM);
      Method method = new Method(Encoder.CORE_RACK, Group.ORDER, Encode.GATHER, Homes.EVEN);
      assertEquals(List.of(), fixture.convert(method, "rs-3-2", "/cuts").skipped());
      copies.hold();
      UserGroupInformation eve =
          UserGroupInformation.createUserForTesting("eve", new String[] {"users"});
      ExecutorService clients = Executors.newCachedThreadPool();
      try (DistributedFileSystem fs =
          eve.doAs((PrivilegedExceptionAction<DistributedFileSystem>) fixture.hdfs::fileSystem)) {
        List<Future<Boolean>> cuts = new ArrayList<>();
        for (Path path : paths) {
          cuts.add(clients.submit(() -> fs.truncate(path, LENGTH)));
        }
        Await.untilEqual(
            "one call to be refused", 1L, () -> cuts.stream().filter(Future::isDone).count());
        Future<Boolean> refused = cuts.stream().filter(Future::isDone).findFirst().orElseThrow();
        String said = String.valueOf(assertThrows(ExecutionException.class, refused::get));
        assertTrue(said.contains("64 cuts of a user"), said);
        cuts.removeIf(Future::isDone);
        Future<Boolean> another =
            clients.submit(() -> fixture.fs.truncate(new Path("/cuts/another"), LENGTH));
        Await.until(
            "it to be held",
            () ->
                fixture.files("/cuts/another").get(0).blocks().stream()
                    .map(BlockStatus::expected)
                    .toList()
                    .equals(List.of(1, 1, 3)));
        copies.release();
        another.get(60, TimeUnit.SECONDS);
        for (Future<Boolean> cut : cuts) {
          cut.get(60, TimeUnit.SECONDS);
        }
      } finally {
        clients.shutdownNow();
      }
    }
  }
}
