package org.braid.hdfs.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.thread.DaemonThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CallerContextsTest {
  @BeforeEach
  @AfterEach
  void withoutContext() {
    CallerContext.setCurrent(null);
  }

  private static String context() {
    CallerContext current = CallerContext.getCurrent();
    return current == null ? "none" : String.valueOf(current.getContext());
  }

  @Test
  void theWordIsTheLastOneWhateverStandsBefore() {
    assertTrue(CallerContexts.isDirect("braid-direct"));
    assertTrue(CallerContexts.isDirect("spark_1,braid-direct"));
    assertTrue(CallerContexts.isDirect("clientIp:10.0.0.1,clientPort:1,braid-direct"));
    assertTrue(CallerContexts.isDirect("clientIp:10.0.0.1;clientPort:1;braid-direct"));
    for (String separator : List.of("#", "&", "~", "/", ", ")) {
      String context = "clientIp:10.0.0.1" + separator + "braid-direct";
      assertTrue(CallerContexts.isDirect(context), context);
    }
    assertFalse(CallerContexts.isDirect("not-braid-direct"));
    assertFalse(CallerContexts.isDirect("xbraid-direct"));
    assertFalse(CallerContexts.isDirect("braid-direct,clientIp:10.0.0.1"));
    assertFalse(CallerContexts.isDirect(""));
  }

  @Test
  void aDirectCallIsMarkedAndNothingAfterIt() throws IOException {
    CallerContext.setCurrent(new CallerContext.Builder("spark_1").build());
    assertEquals(true, CallerContexts.<Boolean>direct(CallerContexts::isDirect));
    assertFalse(CallerContexts.isDirect());
    assertEquals("spark_1", context());
  }

  @Test
  void callsHaveTheirCallersNameUntilTheyEnd() throws Exception {
    assertEquals(
        "braid_convert", CallerContexts.named("braid_convert", CallerContextsTest::context));
    assertNull(CallerContext.getCurrent());
    assertThrows(
        IOException.class,
        () ->
            CallerContexts.named(
                "braid_convert",
                () -> {
                  throw new IOException("no NameNode");
                }));
    assertNull(CallerContext.getCurrent());
  }

  @Test
  void namedCallsKeepTheContextOfWhoeverSetOne() throws Exception {
    CallerContext.setCurrent(new CallerContext.Builder("job").build());
    assertEquals("job", CallerContexts.named("braid_convert", CallerContextsTest::context));
    assertEquals("job", context());
    CallerContext empty = new CallerContext.Builder("").build(); // HDFS does not send it
    CallerContext.setCurrent(empty);
    assertEquals(
        "braid_convert", CallerContexts.named("braid_convert", CallerContextsTest::context));
    assertSame(empty, CallerContext.getCurrent());
  }

  @Test
  void renamedCallsPutTheContextAsideUntilTheyEnd() throws Exception {
    CallerContext job = new CallerContext.Builder("job").build();
    CallerContext.setCurrent(job);
    assertEquals("braid_page", CallerContexts.renamed("braid_page", CallerContextsTest::context));
    assertSame(job, CallerContext.getCurrent());
  }

  @Test
  void threadsThatCallsBeginHaveTheirContext() throws Exception {
    String own =
        CallerContexts.named(
            "braid_convert",
            () -> {
              FutureTask<String> task = new FutureTask<>(CallerContextsTest::context);
              DaemonThreads.of("test", task).start();
              return awaited(task);
            });
    assertEquals("braid_convert", own);
    var threads = Rpc.threads(DaemonThreads.named("test"));
    try {
      assertEquals("none", threads.submit(CallerContextsTest::context).get());
      FutureTask<String> task = new FutureTask<>(CallerContextsTest::context);
      String pooled =
          CallerContexts.named(
              "braid_convert",
              () -> {
                threads.execute(task);
                return awaited(task);
              });
      assertEquals("braid_convert", pooled);
    } finally {
      threads.shutdownNow();
    }
  }

  private static String awaited(FutureTask<String> task) throws IOException {
    try {
      return task.get();
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}
