package org.braid.hdfs.stripe;

/** This version of Braid cannot decode or place the stripe. The message says why and what to do. */
public final class UnsupportedStripeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnsupportedStripeException(String message) {
    super(message);
  }
}
