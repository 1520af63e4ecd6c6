package org.braid.code.clay;

import java.util.ArrayList;
import java.util.List;
import org.braid.code.Equation;
import org.braid.code.Gf256;
import org.braid.code.Matrix;
import org.braid.code.Schedule;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;

/**
 * The encoding of a Clay code, plane by plane: uncouple the data, code the plane, couple the
 * parities. It decodes the parities as m lost nodes (Clay codes, section 3). Planes with few
 * parities without a partner come first, so that a parity that is the partner of a data node is
 * coded in an earlier plane.
 *
 * <p>Uncoupling and coding are one step, because reading a pair twice is cheaper than storing its
 * uncoupled values. Scratch values are the uncoupled values of parities.
 */
final class CoupledLayers {
  /** The coupling coefficient. */
  private static final int COUPLING = 2;

  /** det [[1, g], [g, 1]] = 1 + g^2. */
  private static final int DETERMINANT = 1 ^ Gf256.multiply(COUPLING, COUPLING);

  private static final int UNCOUPLING = Gf256.inverse(DETERMINANT);

  private final ClaySettings settings;
  private final ClayGrid grid;
  private final Matrix planeCode;
  private final List<Equation> steps = new ArrayList<>();

  private CoupledLayers(ClaySettings settings) {
    this.settings = settings;
    this.grid = new ClayGrid(settings);
    this.planeCode =
        new ReedSolomon(new RsSettings(settings.k() + settings.virtual(), settings.m()))
            .generator();
  }

  /** The schedule that computes all parity sub-blocks. */
  static Schedule schedule(ClaySettings settings) {
    CoupledLayers layers = new CoupledLayers(settings);
    for (int score = 0; score <= settings.t(); score++) {
      for (int plane = 0; plane < settings.alpha(); plane++) {
        if (layers.grid.score(plane) == score) {
          layers.code(plane);
        }
      }
    }
    for (int plane = 0; plane < settings.alpha(); plane++) {
      layers.couple(plane);
    }
    return new Schedule("coupled layers", layers.steps);
  }

  /** Computes U of every parity in a plane. */
  private void code(int plane) {
    List<List<Term>> uncoupled = new ArrayList<>();
    for (int node = 0; !grid.isParity(node); node++) {
      uncoupled.add(uncouple(node, plane));
    }
    for (int parity = uncoupled.size(); parity < settings.nodes(); parity++) {
      List<Term> terms = new ArrayList<>();
      for (int node = 0; node < uncoupled.size(); node++) {
        for (Term term : uncoupled.get(node)) {
          int factor = planeCode.at(parity, node);
          terms.add(new Term(term.source(), Gf256.multiply(factor, term.coefficient())));
        }
      }
      steps.add(new Equation(codedParity(parity, plane), terms));
    }
  }

  /** U of a data or virtual node as a sum of stored values. */
  private List<Term> uncouple(int node, int plane) {
    List<Term> terms = new ArrayList<>();
    int partner = grid.partner(node, plane);
    int partnerPlane = grid.partnerPlane(node, plane);
    if (grid.isAlone(node, plane)) {
      addStored(terms, node, plane, 1);
    } else if (grid.isParity(partner)) {
      // C = U + g U', and the plane of U' is coded before this one.
      addStored(terms, node, plane, 1);
      terms.add(new Term(codedParity(partner, partnerPlane), COUPLING));
    } else {
      addStored(terms, node, plane, UNCOUPLING);
      addStored(terms, partner, partnerPlane, Gf256.multiply(COUPLING, UNCOUPLING));
    }
    return terms;
  }

  /** Computes C of every parity that has a partner in a plane. */
  private void couple(int plane) {
    for (int parity = settings.nodes() - settings.m(); parity < settings.nodes(); parity++) {
      if (grid.isAlone(parity, plane)) {
        continue;
      }
      int partner = grid.partner(parity, plane);
      int partnerPlane = grid.partnerPlane(parity, plane);
      List<Term> terms = new ArrayList<>();
      if (grid.isParity(partner)) {
        terms.add(new Term(codedParity(parity, plane), 1));
        terms.add(new Term(codedParity(partner, partnerPlane), COUPLING));
      } else {
        // The partner's C' = U' + g U is data: C = U + g U' = (1 + g^2) U + g C'.
        terms.add(new Term(codedParity(parity, plane), DETERMINANT));
        addStored(terms, partner, partnerPlane, COUPLING);
      }
      steps.add(new Equation(new SubBlock(grid.block(parity), plane), terms));
    }
  }

  /** Adds a multiple of C of a data or virtual node; C of a virtual node is zero. */
  private void addStored(List<Term> terms, int node, int plane, int factor) {
    if (!grid.isVirtual(node)) {
      terms.add(new Term(new SubBlock(grid.block(node), plane), factor));
    }
  }

  /** The place of U of a parity: the parity itself if C = U, otherwise scratch. */
  private SubBlock codedParity(int parity, int plane) {
    int block = grid.block(parity);
    return new SubBlock(grid.isAlone(parity, plane) ? block : block + settings.m(), plane);
  }
}
