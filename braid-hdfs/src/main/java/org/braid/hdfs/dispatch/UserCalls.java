package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.security.UserGroupInformation;

/** Runs calls as the user who opened the file system, in the thread of any user. */
public final class UserCalls {
  private UserCalls() {}

  /** Runs an action as a user. */
  public static <T> T runAs(UserGroupInformation user, PrivilegedExceptionAction<T> action)
      throws IOException {
    try {
      return user.doAs(action);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }
}
