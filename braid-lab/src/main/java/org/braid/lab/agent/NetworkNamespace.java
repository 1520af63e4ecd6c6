package org.braid.lab.agent;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;

/**
 * Moves threads into the network namespace of a host; sockets they open afterwards belong to it.
 */
final class NetworkNamespace {
  private static final int CLONE_NEWNET = 0x40000000;
  private static final int READ_ONLY = 0;

  static {
    Native.register(NetworkNamespace.class, "c");
  }

  private NetworkNamespace() {}

  private static native int open(String path, int flags) throws LastErrorException;

  private static native int setns(int descriptor, int type) throws LastErrorException;

  private static native int close(int descriptor) throws LastErrorException;

  /** Moves the current thread for the rest of its life; other threads stay. */
  static void enter(String host) throws IOException {
    try {
      int descriptor = open("/run/netns/" + host, READ_ONLY);
      try {
        setns(descriptor, CLONE_NEWNET);
      } finally {
        close(descriptor);
      }
    } catch (LastErrorException e) {
      throw new IOException("cannot enter the network of " + host + ": " + e.getMessage(), e);
    }
  }
}
