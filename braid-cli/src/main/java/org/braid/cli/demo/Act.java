package org.braid.cli.demo;

import java.io.IOException;

/** A part of the story. */
interface Act {
  /** What it is about, in a few words. */
  String title();

  /** Plays it; what does not hold goes to the ledger, what cannot go on is thrown. */
  void play(Stage stage) throws IOException;
}
