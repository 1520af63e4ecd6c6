package org.braid.hdfs.dispatch;

import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.rpc.Rpc;

/** A worker did not do what it was asked for. */
public final class WorkerException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  /** Kinds of failures. */
  public enum Kind {
    /** There was no connection, or it was lost: the worker may be gone. */
    UNREACHABLE,
    /** The worker has no memory free now; later it may. */
    BUSY,
    /** The worker answered that it failed. */
    FAILED
  }

  private WorkerException(Kind kind, Throwable cause) {
    super(Rpc.reason(cause), cause);
    this.kind = kind;
  }

  static WorkerException of(ServiceException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    if (!(cause instanceof RemoteException remote)) {
      return new WorkerException(Kind.UNREACHABLE, cause);
    }
    boolean busy = RetriableException.class.getName().equals(remote.getClassName());
    return new WorkerException(busy ? Kind.BUSY : Kind.FAILED, remote);
  }

  public static WorkerException unreachable(Throwable cause) {
    return new WorkerException(Kind.UNREACHABLE, cause);
  }

  /** What went wrong. */
  public Kind kind() {
    return kind;
  }
}
