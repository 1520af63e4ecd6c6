package org.braid.hdfs.api;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How the repairs of many stripes are scheduled; empty values are taken from the configuration.
 *
 * @param scheduler {@code mppr}, {@code together} or {@code arrival}
 * @param perNode repairs at once in which one node takes part, at least 1
 * @param perUplink repairs at once that cross one rack's uplink, at least 1
 * @param delayMillis how long a silent node may come back before its blocks are rebuilt
 * @param timeoutMillis how long a repair may take before it is planned anew, at least 1
 */
public record RepairPolicy(
    Optional<String> scheduler,
    OptionalInt perNode,
    OptionalInt perUplink,
    OptionalLong delayMillis,
    OptionalLong timeoutMillis) {
  /** All values from the configuration. */
  public static final RepairPolicy CONFIGURED =
      new RepairPolicy(
          Optional.empty(),
          OptionalInt.empty(),
          OptionalInt.empty(),
          OptionalLong.empty(),
          OptionalLong.empty());

  /** The same with a scheduler. */
  public RepairPolicy with(String name) {
    return new RepairPolicy(Optional.of(name), perNode, perUplink, delayMillis, timeoutMillis);
  }
}
