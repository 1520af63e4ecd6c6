package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.rpc.Rpc;
import org.braid.hdfs.rpc.StreamException;

/** A call on a worker failed. */
public final class WorkerException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Kinds of failures by the types of the workers' exceptions; other types mean that the work
   * failed.
   */
  private static final Map<String, Kind> KINDS =
      Map.of(
          RetriableException.class.getName(),
          Kind.BUSY,
          StreamException.class.getName(),
          Kind.STREAM,
          DSQuotaExceededException.class.getName(),
          Kind.QUOTA);

  private final Kind kind;

  /** Kinds of failures. */
  public enum Kind {
    /** There was no connection, or it was lost: the worker may be down. */
    UNREACHABLE,
    /** The worker has no memory free now; later it may. */
    BUSY,
    /**
     * A stream from or to another worker ended early, mostly because of a failure at its other end.
     */
    STREAM,
    /** A file that the worker was to write exceeds a quota, as it would anywhere. */
    QUOTA,
    /** The worker answered that it failed. */
    FAILED
  }

  private WorkerException(Kind kind, Throwable cause) {
    super(Rpc.reason(cause), cause);
    this.kind = kind;
  }

  /** The exception for a failed call to a worker. */
  public static WorkerException of(ServiceException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    if (!(cause instanceof RemoteException remote)) {
      return new WorkerException(Kind.UNREACHABLE, cause);
    }
    String type = remote.getClassName();
    return new WorkerException(KINDS.getOrDefault(type, Kind.FAILED), remote);
  }

  public static WorkerException unreachable(Throwable cause) {
    return new WorkerException(Kind.UNREACHABLE, cause);
  }

  /** The kind of the failure. */
  public Kind kind() {
    return kind;
  }
}
