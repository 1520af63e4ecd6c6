package org.braid.hdfs.policy;

import java.util.List;

/** The files whose reads are followed: those at the paths of policies, or all. */
public final class ReadScopes {
  private final List<Glob> globs;
  private final List<String> roots;

  private ReadScopes(List<Glob> globs) {
    this.globs = globs;
    roots = PolicySet.topmost(globs.stream().flatMap(glob -> glob.roots().stream()));
  }

  /** All files. */
  public static ReadScopes all() {
    return of(List.of(KnownReads.ALL));
  }

  /** The files that match patterns. */
  public static ReadScopes of(List<String> patterns) {
    return new ReadScopes(patterns.stream().distinct().sorted().map(Glob::parse).toList());
  }

  /** The patterns, in their order. */
  public List<String> names() {
    return globs.stream().map(Glob::toString).toList();
  }

  /** Whether a path is followed. */
  public boolean follows(String path) {
    return globs.stream().anyMatch(glob -> glob.matches(path));
  }

  /** Whether files at or below a path may be followed. */
  public boolean mayFollowBelow(String path) {
    return roots.stream()
        .anyMatch(root -> PolicySet.isAtOrBelow(path, root) || PolicySet.isAtOrBelow(root, path));
  }

  /** The directories or files at or below which all of them are. */
  public List<String> roots() {
    return roots;
  }
}
