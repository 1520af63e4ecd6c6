package org.braid.hdfs.api.view;

/**
 * Asks what files take.
 *
 * @param path a file or directory
 * @param by what is told apart
 * @param depth levels of directories below the path that are told apart; 0 for none
 */
public record UsageRequest(String path, By by, int depth) {
  /** What files are told apart by. */
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
