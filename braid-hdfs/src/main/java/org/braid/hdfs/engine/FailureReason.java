package org.braid.hdfs.engine;

import java.io.IOException;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.rpc.OneLine;
import org.braid.hdfs.stripe.UnsupportedStripeException;
import org.braid.placement.PlacementException;

/** Why work on one stripe failed, in words for an operator. */
public final class FailureReason {
  private FailureReason() {}

  /**
   * The reason of a failure, in one line: Hadoop's RPC has a stack trace in its messages. One that
   * nobody foresaw, as of a plan that contradicts itself, is named as an error of Braid, with what
   * to do.
   */
  public static String of(Throwable failure) {
    boolean foreseen =
        failure instanceof IOException
            || failure instanceof UnknownCodeException
            || failure instanceof UnsupportedStripeException
            || failure instanceof PlacementException;
    return foreseen
        ? OneLine.first(failure)
        : "an error of Braid, which its log describes: the stripe stays as it is; run the command"
            + " again, and report the error if it comes back: "
            + failure;
  }
}
