package org.braid.hdfs.namenode.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.util.RwLock;
import org.apache.hadoop.hdfs.util.RwLockMode;
import org.junit.jupiter.api.Test;

final class NameNodeLockTest {
  private final List<String> calls = new ArrayList<>();

  /** Hadoop's lock, of which a thread holds some modes. */
  private NameNodeLock holding(RwLockMode... modes) {
    Set<RwLockMode> held = EnumSet.noneOf(RwLockMode.class);
    held.addAll(Arrays.asList(modes));
    RwLock lock =
        (RwLock)
            Proxy.newProxyInstance(
                RwLock.class.getClassLoader(),
                new Class<?>[] {RwLock.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("hasReadLock")) {
                    return held.contains((RwLockMode) arguments[0]);
                  }
                  calls.add(method.getName() + Arrays.toString(arguments));
                  return null;
                });
    return new ModeLock(lock, RwLockMode.class);
  }

  @Test
  void hadoopIsToldTheModeOfEachHold() {
    NameNodeLock lock = holding();
    for (LockMode mode : LockMode.values()) {
      lock.begin(mode);
      lock.end(mode, "braidTest");
      assertEquals(List.of("readLock[" + mode + "]", "readUnlock[" + mode + ", braidTest]"), calls);
      calls.clear();
    }
  }

  /** One that Braid does not know might be the mode of what it reads. */
  @Test
  void theModesAreThoseOfHadoop() {
    assertEquals(
        Arrays.stream(RwLockMode.values()).map(Enum::name).sorted().toList(),
        Arrays.stream(LockMode.values()).map(Enum::name).sorted().toList());
  }

  @Test
  void hadoopWithoutModesHasOneLock() {
    NameNodeLock lock = new OneLock(() -> calls.add("lock"), what -> calls.add("unlock " + what));
    for (LockMode mode : LockMode.values()) {
      lock.begin(mode);
      lock.end(mode, "braidTest");
      assertEquals(List.of("lock", "unlock braidTest"), calls);
      calls.clear();
    }
  }

  @Test
  void filesComeBeforeBlocks() {
    for (LockMode mode : List.of(LockMode.FS, LockMode.GLOBAL)) {
      AssertionError e =
          assertThrows(AssertionError.class, () -> holding(RwLockMode.BM).begin(mode));
      assertTrue(String.valueOf(e.getMessage()).contains("under that of blocks"), e.getMessage());
    }
    assertEquals(List.of(), calls);
    holding(RwLockMode.BM).begin(LockMode.BM);
    for (LockMode mode : LockMode.values()) {
      holding(RwLockMode.FS).begin(mode);
      holding(RwLockMode.values()).begin(mode);
    }
    assertEquals(7, calls.size());
  }

  @Test
  void anotherHadoopIsRefused() {
    LinkageError e =
        assertThrows(LinkageError.class, () -> new ModeLock(proxyOfNothing(), Thread.State.class));
    assertTrue(String.valueOf(e.getMessage()).contains("has no lock of mode FS"), e.getMessage());
  }

  private static RwLock proxyOfNothing() {
    return (RwLock)
        Proxy.newProxyInstance(
            RwLock.class.getClassLoader(),
            new Class<?>[] {RwLock.class},
            (proxy, method, arguments) -> null);
  }
}
