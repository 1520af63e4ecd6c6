package org.braid.hdfs.namenode.calls;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.ProtobufRpcEngineCallback2;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.namenode.host.HadoopInternals;
import org.braid.hdfs.namenode.host.NameNodeHost;
import org.braid.hdfs.rpc.Rpc;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client's call that is answered later, so that it holds no handler meanwhile. */
public final class LateAnswer {
  private static final Logger LOG = LoggerFactory.getLogger(LateAnswer.class);

  /** HDFS's own implementation of a call. */
  @FunctionalInterface
  public interface Stock<T> {
    /** Makes the call. */
    T call() throws ServiceException;
  }

  private final Server.Call call;
  private final UserGroupInformation caller;
  private volatile @Nullable ProtobufRpcEngineCallback2 callback;

  private LateAnswer(Server.Call call, UserGroupInformation caller) {
    this.call = call;
    this.caller = caller;
  }

  /** A write that is answered only when it is in the edit log on disk. */
  static <T> Stock<T> durable(NameNodeHost host, Stock<T> write) {
    return () -> {
      T answer = write.call();
      HadoopInternals.syncEdits(host.namesystem());
      return answer;
    };
  }

  /** The present RPC call; empty for WebHDFS and for other callers within this process. */
  public static Optional<LateAnswer> toPresentCall() {
    Server.Call call = Server.getCurCall().get();
    if (call == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(new LateAnswer(call, NameNode.getRemoteUser()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The caller's user name. */
  public String user() {
    return caller.getShortUserName();
  }

  /** Tells the server, on the call's own thread, that the answer comes later. */
  public synchronized void postpone() {
    callback = ProtobufRpcEngine2.Server.registerForDeferredResponse2();
    notifyAll();
  }

  /**
   * Whether the client still waits. A call of a client that died or gave up must not run long
   * afterwards. HDFS itself drops queued calls of closed connections.
   */
  boolean isAwaited() {
    return HadoopInternals.isOpen(call);
  }

  /**
   * Whether HDFS has already made this call, which the client also sent over another connection,
   * and will answer it from its retry cache.
   */
  boolean isRemembered(FSNamesystem namesystem) {
    Server.Call present = Server.getCurCall().get();
    Server.getCurCall().set(call);
    try {
      return HadoopInternals.isRemembered(namesystem);
    } finally {
      if (present == null) {
        Server.getCurCall().remove();
      } else {
        Server.getCurCall().set(present);
      }
    }
  }

  /** Runs work as the caller's user. */
  <T> T asCaller(PrivilegedExceptionAction<T> work) throws IOException {
    try {
      return caller.doAs(work);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the NameNode is stopping", e);
    }
  }

  /** Makes the call as the caller's user, with the caller's tokens, and sends the answer. */
  public <T extends Message> void send(Stock<T> stock) {
    ProtobufRpcEngineCallback2 to = postponed();
    Server.getCurCall().set(call);
    CallerContext.setCurrent(call.getCallerContext());
    try {
      PrivilegedExceptionAction<T> again = () -> Rpc.call(stock::call);
      to.setResponse(caller.doAs(again));
    } catch (IOException e) {
      to.error(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      to.error(new IOException("the NameNode is stopping"));
    } catch (RuntimeException | Error e) {
      // Whatever happened, the caller must not wait for ever.
      LOG.warn("a late answer failed", e);
      to.error(e);
    } finally {
      Server.getCurCall().remove();
      CallerContext.setCurrent(null);
    }
  }

  /** The way back to the client, once the call's own thread has asked for it. */
  private synchronized ProtobufRpcEngineCallback2 postponed() {
    boolean interrupted = false;
    ProtobufRpcEngineCallback2 present = callback;
    while (present == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
      present = callback;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return present;
  }
}
