package org.braid.code.xorbas;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.braid.code.CodeFamily;
import org.braid.code.Equation;
import org.braid.code.Gf256;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.Schedule;
import org.braid.code.StripeSize;
import org.braid.code.SubBlock;
import org.braid.code.Term;

/** Reed-Solomon with stored local parities and an implied one; alpha is 1. */
public final class Xorbas extends NamedCode {
  /** Codes named {@code xorbas-K-P-R}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "xorbas",
          "xorbas-K-P-R",
          "Xorbas, K data in groups of R and P parities: Reed-Solomon's, then a local one a group",
          "xorbas-10-6-5",
          "XORing Elephants; Geo-MXOR §II",
          p -> StripeSize.of(p[0] + p[1], 1),
          CodeFamily.parameters(3, p -> new Xorbas(new XorbasSettings(p[0], p[1], p[2]))));

  private final XorbasSettings settings;
  private final List<LocalGroup> groups;

  public Xorbas(XorbasSettings settings) {
    super(
        "xorbas-" + settings.k() + "-" + settings.parities() + "-" + settings.r(),
        1,
        generator(settings));
    this.settings = settings;
    this.groups = localGroups();
  }

  private static Matrix generator(XorbasSettings settings) {
    int k = settings.k();
    int[] values = new int[settings.parities() * k];
    int[][] remainders = remainders(k, roots(settings.globals()));
    for (int data = 0; data < k; data++) {
      for (int j = 0; j < settings.globals(); j++) {
        values[j * k + data] = remainders[data][j];
      }
      values[(settings.globals() + data / settings.r()) * k + data] = 1;
    }
    return Matrix.systematic(Matrix.of(settings.parities(), k, values));
  }

  /**
   * The polynomial with the roots 1, 2, 4... as coefficients of x^0 to x^(m-1); that of x^m is 1.
   */
  private static int[] roots(int m) {
    int[] polynomial = new int[m + 1];
    polynomial[0] = 1;
    int root = 1;
    for (int degree = 0; degree < m; degree++) {
      for (int i = degree + 1; i >= 0; i--) {
        int shifted = i == 0 ? 0 : polynomial[i - 1];
        polynomial[i] = shifted ^ Gf256.multiply(root, polynomial[i]);
      }
      root = Gf256.multiply(2, root);
    }
    return Arrays.copyOf(polynomial, m);
  }

  /**
   * The remainders of x^m, x^(m+1)... by the polynomial, each as coefficients of x^0 to x^(m-1).
   */
  private static int[][] remainders(int count, int[] polynomial) {
    int m = polynomial.length;
    int[][] out = new int[count][];
    out[0] = polynomial;
    for (int i = 1; i < count; i++) {
      out[i] = new int[m];
      int carry = out[i - 1][m - 1];
      for (int j = 0; j < m; j++) {
        int shifted = j == 0 ? 0 : out[i - 1][j - 1];
        out[i][j] = shifted ^ Gf256.multiply(carry, polynomial[j]);
      }
    }
    return out;
  }

  private List<LocalGroup> localGroups() {
    List<LocalGroup> out = new ArrayList<>();
    for (int g = 0; g < settings.groups(); g++) {
      int r = settings.r();
      out.add(
          LocalGroup.withParity("local " + g, g * r, (g + 1) * r, k() + settings.globals() + g));
    }
    out.add(new LocalGroup("parities", IntStream.range(k(), n()).boxed().toList(), 1));
    return List.copyOf(out);
  }

  /** The parameters. */
  public XorbasSettings settings() {
    return settings;
  }

  @Override
  public List<Promise> promises() {
    return List.of(
        Promises.any(n(), settings.globals()),
        Promises.withinGroups("any 1 block from at most " + settings.r() + " others", groups));
  }

  /** The data groups with their local parities, and the implied group of all parities. */
  @Override
  public List<LocalGroup> groups() {
    return groups;
  }

  /** Computes the last Reed-Solomon parity as the sum of all other parities. */
  @Override
  public List<Schedule> encodings() {
    SubBlock last = new SubBlock(k() + settings.globals() - 1, 0);
    List<Equation> steps = new ArrayList<>();
    List<Term> others = new ArrayList<>();
    for (Equation step : Schedule.generator(this).steps()) {
      if (!step.target().equals(last)) {
        steps.add(step);
        others.add(new Term(step.target(), 1));
      }
    }
    steps.add(new Equation(last, others));
    return List.of(new Schedule("implied parity", steps));
  }
}
