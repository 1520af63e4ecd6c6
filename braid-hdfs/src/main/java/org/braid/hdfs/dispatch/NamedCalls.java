package org.braid.hdfs.dispatch;

import java.io.IOException;
import org.apache.hadoop.ipc.CallerContext;
import org.braid.hdfs.rpc.DirectReads;

/**
 * Calls that tell who makes them, by the caller's context that HDFS passes on with each call, as
 * those of Hadoop's own tools do. Whether NameNodes log it their configuration says.
 */
public final class NamedCalls {
  private NamedCalls() {}

  /**
   * Makes calls, also those of threads that are begun meanwhile, in the name of a caller. A context
   * that is there already stays as it is: whoever set it knows better what the calls are for.
   */
  public static <T> T run(String caller, DirectReads.Calls<T> calls) throws IOException {
    CallerContext before = CallerContext.getCurrent();
    if (before != null && before.isContextValid()) {
      return calls.run();
    }
    CallerContext.setCurrent(new CallerContext.Builder(caller).build());
    try {
      return calls.run();
    } finally {
      CallerContext.setCurrent(before);
    }
  }
}
