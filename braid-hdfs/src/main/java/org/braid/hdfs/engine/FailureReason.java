package org.braid.hdfs.engine;

import java.io.IOException;
import org.braid.code.UnknownCodeException;
import org.braid.hdfs.rpc.OneLine;
import org.braid.hdfs.stripe.UnsupportedStripeException;
import org.braid.placement.PlacementException;

/** Describes for an operator why work on a stripe failed. */
public final class FailureReason {
  private FailureReason() {}

  /**
   * The reason of a failure, in one line, without the stack trace of messages of Hadoop's RPC. An
   * unexpected failure, for example of an inconsistent plan, is reported as an error of Braid, with
   * what to do.
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
