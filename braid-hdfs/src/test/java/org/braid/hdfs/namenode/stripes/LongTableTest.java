package org.braid.hdfs.namenode.stripes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.braid.hdfs.namenode.stripes.StripeTable.LongTable;
import org.braid.testing.Seeds;
import org.junit.jupiter.api.Test;

final class LongTableTest {
  private final Random random = Seeds.random(LongTableTest.class);

  /** Keys that are close together and far apart, so that chains of all lengths are cut. */
  @Test
  void isAMap() {
    LongTable table = new LongTable();
    Map<Long, Integer> map = new HashMap<>();
    for (int i = 0; i < 300_000; i++) {
      long key = random.nextBoolean() ? random.nextInt(20_000) : random.nextInt(99) * (1L << 40);
      switch (random.nextInt(3)) {
        case 0 -> {
          table.remove(key);
          map.remove(key);
        }
        case 1 -> assertEquals(map.getOrDefault(key, LongTable.ABSENT), table.get(key));
        default -> {
          table.put(key, i);
          map.put(key, i);
        }
      }
    }
    for (long key = 0; key < 20_000; key++) {
      assertEquals(map.getOrDefault(key, LongTable.ABSENT), table.get(key));
    }
    List<Long> keys = new ArrayList<>();
    table.parts().forEachRemaining(part -> LongStream.of(part).forEach(keys::add));
    assertEquals(map.size(), keys.size());
    assertEquals(map.keySet(), Set.copyOf(keys));
    map.keySet().forEach(table::remove);
    map.keySet().forEach(key -> assertEquals(LongTable.ABSENT, table.get(key)));
  }
}
