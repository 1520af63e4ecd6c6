package org.braid.hadooptests;

import java.util.Locale;

/** The HDFS that a class of tests runs with. The two are the sides that a report compares. */
enum TestedHdfs {
  /** HDFS as Apache releases it. */
  STOCK,
  /** The same with Braid's jars and settings. */
  BRAID;

  /** Its name in files and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
