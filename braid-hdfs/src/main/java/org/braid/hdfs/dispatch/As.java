package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;

/** Runs what must be done as the user who opened the file system, whoever reads now. */
final class As {
  private As() {}

  static <T> T user(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws IOException {
    try {
      return user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }
}
