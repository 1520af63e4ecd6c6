package org.braid.hdfs.testkit.bench.namenode;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/**
 * The peak of this process's heap at one moment: the heap grows until a collection begins. The sum
 * of the peaks of the heap's pools would be higher, because each has its peak at another moment.
 */
final class HeapPeak {
  private final Set<String> pools = new HashSet<>();
  private final AtomicLong most = new AtomicLong();

  private HeapPeak() {}

  /** Watches from now on. */
  static HeapPeak watch() {
    HeapPeak peak = new HeapPeak();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        peak.pools.add(pool.getName());
      }
    }
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof NotificationEmitter emitter) {
        emitter.addNotificationListener((note, unused) -> peak.hear(note), null, null);
      }
    }
    return peak;
  }

  private void hear(Notification note) {
    if (note.getUserData() instanceof CompositeData data) {
      add(GarbageCollectionNotificationInfo.from(data).getGcInfo().getMemoryUsageBeforeGc());
    }
  }

  /** Notes what the pools had when a collection began. */
  void add(Map<String, MemoryUsage> usage) {
    long used = 0;
    for (Map.Entry<String, MemoryUsage> pool : usage.entrySet()) {
      used += pools.contains(pool.getKey()) ? pool.getValue().getUsed() : 0;
    }
    most.accumulateAndGet(used, Math::max);
  }

  /** Bytes. */
  long bytes() {
    return Math.max(most.get(), ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }
}
