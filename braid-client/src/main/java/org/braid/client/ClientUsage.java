package org.braid.client;

import java.util.List;
import org.braid.hdfs.client.BraidAbstractFileSystem;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.rpc.Release;

/** The main class of the client's jar. Prints how programs use the jar; runs without Hadoop. */
public final class ClientUsage {
  private ClientUsage() {}

  /** The classes that programs name in their configuration, which the jar must contain. */
  public static List<Class<?>> entries() {
    return List.of(BraidFileSystem.class, BraidAbstractFileSystem.class);
  }

  /** Prints the version and the properties to set. */
  public static void main(String[] args) {
    System.out.println("Braid's client " + Release.version());
    System.out.println("With this jar on the class path of Hadoop 3.3.1 to 3.5, set");
    System.out.println("  fs.hdfs.impl=org.braid.hdfs.client.BraidFileSystem");
    System.out.println(
        "  fs.AbstractFileSystem.hdfs.impl=org.braid.hdfs.client.BraidAbstractFileSystem");
  }
}
