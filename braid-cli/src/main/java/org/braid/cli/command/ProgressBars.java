package org.braid.cli.command;

import java.util.HashMap;
import java.util.Map;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.braid.hdfs.api.Progress;

/** Shows a progress bar for each phase on standard error, where that is a terminal. */
public final class ProgressBars implements Progress, AutoCloseable {
  /** Set to {@code true} by the launcher where standard error is a terminal. */
  static final String TERMINAL = "braid.terminal";

  private final boolean shown = Boolean.getBoolean(TERMINAL);
  private final Map<String, ProgressBar> bars = new HashMap<>();
  private String reached = "";

  /** How far the work is, as in "converting, 3 of 12 done"; empty before it began. */
  public synchronized String reached() {
    return reached;
  }

  @Override
  public synchronized void at(String phase, long done, long total) {
    reached = "%s, %d of %d done".formatted(phase, done, total);
    if (!shown) {
      return;
    }
    ProgressBar bar = bars.get(phase);
    if (bar == null) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(phase)
              .setInitialMax(total)
              .setStyle(ProgressBarStyle.ASCII)
              .setConsumer(new ConsoleProgressBarConsumer(System.err))
              .build();
      bars.put(phase, bar);
    }
    bar.maxHint(total);
    bar.stepTo(done);
    if (done >= total) {
      bar.close();
      bars.remove(phase);
    }
  }

  @Override
  public synchronized void close() {
    bars.values().forEach(ProgressBar::close);
    bars.clear();
  }
}
