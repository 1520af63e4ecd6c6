package org.braid.hadooptests;

import java.util.Locale;

/** With what a class of tests runs. */
enum Side {
  /** HDFS as Apache releases it. */
  STOCK,
  /** The same with Braid's jars and settings. */
  BRAID;

  /** Its name in files and reports. */
  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
