package org.braid.hdfs.rpc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.braid.hdfs.failure.Causes;
import org.jspecify.annotations.Nullable;

/** Connections to Braid's two services, and their errors. */
public final class Rpc {
  /** The classes that Hadoop's client names before a message, which may have colons of its own. */
  private static final String CLASSES = "(?:[\\w.$]+(?:Exception|Error): )*";

  private static final Pattern CALL =
      Pattern.compile(
          "(?:Call From|No Route to Host from) +\\S+ to (\\S+) failed(?: on [^:]*)?: "
              + CLASSES
              + "(.*)",
          Pattern.DOTALL);

  private static final Pattern LOCAL =
      Pattern.compile(
          "DestHost:destPort (\\S+) , LocalHost:localPort .*?\\. Failed on local exception: "
              + CLASSES
              + "(.*)",
          Pattern.DOTALL);

  private static final Pattern CLOSED =
      Pattern.compile(
          "End of File Exception between .*; destination host is: \"([^\"]+)\":(\\d+); : .*",
          Pattern.DOTALL);

  private static final Pattern UNKNOWN_HOST =
      Pattern.compile(
          "Invalid host name: .*; destination host is: \"([^\"]+)\":(\\d+); .*", Pattern.DOTALL);

  private Rpc() {}

  /** A call over one of the stubs. */
  @FunctionalInterface
  public interface Call<T> {
    T run() throws ServiceException;
  }

  /**
   * The DataNode is stopping, or does not serve the block pool (yet). The answer says nothing about
   * the block; a later call may succeed.
   */
  public static final class NotServingException extends IOException {
    private static final long serialVersionUID = 1L;

    public NotServingException(String message) {
      super(message);
    }
  }

  /**
   * An executor with one thread for each running task. Each task runs with the caller context of
   * the thread that submitted it, so that NameNodes log its calls for the right job. A thread of a
   * plain pool keeps the context of the task that first needed it.
   */
  public static ExecutorService threads(ThreadFactory factory) {
    return new ContextThreads(factory);
  }

  private static final class ContextThreads extends ThreadPoolExecutor {
    private static final long IDLE_SECONDS = 60;

    ContextThreads(ThreadFactory factory) {
      super(
          0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    @Override
    public void execute(Runnable task) {
      CallerContext context = CallerContext.getCurrent();
      super.execute(
          () -> {
            CallerContext.setCurrent(context);
            task.run();
          });
    }
  }

  /** A stub of the NameNode's service; stop it with {@link #stop}. */
  public static BraidNameNodePB nameNode(Configuration conf, InetSocketAddress address)
      throws IOException {
    return proxy(BraidNameNodePB.class, conf, address, 60_000);
  }

  /**
   * Stubs of DataNodes' services; stop each with {@link #stop}. They share one configuration,
   * because there may be thousands of stubs.
   */
  @FunctionalInterface
  public interface WorkerStubs {
    /**
     * Creates a stub.
     *
     * @param blockPool block pool of its calls; empty for the only one
     */
    BraidWorkerPB at(String ip, int port, String blockPool) throws IOException;
  }

  /** Stubs for calls without a block pool. */
  @FunctionalInterface
  public interface BriefStubs {
    BraidWorkerPB at(String ip, int port) throws IOException;
  }

  /**
   * Stubs with a separate time-out for each kind of call, because some take long; a fragment may
   * run as long as it progresses.
   */
  public static WorkerStubs workers(Configuration conf) {
    int stream = conf.getInt(StreamClient.TIMEOUT_KEY, StreamClient.TIMEOUT_DEFAULT);
    return workers(conf, WorkerStub.Timeouts.standard(stream));
  }

  /** Stubs with other time-outs. */
  static WorkerStubs workers(Configuration conf, WorkerStub.Timeouts timeouts) {
    // An unreachable worker must be known in a moment.
    SharedSettings shared = new SharedSettings(conf, 3000, 0);
    return (ip, port, blockPool) ->
        new WorkerStub(shared.worker(ip, port), ip + ":" + port, blockPool, timeouts);
  }

  /** Stubs for calls that a DataNode answers at once; slower calls fail. */
  public static BriefStubs briefWorkers(Configuration conf, int millis) {
    return new SharedSettings(conf, millis, millis)::worker;
  }

  /** The configuration of stubs, made for the first one: most clients never need any. */
  private static final class SharedSettings {
    private final Configuration from;
    private final int connectMillis;
    private final int callMillis;
    private @Nullable Configuration made;

    SharedSettings(Configuration from, int connectMillis, int callMillis) {
      this.from = from;
      this.connectMillis = connectMillis;
      this.callMillis = callMillis;
    }

    BraidWorkerPB worker(String ip, int port) throws IOException {
      return proxy(BraidWorkerPB.class, settings(), new InetSocketAddress(ip, port), callMillis);
    }

    private synchronized Configuration settings() {
      Configuration known = made;
      if (known == null) {
        known = new Configuration(from);
        known.setInt("ipc.client.connect.max.retries", 0);
        known.setInt("ipc.client.connect.timeout", connectMillis);
        known.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
        known.setInt("ipc.client.rpc-timeout.ms", callMillis);
        made = known;
      }
      return known;
    }
  }

  /** The NameNode's RPC address of an {@code hdfs://} address. */
  public static InetSocketAddress nameNodeAddress(Configuration conf, java.net.URI uri) {
    return DFSUtilClient.getNNAddress(uri.toString());
  }

  /** A stub of any service with a time-out for its calls; stop it with {@link #stop}. */
  public static <T> T proxy(
      Class<T> protocol, Configuration conf, InetSocketAddress address, int timeoutMillis)
      throws IOException {
    RPC.setProtocolEngine(conf, protocol, ProtobufRpcEngine2.class);
    return RPC.getProtocolProxy(
            protocol,
            RPC.getProtocolVersion(protocol),
            address,
            UserGroupInformation.getCurrentUser(),
            conf,
            NetUtils.getDefaultSocketFactory(conf),
            timeoutMillis,
            null)
        .getProxy();
  }

  /** Runs a call; unwraps a remote exception, with the server's message. */
  public static <T> T call(Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (ServiceException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RemoteException remote) {
        throw known(brief(remote).unwrapRemoteException());
      }
      if (cause instanceof IOException io) {
        throw brief(io);
      }
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * A server that authorizes services says of a protocol that it does not know that nobody may call
   * it.
   */
  private static IOException known(IOException failure) {
    if (failure instanceof AuthorizationException && isUnknownProtocol(failure.getMessage())) {
      IOException unknown = new RpcNoSuchProtocolException(failure.getMessage());
      unknown.initCause(failure);
      return unknown;
    }
    return failure;
  }

  /** Without the server's stack trace, which is in its own log. */
  private static RemoteException brief(RemoteException remote) {
    String message =
        String.valueOf(remote.getMessage())
            .lines()
            .takeWhile(line -> !line.startsWith("\tat "))
            .collect(Collectors.joining("\n"));
    return new RemoteException(remote.getClassName(), message, remote.getErrorCode());
  }

  /**
   * The reason of a failure, without the local host, the exception's class and the wiki page that
   * Hadoop's messages on connections include.
   */
  public static String reason(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    int wiki = message.indexOf("; For more details see:");
    String brief = wiki < 0 ? message : message.substring(0, wiki);
    Matcher unknown = UNKNOWN_HOST.matcher(brief);
    if (unknown.matches()) {
      return unknown.group(1) + ":" + unknown.group(2) + ": no host has this name";
    }
    Matcher closed = CLOSED.matcher(brief);
    if (closed.matches()) {
      return closed.group(1) + ":" + closed.group(2) + ": the connection was closed";
    }
    for (Pattern form : List.of(CALL, LOCAL)) {
      Matcher call = form.matcher(brief);
      if (call.matches()) {
        return call.group(1) + ": " + call.group(2);
      }
    }
    return brief;
  }

  /** The same failure with its reason in few words. */
  private static IOException brief(IOException failure) {
    String reason = reason(failure);
    if (reason.equals(String.valueOf(failure.getMessage()))) {
      return failure;
    }
    try {
      IOException brief = failure.getClass().getConstructor(String.class).newInstance(reason);
      brief.initCause(failure);
      return brief;
    } catch (ReflectiveOperationException | IllegalStateException e) {
      return failure; // of a class that has more than a message
    }
  }

  /**
   * Whether a failure is an interrupt, which ends all work. A time-out also ends in an {@link
   * InterruptedIOException}, but is no interrupt.
   */
  public static boolean isInterrupt(IOException e) {
    return e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException);
  }

  /**
   * Whether a failure is a worker's finding on the replica that it was asked about, which the
   * worker reports as a plain {@link IOException}. A worker that is busy or stopping reports
   * another exception, and a worker that is unreachable reports none.
   */
  public static boolean isFinding(Throwable failure) {
    return Causes.of(failure).stream()
        .anyMatch(
            e ->
                e instanceof RemoteException told
                    && told.getClassName().equals(IOException.class.getName()));
  }

  /** Whether a server's answer says that it does not know Braid's protocol. */
  public static boolean isUnknownProtocol(@Nullable String message) {
    return message != null
        && (message.contains("Unknown protocol")
            || (message.contains("Protocol ") && message.contains(" is not known")));
  }

  /** Closes a stub's connection. */
  public static void stop(Object stub) {
    RPC.stopProxy(stub);
  }
}
