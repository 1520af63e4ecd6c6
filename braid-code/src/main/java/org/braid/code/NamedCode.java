package org.braid.code;

/** A code defined by its name: two codes with the same name are equal. */
public abstract class NamedCode implements ErasureCode {
  private final String name;
  private final int alpha;
  private final Matrix generator;

  /**
   * A code with a generator.
   *
   * @param name the persisted name
   * @param alpha sub-blocks of a block, at least 1
   * @param generator n*alpha rows of k*alpha columns
   * @throws IllegalArgumentException when rows or columns are not a multiple of alpha
   */
  protected NamedCode(String name, int alpha, Matrix generator) {
    if (alpha < 1 || generator.rows() % alpha != 0 || generator.columns() % alpha != 0) {
      throw new IllegalArgumentException(
          "%s: a matrix of %d x %d is not made of blocks of %d sub-blocks"
              .formatted(name, generator.rows(), generator.columns(), alpha));
    }
    this.name = name;
    this.alpha = alpha;
    this.generator = generator;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final int n() {
    return generator.rows() / alpha;
  }

  @Override
  public final int k() {
    return generator.columns() / alpha;
  }

  @Override
  public final int alpha() {
    return alpha;
  }

  @Override
  public final Matrix generator() {
    return generator;
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof NamedCode code && name.equals(code.name);
  }

  @Override
  public final int hashCode() {
    return name.hashCode();
  }

  @Override
  public final String toString() {
    return name;
  }
}
