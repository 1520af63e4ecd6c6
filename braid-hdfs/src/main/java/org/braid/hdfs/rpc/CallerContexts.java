package org.braid.hdfs.rpc;

import java.io.IOException;
import org.apache.hadoop.ipc.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * Passes information on the caller to the NameNode in HDFS's caller context, which HDFS sends with
 * each call: the name of the caller, as Hadoop's own tools do, or that the caller rebuilds lost
 * blocks itself. Threads started meanwhile inherit the context; afterwards the previous context is
 * restored.
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
   * Makes direct calls: their answers do not wait for lost blocks, because the caller rebuilds
   * these itself. Appends a word to a context that is already set.
   */
  public static <T extends @Nullable Object> T direct(Calls<T> calls) throws IOException {
    return with(marked(CallerContext.getCurrent()), calls);
  }

  /**
   * Makes calls with the name of a caller, which NameNodes log if their configuration says so.
   * Keeps a context that is already set, because its owner knows better what the calls are for.
   */
  public static <T extends @Nullable Object> T named(String caller, Calls<T> calls)
      throws IOException {
    CallerContext present = CallerContext.getCurrent();
    return present != null && present.isContextValid() ? calls.run() : renamed(caller, calls);
  }

  /** Makes calls with the name of a caller, and replaces a context that is already set. */
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
   * Whether the call that is being answered is a direct one. Must be called before HDFS answers it,
   * because HDFS may append the client's port to the context for its audit log.
   */
  public static boolean isDirect() {
    CallerContext context = CallerContext.getCurrent();
    return context != null && context.isContextValid() && isDirect(context.getContext());
  }

  /**
   * Whether a context ends with the word of direct calls. A router prepends its own words, with a
   * configurable separator.
   */
  static boolean isDirect(String context) {
    int before = context.length() - DIRECT.length() - 1;
    return context.endsWith(DIRECT) && (before < 0 || !isOfWord(context.charAt(before)));
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_';
  }
}
