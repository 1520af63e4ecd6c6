package org.braid.hdfs.namenode.host;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Splits work into pages, so that the NameNode's lock is never held for long. */
public final class Pages {
  private Pages() {}

  /**
   * Splits a collection into pages, in its order.
   *
   * @param most members of a page
   */
  public static <T> List<List<T>> of(Collection<T> all, int most) {
    List<T> list = List.copyOf(all);
    List<List<T>> pages = new ArrayList<>();
    for (int from = 0; from < list.size(); from += most) {
      pages.add(list.subList(from, Math.min(list.size(), from + most)));
    }
    return pages;
  }
}
