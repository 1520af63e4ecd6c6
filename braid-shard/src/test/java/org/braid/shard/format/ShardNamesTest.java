package org.braid.shard.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ShardNamesTest {
  private static ShardNames names(String name) {
    return new ShardNames(name, 3, Optional.empty());
  }

  private static int bytes(Path path) {
    return path.toString().getBytes(StandardCharsets.UTF_8).length;
  }

  @Test
  void namesUpTo200BytesAreWhole() {
    String name = "n".repeat(200);
    assertEquals(Path.of(name + ".02.shard"), names(name).path(2));
  }

  /** The shards of files with equal beginnings do not meet. */
  @Test
  void longerNamesEndInADigest() {
    String begin = "n".repeat(200);
    ShardNames first = names(begin + "1");
    ShardNames second = names(begin + "2");
    assertTrue(
        first.path(1).toString().matches("n{191}~[0-9a-f]{8}\\.01\\.shard"),
        first.path(1).toString());
    assertNotEquals(first.path(1), second.path(1));
    assertEquals(first.path(1), names(begin + "1").path(1));
    assertTrue(first.matches(first.path(1)));
    assertFalse(first.matches(second.path(1)));
  }

  /** Earlier releases gave such names to the shards of files with longer names. */
  @Test
  void theShardsOfNamesThatLongerOnesWereCutToAreKnownByTheirHeaders() {
    for (int bytes = 190; bytes <= 200; bytes++) {
      ShardNames names = names("n".repeat(bytes));
      assertEquals(bytes <= 196, names.matches(names.path(1)), bytes + " bytes");
      assertEquals(bytes > 196, names.mayMatch(names.path(1)), bytes + " bytes");
    }
  }

  @Test
  void longNamesAreCutBetweenCharacters() {
    // Three bytes a character: 63 of them are 189 bytes, 64 are 192.
    Path path = names("\u20ac".repeat(80)).path(0);
    assertTrue(path.toString().matches("\u20ac{63}~[0-9a-f]{8}\\.00\\.shard"), path.toString());
    assertEquals(189 + 9 + ".00.shard".length(), bytes(path));
  }
}
