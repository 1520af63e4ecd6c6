package org.braid.shard;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Where the shards of a file are put.
 *
 * @param name the file's name without directories
 * @param n shards
 * @param racks the rack of each block, for codes that have racks
 */
record ShardNames(String name, int n, Optional<List<Integer>> racks) {
  static final String SUFFIX = ".shard";
  private static final String RACK = "rack";

  /** Leaves room for what comes after the name: file systems take 255 bytes. */
  private static final int MAX_NAME_BYTES = 200;

  /** Where a shard is put, relative to the set's directory. */
  Path path(int block) {
    int digits = Math.max(2, String.valueOf(n - 1).length());
    String file = base() + String.format(Locale.ROOT, ".%0" + digits + "d", block) + SUFFIX;
    return racks.map(r -> Path.of(RACK + r.get(block), file)).orElseGet(() -> Path.of(file));
  }

  Optional<Integer> rack(int block) {
    return racks.map(r -> r.get(block));
  }

  /** Whether a path, relative to the set's directory, is one of a shard of a file of this name. */
  boolean matches(Path path) {
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
