package org.braid.code.clay;

/** The grid of a Clay code: coordinates of nodes, and the pairs of nodes coupled in each plane. */
final class ClayGrid {
  private final ClaySettings settings;
  private final int q;

  /** The powers of q: weight[y] is the weight of digit y in the number of a plane. */
  private final int[] weight;

  ClayGrid(ClaySettings settings) {
    this.settings = settings;
    this.q = settings.q();
    this.weight = new int[settings.t()];
    for (int y = 0, w = 1; y < weight.length; y++, w *= q) {
      weight[y] = w;
    }
  }

  int x(int node) {
    return node % q;
  }

  int y(int node) {
    return node / q;
  }

  int digit(int plane, int y) {
    return plane / weight[y] % q;
  }

  /** Whether a node has no partner in a plane: it stores the uncoupled value. */
  boolean isAlone(int node, int plane) {
    return digit(plane, y(node)) == x(node);
  }

  int partner(int node, int plane) {
    return y(node) * q + digit(plane, y(node));
  }

  int partnerPlane(int node, int plane) {
    int y = y(node);
    return plane + (x(node) - digit(plane, y)) * weight[y];
  }

  boolean isVirtual(int node) {
    return node >= settings.k() && node < settings.k() + settings.virtual();
  }

  boolean isParity(int node) {
    return node >= settings.k() + settings.virtual();
  }

  /** The node of a stripe's block. */
  int node(int block) {
    return block < settings.k() ? block : block + settings.virtual();
  }

  /** The block of a real node. */
  int block(int node) {
    return node < settings.k() ? node : node - settings.virtual();
  }

  /** The number of parities without a partner in a plane; planes with fewer are coded first. */
  int score(int plane) {
    int score = 0;
    for (int y = 0; y < weight.length; y++) {
      score += isParity(y * q + digit(plane, y)) ? 1 : 0;
    }
    return score;
  }
}
