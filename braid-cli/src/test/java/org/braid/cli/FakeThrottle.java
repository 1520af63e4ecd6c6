package org.braid.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.braid.hdfs.api.ThrottleControl;
import org.braid.hdfs.api.view.ThrottleView;
import org.braid.hdfs.api.view.ThrottleView.Source;
import org.jspecify.annotations.Nullable;

/** A throttle that is kept in memory; the disks' is a property. */
final class FakeThrottle implements ThrottleControl {
  private final Map<String, String> set = new LinkedHashMap<>();

  @Override
  public ThrottleView show() {
    Map<String, Source> sources = new LinkedHashMap<>(Map.of("disk", Source.SETTING));
    set.keySet().forEach(key -> sources.put(key.replace('-', '_'), Source.SET));
    if (set.containsKey("conversion-share")) {
      sources.put("repair_share", Source.LIMITED);
    }
    boolean stops = "0".equals(set.get("site"));
    return new ThrottleView(
        true,
        set.containsKey("node") ? 50L << 20 : null,
        100L << 20,
        null,
        stops ? zero() : null,
        null,
        0.7,
        0.3,
        set.containsKey("latency-target") ? 5 : 0,
        stops ? "site" : "",
        sources);
  }

  private static @Nullable Long zero() {
    return 0L;
  }

  @Override
  public ThrottleView set(Map<String, String> changes) {
    if (changes.containsKey("repair-share")) {
      throw new IllegalArgumentException("the shares are too much together");
    }
    set.putAll(changes);
    return show();
  }

  @Override
  public ThrottleView clear() {
    set.clear();
    return show();
  }
}
