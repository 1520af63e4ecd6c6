package org.braid.hdfs.api.view;

/**
 * A request for the storage that files take.
 *
 * @param path a file or directory
 * @param by the grouping of the rows
 * @param depth levels of directories below the path with rows of their own; 0 for none
 */
public record UsageRequest(String path, By by, int depth) {
  /** The groupings of files. */
  public enum By {
    DIRECTORY,
    OWNER
  }

  public UsageRequest {
    if (depth < 0) {
      throw new IllegalArgumentException("a depth of " + depth + ": it is 0 or more");
    }
  }
}
