package org.braid.experiment;

/** Is told how far a run is. */
public interface Progress {
  /** Tells nobody. */
  Progress NONE =
      new Progress() {
        @Override
        public void at(String phase, long done, long total) {}

        @Override
        public void say(String line) {}
      };

  /** So much of a phase is done. */
  void at(String phase, long done, long total);

  /** Something a person who waits should know, as one line. */
  void say(String line);
}
