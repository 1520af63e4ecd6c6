package org.braid.hdfs.coordinator.throttle;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.ThrottleView;
import org.braid.hdfs.rpc.BraidPaths;
import org.braid.plan.throttle.SharedLink.Kind;
import org.braid.plan.throttle.Throttle;
import org.braid.plan.throttle.WorkClass;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets the throttle: properties of the configuration, overridden by an extended attribute
 * of Braid's directory, which only HDFS's superuser may read and write.
 */
public final class ThrottleStore implements ThrottleControl, Throttles.Source {
  private static final Path DIRECTORY = new Path(BraidPaths.ROOT);

  private final DistributedFileSystem files;
  private final Map<String, String> settings;

  /**
   * The throttle of a cluster.
   *
   * @throws IllegalArgumentException when the configured throttle is invalid
   */
  public ThrottleStore(DistributedFileSystem files) {
    this.files = files;
    settings = ThrottleSettings.of(files.getConf());
    var unused = ThrottleSettings.throttle(settings);
  }

  @Override
  public Throttle configured() {
    return ThrottleSettings.throttle(settings);
  }

  /**
   * The throttle in force.
   *
   * @throws IOException when what was set cannot be read or understood
   */
  @Override
  public Throttle read() throws IOException {
    return throttle(set());
  }

  private Throttle throttle(Map<String, String> set) throws IOException {
    try {
      return ThrottleSettings.throttle(settings, set, Set.of());
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s of %s: %s".formatted(BraidPaths.THROTTLE_XATTR, BraidPaths.ROOT, e.getMessage()), e);
    }
  }

  private Map<String, String> set() throws IOException {
    if (!files.exists(DIRECTORY)) {
      return Map.of();
    }
    byte[] value = files.getXAttrs(DIRECTORY).get(BraidPaths.THROTTLE_XATTR);
    return value == null
        ? Map.of()
        : ThrottleSettings.values(new String(value, StandardCharsets.UTF_8));
  }

  @Override
  public ThrottleView show() throws IOException {
    return view(set());
  }

  @Override
  public ThrottleView set(Map<String, String> changes) throws IOException {
    ThrottleSettings.check(changes);
    Map<String, String> set = ThrottleSettings.changed(set(), changes);
    // Refuses what cannot be together.
    var unused = ThrottleSettings.throttle(settings, set, changes.keySet());
    write(set);
    return view(set);
  }

  @Override
  public ThrottleView clear() throws IOException {
    write(Map.of()); // an empty text, as nothing of this directory may be removed
    return view(Map.of());
  }

  private void write(Map<String, String> set) throws IOException {
    files.mkdirs(
        DIRECTORY, BraidPaths.RIGHTS); // it may be the first thing that is done with Braid here
    files.setXAttr(
        DIRECTORY,
        BraidPaths.THROTTLE_XATTR,
        ThrottleSettings.text(set).getBytes(StandardCharsets.UTF_8),
        EnumSet.of(XAttrSetFlag.CREATE, XAttrSetFlag.REPLACE));
  }

  private ThrottleView view(Map<String, String> set) throws IOException {
    Throttle throttle = throttle(set);
    return new ThrottleView(
        throttle.inForce(),
        limit(throttle, Kind.NODE),
        limit(throttle, Kind.DISK),
        limit(throttle, Kind.UPLINK),
        limit(throttle, Kind.SITE),
        limit(throttle, Kind.CLUSTER),
        throttle.share(WorkClass.REPAIR),
        throttle.share(WorkClass.CONVERSION),
        throttle.latencyTargetMicros() / 1000.0,
        throttle.stopped(),
        ThrottleSettings.sources(settings, set));
  }

  private static @Nullable Long limit(Throttle throttle, Kind kind) {
    return throttle.limits().get(kind);
  }
}
