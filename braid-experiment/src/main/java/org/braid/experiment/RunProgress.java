package org.braid.experiment;

/** Receives the progress of a run. */
public interface RunProgress {
  /** Ignores it. */
  RunProgress NONE =
      new RunProgress() {
        @Override
        public void at(String phase, long done, long total) {}

        @Override
        public void say(String line) {}
      };

  /** Part of a phase is done. */
  void at(String phase, long done, long total);

  /** Prints a line for a waiting user. */
  void say(String line);
}
