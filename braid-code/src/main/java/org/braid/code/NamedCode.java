package org.braid.code;

/** A code that is its name: one name stands for one matrix. */
public abstract class NamedCode implements ErasureCode {
  @Override
  public final boolean equals(Object other) {
    return other instanceof NamedCode code && name().equals(code.name());
  }

  @Override
  public final int hashCode() {
    return name().hashCode();
  }

  @Override
  public final String toString() {
    return name();
  }
}
