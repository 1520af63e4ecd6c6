package org.braid.hdfs.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.hdfs.rpc.Rpc;
import org.braid.thread.DaemonThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class NamedCallsTest {
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
  void haveTheirCallersNameUntilTheyEnd() throws Exception {
    assertEquals("braid_convert", NamedCalls.run("braid_convert", NamedCallsTest::context));
    assertNull(CallerContext.getCurrent());
    assertThrows(
        IOException.class,
        () ->
            NamedCalls.run(
                "braid_convert",
                () -> {
                  throw new IOException("no NameNode");
                }));
    assertNull(CallerContext.getCurrent());
  }

  @Test
  void keepTheContextOfWhoeverSetOne() throws Exception {
    CallerContext.setCurrent(new CallerContext.Builder("job").build());
    assertEquals("job", NamedCalls.run("braid_convert", NamedCallsTest::context));
    assertEquals("job", context());
    CallerContext empty = new CallerContext.Builder("").build(); // HDFS does not send it
    CallerContext.setCurrent(empty);
    assertEquals("braid_convert", NamedCalls.run("braid_convert", NamedCallsTest::context));
    assertSame(empty, CallerContext.getCurrent());
  }

  @Test
  void haveItInTheThreadsThatTheyBegin() throws Exception {
    String own =
        NamedCalls.run(
            "braid_convert",
            () -> {
              FutureTask<String> task = new FutureTask<>(NamedCallsTest::context);
              DaemonThreads.of("test", task).start();
              return awaited(task);
            });
    assertEquals("braid_convert", own);
    var threads = Rpc.threads(DaemonThreads.named("test"));
    try {
      assertEquals("none", threads.submit(NamedCallsTest::context).get());
      FutureTask<String> task = new FutureTask<>(NamedCallsTest::context);
      String pooled =
          NamedCalls.run(
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
