package org.braid.shard.format;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

  /** The path of a shard, relative to the set's directory. */
  public Path path(int block) {
    int digits = Math.max(2, String.valueOf(n - 1).length());
    String file = base() + String.format(Locale.ROOT, ".%0" + digits + "d", block) + SUFFIX;
    return racks.map(r -> Path.of(RACK + r.get(block), file)).orElseGet(() -> Path.of(file));
  }

  public Optional<Integer> rack(int block) {
    return racks.map(r -> r.get(block));
  }

  /** Whether a path, relative to the set's directory, names a shard of this file. */
  public boolean matches(Path path) {
    Path directory = path.getParent();
    return (directory == null || directory.toString().matches(RACK + "[0-9]+"))
        && path.getFileName()
            .toString()
            .matches(Pattern.quote(base()) + "\\.[0-9]{2,}" + Pattern.quote(SUFFIX));
  }

  private String base() {
    int end = name.length();
    while (name.substring(0, end).getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      end = name.offsetByCodePoints(end, -1);
    }
    return name.substring(0, end);
  }
}
