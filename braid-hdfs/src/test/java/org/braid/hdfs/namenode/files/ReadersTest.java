package org.braid.hdfs.namenode.files;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.fs.permission.PermissionStatus;
import org.apache.hadoop.hdfs.server.namenode.INodeDirectory;
import org.junit.jupiter.api.Test;

final class ReadersTest {
  /** What directories on the way to a file ask of who passes. */
  private static List<String> demands(INodeDirectory... way) {
    Set<String> demands = new LinkedHashSet<>();
    for (INodeDirectory directory : way) {
      Readers.add(demands, directory, FsAction.EXECUTE);
    }
    return List.copyOf(demands);
  }

  private static INodeDirectory of(String user, int mode) {
    return new INodeDirectory(
        1,
        "d".getBytes(StandardCharsets.UTF_8),
        new PermissionStatus(user, "staff", new FsPermission((short) mode)),
        0);
  }

  @Test
  void whatEverybodyMayIsNotAskedAndTheSameOnce() {
    assertEquals(List.of(), demands(of("ann", 0755)));
    assertEquals(List.of("ann:staff:ug;"), demands(of("ann", 0750), of("ann", 0770)));
  }

  /** Else files that different users may read would share stripes. */
  @Test
  void aUserWhoseNameEndsLikeAnothersIsAnotherOne() {
    assertEquals(
        List.of("malice:staff:ug;", "alice:staff:ug;"),
        demands(of("malice", 0750), of("alice", 0750)));
  }
}
