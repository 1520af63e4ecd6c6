package org.braid.hdfs.failure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CausesTest {
  @Test
  void areListedDownToTheRoot() {
    Throwable root = new IllegalStateException("root");
    Throwable between = new IOException(root);
    Throwable failure = new RuntimeException(between);
    assertEquals(List.of(failure, between, root), Causes.of(failure));
    assertSame(root, Causes.root(failure));
    assertEquals(List.of(root), Causes.of(root));
    assertSame(root, Causes.root(root));
  }

  @Test
  void thatGoRoundAreListedOnce() {
    IOException inner = new IOException("inner");
    IOException outer = new IOException("outer", inner);
    inner.initCause(outer);
    assertEquals(List.of(outer, inner), Causes.of(outer));
    assertEquals(List.of(inner, outer), Causes.of(inner));
    assertSame(inner, Causes.root(outer));
  }

  /** However many layers of clients wrap a failure. */
  @Test
  void ofALongChainTheRootIsFound() {
    Throwable root = new IOException("root");
    Throwable failure = root;
    for (int i = 0; i < 100; i++) {
      failure = new IOException(failure);
    }
    assertSame(root, Causes.root(failure));
    assertEquals(101, Causes.of(failure).size());
  }
}
