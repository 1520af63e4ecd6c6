package org.braid.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls that tell the NameNode about their caller, by the caller's context that HDFS passes on with
 * each call: who it is, as those of Hadoop's own tools do, or that it rebuilds lost blocks itself.
 * Threads that are begun meanwhile have the same context; afterwards that of before is back.
 */
public final class CallerContexts {
  /** Whoever forges it gets the answer that HDFS itself would give. */
  private static final String DIRECT = "braid-direct";

  private CallerContexts() {}

  /** Calls to the NameNode. */
  @FunctionalInterface
  public interface Calls<T extends @Nullable Object> {
    T run() throws IOException;
  }

  /**
   * Makes calls whose answers do not wait until lost blocks are rebuilt, as the caller rebuilds
   * them itself. A context that is there already is kept, with a word behind it.
   */
  public static <T extends @Nullable Object> T direct(Calls<T> calls) throws IOException {
    return with(marked(CallerContext.getCurrent()), calls);
  }

  /**
   * Makes calls in the name of a caller; whether NameNodes log it their configuration says. A
   * context that is there already stays as it is: whoever set it knows better what the calls are
   * for.
   */
  public static <T extends @Nullable Object> T named(String caller, Calls<T> calls)
      throws IOException {
    CallerContext present = CallerContext.getCurrent();
    return present != null && present.isContextValid() ? calls.run() : renamed(caller, calls);
  }

  /** Makes calls in the name of a caller, whatever context is there. */
  public static <T extends @Nullable Object> T renamed(String caller, Calls<T> calls)
      throws IOException {
    return with(new CallerContext.Builder(caller).build(), calls);
  }

  private static <T extends @Nullable Object> T with(CallerContext context, Calls<T> calls)
      throws IOException {
    CallerContext before = CallerContext.getCurrent();
    CallerContext.setCurrent(context);
    try {
      return calls.run();
    } finally {
      CallerContext.setCurrent(before);
    }
  }

  private static CallerContext marked(@Nullable CallerContext before) {
    if (before == null || !before.isContextValid()) {
      return new CallerContext.Builder(DIRECT).build();
    }
    CallerContext.Builder builder = new CallerContext.Builder(before.getContext() + "," + DIRECT);
    if (before.getSignature() != null) {
      builder.setSignature(before.getSignature());
    }
    return builder.build();
  }

  /**
   * Whether the call that is being answered is a direct one. To be asked before HDFS makes the
   * call: it appends the client's port to the context where its audit log is to have it.
   */
  public static boolean isDirect() {
    CallerContext context = CallerContext.getCurrent();
    return context != null && context.isContextValid() && isDirect(context.getContext());
  }

  /** A router puts words of its own before, with a separator that its configuration may choose. */
  static boolean isDirect(String context) {
    int before = context.length() - DIRECT.length() - 1;
    return context.endsWith(DIRECT) && (before < 0 || !isOfWord(context.charAt(before)));
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_';
  }
}
