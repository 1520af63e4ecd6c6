package org.braid.shard.format;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The paths of the shards of a file.
 *
 * @param name the file's name without directories
 * @param n number of shards
 * @param racks the rack of each block, for codes that have racks
 */
public record ShardNames(String name, int n, Optional<List<Integer>> racks) {
  public static final String SUFFIX = ".shard";
  private static final String RACK = "rack";

  /** File systems take names of 255 bytes; the rest is for block and suffix. */
  private static final int MAX_NAME_BYTES = 200;

  /** Bytes of the longest character in UTF-8. */
  private static final int MAX_CHARACTER_BYTES = 4;

  private static final int DIGEST_DIGITS = 8;

  /** The path of a shard, relative to the set's directory. */
  public Path path(int block) {
    int digits = Math.max(2, String.valueOf(n - 1).length());
    String file = base() + String.format(Locale.ROOT, ".%0" + digits + "d", block) + SUFFIX;
    return racks.map(r -> Path.of(RACK + r.get(block), file)).orElseGet(() -> Path.of(file));
  }

  public Optional<Integer> rack(int block) {
    return racks.map(r -> r.get(block));
  }

  /** Whether the name of a directory is that of a rack. */
  public static boolean isRack(Path name) {
    return name.toString().matches(RACK + "[0-9]+");
  }

  /**
   * Whether a path, relative to the set's directory, names a shard of this file and of no other.
   */
  public boolean matches(Path path) {
    return !isShared() && matches(path, base());
  }

  /**
   * Whether a path, relative to the set's directory, may name a shard of this file. Earlier
   * releases cut long names and added no digest, so that the shard may be of another file whose
   * name begins alike. Its header says which.
   */
  public boolean mayMatch(Path path) {
    return (isLong() || isShared()) && matches(path, cut(MAX_NAME_BYTES));
  }

  /**
   * Whether this name is what an earlier release left of some longer names. It cut between
   * characters, so that a few bytes may be missing.
   */
  public boolean isShared() {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    return bytes > MAX_NAME_BYTES - MAX_CHARACTER_BYTES && bytes <= MAX_NAME_BYTES;
  }

  private static boolean matches(Path path, String base) {
    Path directory = path.getParent();
    return (directory == null || isRack(directory))
        && path.getFileName()
            .toString()
            .matches(Pattern.quote(base) + "\\.[0-9]{2,}" + Pattern.quote(SUFFIX));
  }

  /** The name; a name that is too long is cut and ends in a digest of the whole name. */
  private String base() {
    return isLong()
        ? cut(MAX_NAME_BYTES - 1 - DIGEST_DIGITS)
            + "~"
            + digest(name.getBytes(StandardCharsets.UTF_8))
        : name;
  }

  private boolean isLong() {
    return name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES;
  }

  /** As many whole characters of the name as these bytes hold. */
  private String cut(int bytes) {
    int end = name.length();
    while (name.substring(0, end).getBytes(StandardCharsets.UTF_8).length > bytes) {
      end = name.offsetByCodePoints(end, -1);
    }
    return name.substring(0, end);
  }

  private static String digest(byte[] name) {
    try {
      byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(name);
      return HexFormat.of().formatHex(sha256).substring(0, DIGEST_DIGITS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
