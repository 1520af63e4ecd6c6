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

  /**
   * The roomiest volume for a block, of the first type that has room for it.
   *
   * @param types names of types, the best first; none: ordinary disks before any other
   * @param bytes of the block; where no type is asked for, HDFS says whether it has room
   */
  public static Optional<Volume> choose(
      Collection<Volume> volumes, List<String> types, long bytes) {
    if (types.isEmpty()) {
      return volumes.stream()
          .max(
              Comparator.comparing((Volume v) -> !v.type.isTransient())
                  .thenComparing(v -> v.type == StorageType.DEFAULT)
                  .thenComparing(ROOM));
    }
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
