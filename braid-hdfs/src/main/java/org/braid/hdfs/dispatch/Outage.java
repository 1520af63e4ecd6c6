package org.braid.hdfs.dispatch;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RpcNoSuchProtocolException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.braid.hdfs.rpc.Rpc;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A time in which the NameNode does not answer because its host or the network stalls. Long work
 * waits, and goes on if its lease is still valid then. After a restart or failover of the NameNode
 * the lease is lost, and the work ends as soon as its holder learns that. For one thread.
 */
public final class Outage {
  private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

  /** Longest outage, in addition to the time-outs of calls. */
  static final long MOST_MILLIS = 120_000;

  private OptionalLong since = OptionalLong.empty();

  /**
   * Notes a failed call.
   *
   * @param now milliseconds from any origin
   * @throws IOException the failure, when waiting does not help or has lasted too long
   */
  public void goesOn(IOException failure, long now) throws IOException {
    if (!isPassing(failure)) {
      throw failure;
    }
    since = OptionalLong.of(since.orElse(now));
    if (now - since.getAsLong() >= MOST_MILLIS) {
      throw failure;
    }
    LOG.warn("the NameNode is asked again in a moment: {}", failure.getMessage());
  }

  /**
   * Whether the cause of a failed call is temporary. A starting NameNode answers calls before its
   * plugins do, and does not know Braid's protocol for a moment.
   */
  public static boolean isPassing(Throwable failure) {
    return failure instanceof IOException e && (NameNodeLink.isPassing(e) || isStarting(e));
  }

  private static boolean isStarting(IOException e) {
    IOException failure = e instanceof RemoteException told ? told.unwrapRemoteException() : e;
    return failure instanceof RpcNoSuchProtocolException
        || (failure instanceof AuthorizationException
            && Rpc.isUnknownProtocol(failure.getMessage()));
  }

  /** A call on the NameNode. */
  @FunctionalInterface
  public interface Call<T> {
    T make() throws IOException;
  }

  /**
   * Makes a call; an answer ends the outage.
   *
   * @param clock milliseconds from the origin of all others
   * @return empty when it failed for a temporary cause
   * @throws IOException its failure, when waiting does not help or has lasted too long
   */
  public <T> Optional<T> ask(Call<T> call, LongSupplier clock) throws IOException {
    T answer;
    try {
      answer = call.make();
    } catch (IOException e) {
      goesOn(e, clock.getAsLong());
      return Optional.empty();
    }
    end();
    return Optional.of(answer);
  }

  /** Whether the last call failed. */
  public boolean lasts() {
    return since.isPresent();
  }

  /** Ends the outage, as a call was answered. */
  public void end() {
    since = OptionalLong.empty();
  }
}
