package org.braid.hadooptests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The order in which classes run. */
final class TestClassesTest {
  private static final String SMALL = "org.apache.hadoop.hdfs.TestDFSMkdirs";
  private static final String LARGE = "org.apache.hadoop.hdfs.TestDFSShell";
  private static final String SHORT = "org.apache.hadoop.hdfs.TestQuota";
  private static final String LONG = "org.apache.hadoop.hdfs.TestClose";

  @Test
  void classesOfUnknownTimeComeFirstAndShortOnesBeforeLong() throws Exception {
    TestClasses classes =
        TestClasses.in(HadoopClassPath.ofThisProcess().jar("hadoop-hdfs-", "-tests.jar"));
    assertEquals(
        List.of(SMALL, LARGE, SHORT, LONG),
        classes.shortFirst(List.of(LONG, LARGE, SHORT, SMALL), Map.of(LONG, 500.0, SHORT, 20.0)));
  }
}
