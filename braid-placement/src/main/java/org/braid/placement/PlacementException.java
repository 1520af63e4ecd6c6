package org.braid.placement;

/** A placement is refused because it cannot keep its promise. Carries the numbers. */
public final class PlacementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final int needed;
  private final int available;

  /**
   * Describes a refusal.
   *
   * @param what the scarce resource, for example {@code nodes}
   * @param needed number needed
   * @param available number available
   * @param message the sentence shown to users: the numbers and what to do
   */
  public PlacementException(String what, int needed, int available, String message) {
    super(message);
    this.what = what;
    this.needed = needed;
    this.available = available;
  }

  /** The scarce resource. */
  public String what() {
    return what;
  }

  /** The number needed. */
  public int needed() {
    return needed;
  }

  /** The number available. */
  public int available() {
    return available;
  }
}
