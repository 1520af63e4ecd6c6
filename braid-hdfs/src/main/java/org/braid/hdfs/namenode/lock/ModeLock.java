package org.braid.hdfs.namenode.lock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import org.apache.hadoop.hdfs.util.RwLock;
import org.apache.hadoop.util.VersionInfo;

/**
 * The lock of Hadoop 3.5, whose methods take a mode. By HDFS's configuration, files and blocks have
 * one lock or two. Hadoop 3.4 has neither the modes nor these methods.
 */
final class ModeLock implements NameNodeLock {
  /** A lock's methods for one mode. */
  private record Calls(MethodHandle begin, MethodHandle end, MethodHandle held) {}

  private final Calls files;
  private final Calls blocks;
  private final Calls both;

  /**
   * A lock.
   *
   * @param modes Hadoop's class of modes
   * @throws LinkageError if this Hadoop's lock is another one
   */
  ModeLock(RwLock lock, Class<?> modes) {
    files = calls(lock, modes, LockMode.FS);
    blocks = calls(lock, modes, LockMode.BM);
    both = calls(lock, modes, LockMode.GLOBAL);
  }

  private static Calls calls(RwLock lock, Class<?> modes, LockMode mode) {
    try {
      Object named = Objects.requireNonNull(modes.getField(mode.name()).get(null));
      return new Calls(
          call(lock, "readLock", MethodType.methodType(void.class, modes), named),
          call(lock, "readUnlock", MethodType.methodType(void.class, modes, String.class), named),
          call(lock, "hasReadLock", MethodType.methodType(boolean.class, modes), named));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(
          "Hadoop %s has no lock of mode %s".formatted(VersionInfo.getVersion(), mode), e);
    }
  }

  private static MethodHandle call(RwLock lock, String name, MethodType type, Object mode)
      throws ReflectiveOperationException {
    MethodHandle method = MethodHandles.publicLookup().findVirtual(RwLock.class, name, type);
    return MethodHandles.insertArguments(method, 1, mode).bindTo(lock);
  }

  private Calls of(LockMode mode) {
    return switch (mode) {
      case FS -> files;
      case BM -> blocks;
      case GLOBAL -> both;
    };
  }

  @Override
  public void begin(LockMode mode) {
    assert mode == LockMode.BM || !isHeld(LockMode.BM) || isHeld(LockMode.FS)
        : "the lock of files is asked for under that of blocks, and HDFS takes it first";
    try {
      of(mode).begin.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the lock of mode " + mode + " cannot be taken", e);
    }
  }

  @Override
  public void end(LockMode mode, String what) {
    try {
      of(mode).end.invokeExact(what);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the lock of mode " + mode + " cannot be given back", e);
    }
  }

  private boolean isHeld(LockMode mode) {
    try {
      return (boolean) of(mode).held.invokeExact();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("the lock of mode " + mode + " cannot be looked at", e);
    }
  }
}
