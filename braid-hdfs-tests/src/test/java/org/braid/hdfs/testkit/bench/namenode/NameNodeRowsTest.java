package org.braid.hdfs.testkit.bench.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Properties;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Contender;
import org.braid.hdfs.testkit.bench.namenode.NameNodeBench.Row;
import org.braid.hdfs.testkit.bench.namenode.NameNodeLoad.Operation;
import org.junit.jupiter.api.Test;

final class NameNodeRowsTest {
  /** The process without files uses the most heap, as chance has it. */
  private static List<Row> heapRows(int stripes, long bytesOfStripe) {
    Map<Contender, Properties> measured = new EnumMap<>(Contender.class);
    for (Contender contender : Contender.values()) {
      Properties of = new Properties();
      for (String name :
          List.of(
              NameNodeProbe.LOAD,
              NameNodeProbe.REPORTS,
              NameNodeProbe.INDEX,
              NameNodeProbe.FAILOVER,
              NameNodeProbe.DELETE)) {
        of.setProperty(name, "1.0");
      }
      for (Operation operation : Operation.values()) {
        of.setProperty(NameNodeProbe.name(operation), "1.0");
      }
      long files = contender == Contender.EMPTY ? 1_000_000 : bytesOfStripe * stripes;
      of.setProperty(NameNodeProbe.HEAP, String.valueOf(50_000_000 + files));
      measured.put(contender, of);
    }
    return new NameNodeRows(stripes, measured)
        .rows().stream().filter(row -> row.unit().equals("B/stripe")).toList();
  }

  @Test
  void theHeapOfFewStripesIsNotTold() {
    List<Row> rows = heapRows(1000, 885);
    assertEquals(4, rows.size());
    for (Row row : rows) {
      assertTrue(row.plain().isEmpty() && row.value().isEmpty(), row.toString());
      assertTrue(row.reached().isEmpty(), row.toString());
      assertEquals("told from 10000 stripes on", row.remark());
    }
  }

  @Test
  void theHeapOfAStripeIsWhatTheFilesTakeMore() {
    assertEquals(
        OptionalDouble.of(785), // of 885, less 1,000,000 of the process over 10,000 stripes
        heapRows(10_000, 885).get(0).plain());
  }
}
