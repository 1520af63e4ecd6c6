package org.braid.lab.agent;

import com.sun.jna.LastErrorException;
import com.sun.jna.Native;
import java.io.IOException;

/** Takes threads into the network of a host; what they open from then on is there. */
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

  /** Takes the current thread there, for good; no other thread is touched. */
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
