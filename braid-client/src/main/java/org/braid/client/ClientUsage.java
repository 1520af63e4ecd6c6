package org.braid.client;

import java.util.List;
import org.braid.hdfs.client.BraidAbstractFileSystem;
import org.braid.hdfs.client.BraidFileSystem;
import org.braid.hdfs.rpc.Release;

/** Prints how a program uses the jar of Braid's client, its main class. Runs without Hadoop. */
public final class ClientUsage {
  private ClientUsage() {}

  /** What programs name in their configuration, and so what the jar has to hold. */
  public static List<Class<?>> entries() {
    return List.of(BraidFileSystem.class, BraidAbstractFileSystem.class);
  }

  /** Prints the version and what to set. */
  public static void main(String[] args) {
    System.out.println("Braid's client " + Release.version());
    System.out.println("With this jar on the class path of Hadoop 3.3.1 to 3.5, set");
    System.out.println("  fs.hdfs.impl=org.braid.hdfs.client.BraidFileSystem");
    System.out.println(
        "  fs.AbstractFileSystem.hdfs.impl=org.braid.hdfs.client.BraidAbstractFileSystem");
  }
}
