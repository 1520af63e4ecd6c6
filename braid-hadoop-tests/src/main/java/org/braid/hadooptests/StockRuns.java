package org.braid.hadooptests;

import java.util.List;

/** Which classes run with stock HDFS, too. */
enum StockRuns {
  /** All. */
  ALWAYS,
  /**
   * Those of which a test did not pass with Braid: a class whose tests all pass with Braid hides
   * none that fails with it alone.
   */
  NEEDED;

  /** The sides in the order in which they run. */
  List<TestedHdfs> order() {
    return this == ALWAYS
        ? List.of(TestedHdfs.STOCK, TestedHdfs.BRAID)
        : List.of(TestedHdfs.BRAID, TestedHdfs.STOCK);
  }
}
