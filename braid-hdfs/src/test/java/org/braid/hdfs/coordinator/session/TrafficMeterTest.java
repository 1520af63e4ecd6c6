package org.braid.hdfs.coordinator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Map;
import org.braid.code.SubBlock;
import org.braid.engine.FragmentResult;
import org.braid.hdfs.api.RepairReport.Phases;
import org.braid.hdfs.engine.HdfsResult;
import org.junit.jupiter.api.Test;

/** What plans moved, and what took their time. */
final class TrafficMeterTest {
  private static final int PLANS = 1000;

  private final ClusterState state = new FakeCluster(2, 2).look();
  private final TrafficMeter meter = new TrafficMeter();

  /** A plan of a node that sends, and of one in the other rack that stores. */
  private static HdfsResult plan(long read, long cpu, long wait) {
    FragmentResult sends =
        new FragmentResult(Map.of(), Map.of(), Map.of(2, 10L), Map.of(), 1_000_000_000, 5, 5);
    FragmentResult stores =
        new FragmentResult(
            Map.of(), Map.of(new SubBlock(0, 0), 7), Map.of(), Map.of(0, 10L), cpu, read, wait);
    return new HdfsResult(Map.of(0, sends, 2, stores), Map.of(), Map.of(0, 7));
  }

  @Test
  void whatTookTheTimeIsTheMeanOfThoseThatStored() {
    assertEquals(Phases.NONE, meter.phases());
    meter.add(state, plan(4_000_000_000L, 1_000_000_000L, 3_000_000_000L));
    meter.add(state, plan(2_000_000_000L, 3_000_000_000L, 1_000_000_000L));
    assertEquals(new Phases(3, 2, 2), meter.phases());
    assertEquals(20, meter.total().crossRackBytes());
  }

  /** That of a daemon counts for as long as the daemon lives. */
  @Test
  void manyPlansTakeNoMoreMemoryThanFew() throws Exception {
    for (int i = 0; i < PLANS; i++) {
      meter.add(state, plan(3, 2, 1));
    }
    for (Field field : TrafficMeter.class.getDeclaredFields()) {
      field.setAccessible(true);
      Object value = field.get(meter);
      int entries =
          value instanceof Collection<?> list
              ? list.size()
              : value instanceof Map<?, ?> map ? map.size() : 0;
      assertTrue(entries < PLANS, field.getName());
    }
  }
}
