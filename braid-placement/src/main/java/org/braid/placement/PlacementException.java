package org.braid.placement;

/** A placement that cannot keep what it promises; carries how much is missing of what. */
public final class PlacementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String what;
  private final int needed;
  private final int available;

  /**
   * Describes a refusal.
   *
   * @param what what there is too little of, e.g. {@code nodes}
   * @param needed how many are needed
   * @param available how many there are
   * @param message the whole sentence: the numbers and what to do
   */
  public PlacementException(String what, int needed, int available, String message) {
    super(message);
    this.what = what;
    this.needed = needed;
    this.available = available;
  }

  /** What there is too little of. */
  public String what() {
    return what;
  }

  /** How many are needed. */
  public int needed() {
    return needed;
  }

  /** How many there are. */
  public int available() {
    return available;
  }
}
