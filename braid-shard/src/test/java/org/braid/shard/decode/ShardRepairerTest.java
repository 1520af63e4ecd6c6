package org.braid.shard.decode;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Optional;
import org.braid.shard.report.ShardState;
import org.braid.shard.report.UnusedFile;
import org.junit.jupiter.api.Test;

/** Which files with the name of a shard a repair replaces, and what it says of the others. */
final class ShardRepairerTest {
  private static final Path FILE = Path.of("f.03.shard");

  private static Optional<String> obstacle(ShardState state, String why) {
    return ShardRepairer.obstacle(FILE, Optional.of(new UnusedFile(FILE.toString(), state, why)));
  }

  @Test
  void damagedShardsAreReplaced() {
    assertEquals(Optional.empty(), obstacle(ShardState.HEADER_DAMAGED, "header"));
    assertEquals(Optional.empty(), obstacle(ShardState.TRUNCATED, "the file ends"));
  }

  /** It may be a good shard of this set. */
  @Test
  void aShardThatCannotBeReadStays() {
    assertEquals(
        Optional.of(
            "f.03.shard cannot be read: no permission; make it readable or move it away, and"
                + " repair again"),
        obstacle(ShardState.UNREADABLE, "cannot be read: no permission"));
  }

  @Test
  void otherFilesStay() {
    assertEquals(
        Optional.of("f.03.shard exists: version 2 is not known; move it away and repair again"),
        obstacle(ShardState.UNKNOWN_VERSION, "version 2 is not known"));
    assertEquals(
        Optional.of(
            "f.03.shard exists and is not a damaged copy of it; move it away and repair again"),
        ShardRepairer.obstacle(FILE, Optional.empty()));
  }
}
