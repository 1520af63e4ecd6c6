package org.braid.hdfs.datanode.volume;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;

/**
 * A volume of a DataNode.
 *
 * @param id id of its storage
 * @param available available bytes
 */
public record Volume(StorageType type, String id, long available) {
  private static final Comparator<Volume> ROOM = Comparator.comparingLong(Volume::available);

  /** Types for another replica of a block of a file under the policy HOT, the best first. */
  private static final List<String> ORDINARY =
      List.of(StorageType.DISK.name(), StorageType.ARCHIVE.name());

  /**
   * The volume with the most room for a block, of the first type with enough room.
   *
   * @param types names of types, the best first. If empty: types of ordinary files, or if none of
   *     them has enough room, any type, persistent types and {@code DISK} first; HDFS then checks
   *     the room
   * @param bytes bytes of the block
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
