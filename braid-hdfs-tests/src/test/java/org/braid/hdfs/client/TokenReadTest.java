package org.braid.hdfs.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.braid.hdfs.testing.StripeFixture.Converted;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Degraded reads by a user who is no superuser, where every read of a block needs its token. */
final class TokenReadTest {
  @Test
  void readerOfTheFileGetsTokensForItsStripe(@TempDir Path directory) throws Exception {
    Random random = Seeds.random(TokenReadTest.class);
    byte[] content = ClientFixture.content(random, 3 * ClientFixture.BLOCK - 5);
    UserGroupInformation reader =
        UserGroupInformation.createUserForTesting("reader", new String[] {"readers"});
    Map<String, String> tokens = Map.of("dfs.block.access.token.enable", "true");
    try (ClientFixture fixture = new ClientFixture(directory, tokens)) {
      Converted file = fixture.stripes.write("/shared", content);
      fixture.stop(List.of(file.stripes().get(0).nodes().get(1)));
      PrivilegedExceptionAction<BraidFileSystem> open = fixture::client;
      try (BraidFileSystem fs = reader.doAs(open);
          FSDataInputStream in = fs.open(file.path())) {
        // Read outside of doAs: the file system's user counts, as in HDFS.
        assertArrayEquals(content, in.readAllBytes());
      }
      fixture.plain.setPermission(file.path(), new FsPermission((short) 0600));
      try (BraidFileSystem fs = reader.doAs(open)) {
        assertThrows(AccessControlException.class, () -> fs.open(file.path()));
      }
    }
  }
}
