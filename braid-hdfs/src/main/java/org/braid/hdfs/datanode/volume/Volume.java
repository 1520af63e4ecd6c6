package org.braid.hdfs.datanode.volume;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;

/**
 * A volume of a DataNode.
 *
 * @param id of its storage
 * @param available bytes
 */
public record Volume(StorageType type, String id, long available) {
  private static final Comparator<Volume> ROOM = Comparator.comparingLong(Volume::available);

  /** Types for another replica of a block of a file under the policy HOT, the best first. */
  private static final List<String> ORDINARY =
      List.of(StorageType.DISK.name(), StorageType.ARCHIVE.name());

  /**
   * The roomiest volume for a block, of the first type that has room for it.
   *
   * @param types names of types, the best first; none: those of ordinary files or, where none of
   *     them has room, any other, of which HDFS says whether it has room
   * @param bytes of the block
   */
  public static Optional<Volume> choose(
      Collection<Volume> volumes, List<String> types, long bytes) {
    if (!types.isEmpty()) {
      return ofFirstType(volumes, types, bytes);
    }
    return ofFirstType(volumes, ORDINARY, bytes)
        .or(
            () ->
                volumes.stream()
                    .max(
                        Comparator.comparing((Volume v) -> !v.type.isTransient())
                            .thenComparing(v -> v.type == StorageType.DEFAULT)
                            .thenComparing(ROOM)));
  }

  private static Optional<Volume> ofFirstType(
      Collection<Volume> volumes, List<String> types, long bytes) {
    for (String type : types) {
      Optional<Volume> best =
          volumes.stream()
              .filter(v -> v.type.name().equals(type) && v.available >= bytes)
              .max(ROOM);
      if (best.isPresent()) {
        return best;
      }
    }
    return Optional.empty();
  }
}
