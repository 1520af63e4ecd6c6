package org.braid.hdfs.namenode.host;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hdfs.server.namenode.Namesystem;
import org.jspecify.annotations.Nullable;

/**
 * The namesystem as the block manager sees it. It notes which file each thread has asked for last:
 * HDFS does not tell its placement policy which block it decides on, but the block manager looks up
 * the block's file right before it asks the policy which replicas go.
 *
 * <p>It is a proxy, which has the methods of whichever Hadoop it runs in.
 */
public final class WatchedNamesystem {
  private static final class Noted {
    long inode;
  }

  private final NameNodeHost host;
  private final Namesystem stock;
  private final ThreadLocal<Noted> noted = ThreadLocal.withInitial(Noted::new);

  private WatchedNamesystem(NameNodeHost host, Namesystem stock) {
    this.host = host;
    this.stock = stock;
  }

  /**
   * Installs a proxy between a block manager and its namesystem, under the write lock, so that
   * every later holder of the lock sees the proxy.
   */
  public static WatchedNamesystem install(NameNodeHost host) throws IOException {
    return host.writing(
        "braidWatch",
        () -> {
          WatchedNamesystem watched =
              new WatchedNamesystem(host, HadoopInternals.namesystem(host.blocks()));
          HadoopInternals.setNamesystem(host.blocks(), watched.proxy());
          return watched;
        });
  }

  private Namesystem proxy() {
    return (Namesystem)
        Proxy.newProxyInstance(
            Namesystem.class.getClassLoader(),
            new Class<?>[] {Namesystem.class},
            (proxy, method, arguments) -> answer(method, arguments));
  }

  private @Nullable Object answer(Method method, Object @Nullable [] arguments) throws Throwable {
    if (arguments != null && method.getName().equals("getBlockCollection")) {
      noted.get().inode = (Long) arguments[0];
    }
    try {
      return method.invoke(stock, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /** Removes the proxy from the block manager. */
  public void remove() {
    try {
      host.writing(
          "braidWatch",
          () -> {
            HadoopInternals.setNamesystem(host.blocks(), stock);
            return true;
          });
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The inode of the file that the block manager asked for last on this thread; 0 for none. */
  public long inode() {
    return noted.get().inode;
  }
}
