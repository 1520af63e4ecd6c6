package org.braid.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * Tells the NameNode that a caller rebuilds lost blocks itself, so that its calls need not wait
 * until they are rebuilt: by a word in the caller's context, which HDFS passes on with each call.
 * Whoever forges it gets the answer that HDFS itself would give.
 */
public final class DirectReads {
  private static final String WORD = "braid-direct";

  private DirectReads() {}

  /** Calls to the NameNode. */
  @FunctionalInterface
  public interface Calls<T extends @Nullable Object> {
    T run() throws IOException;
  }

  /** Makes calls whose answers do not wait. */
  public static <T extends @Nullable Object> T run(Calls<T> calls) throws IOException {
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(marked(before));
    try {
      return calls.run();
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  private static CallerContext marked(@Nullable CallerContext before) {
    if (before == null || !before.isContextValid()) {
      return new CallerContext.Builder(WORD).build();
    }
    CallerContext.Builder builder = new CallerContext.Builder(before.getContext() + "," + WORD);
    if (before.getSignature() != null) {
      builder.setSignature(before.getSignature());
    }
    return builder.build();
  }

  /**
   * Whether the call that is being answered said so. To be asked before HDFS makes the call: it
   * appends the client's port to the context where its audit log is to have it.
   */
  public static boolean isDirect() {
    CallerContext context = CallerContext.getCurrent();
    return context != null && context.isContextValid() && isDirect(context.getContext());
  }

  /** A router puts words of its own before, with a separator that its configuration may choose. */
  static boolean isDirect(String context) {
    int before = context.length() - WORD.length() - 1;
    return context.endsWith(WORD) && (before < 0 || !isOfWord(context.charAt(before)));
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_';
  }
}
