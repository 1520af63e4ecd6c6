package org.braid.cli.codes;

/**
 * A code in a comparison.
 *
 * @param properties its derived properties
 * @param speed bytes of data encoded in a second
 */
record ComparedCode(CodeProperties properties, double speed) {
  CodeBounds limits() {
    return new CodeBounds(properties);
  }

  String name() {
    return properties.code().name();
  }
}
