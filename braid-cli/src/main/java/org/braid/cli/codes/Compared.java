package org.braid.cli.codes;

/**
 * A code in a comparison.
 *
 * @param properties what was derived
 * @param speed bytes of data encoded in a second
 */
record Compared(Properties properties, double speed) {
  Limits limits() {
    return new Limits(properties);
  }

  String name() {
    return properties.code().name();
  }
}
