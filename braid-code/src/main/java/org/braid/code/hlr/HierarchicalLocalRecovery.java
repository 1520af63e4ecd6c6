package org.braid.code.hlr;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import org.braid.code.CodeFamily;
import org.braid.code.Equation;
import org.braid.code.Gf256;
import org.braid.code.LocalGroup;
import org.braid.code.Matrix;
import org.braid.code.NamedCode;
import org.braid.code.Promise;
import org.braid.code.Promises;
import org.braid.code.RackLosses;
import org.braid.code.Schedule;
import org.braid.code.StripeSize;
import org.braid.code.SubBlock;
import org.braid.code.Term;
import org.braid.code.rs.ReedSolomon;
import org.braid.code.rs.RsSettings;

/** A product code over an array of racks and rows; alpha is 1. */
public final class HierarchicalLocalRecovery extends NamedCode {
  /** Codes named {@code hlr-nN-rR-gG-lL}. */
  public static final CodeFamily FAMILY =
      new CodeFamily(
          "hlr",
          "hlr-nN-rR-gG-lL",
          "Hierarchical local recovery, N racks of R blocks, G parity racks, L local parities a rack",
          "hlr-n14-r8-g4-l1",
          "R-STAIR §V-A",
          p -> StripeSize.of(p[0] * p[1], 1),
          text -> {
            int[] p = CodeFamily.labelled(text, "n", "r", "g", "l");
            return new HierarchicalLocalRecovery(new HlrSettings(p[0], p[1], p[2], p[3]));
          });

  private final HlrSettings settings;

  /** The row code, n rows of n - g columns: each rack in terms of the data racks. */
  private final Matrix across;

  /** The column code, r rows of r - l columns: each row in terms of the data rows. */
  private final Matrix down;

  private final List<LocalGroup> rackGroups;

  public HierarchicalLocalRecovery(HlrSettings settings) {
    this(
        settings,
        new ReedSolomon(new RsSettings(settings.dataRacks(), settings.globals())).generator(),
        xorFirst(settings.dataRows(), settings.locals()));
  }

  private HierarchicalLocalRecovery(HlrSettings settings, Matrix across, Matrix down) {
    super(
        // Stripes record it: its digits are the same on all machines.
        String.format(
            Locale.ROOT,
            "hlr-n%d-r%d-g%d-l%d",
            settings.n(),
            settings.r(),
            settings.globals(),
            settings.locals()),
        1,
        product(settings, across, down));
    this.settings = settings;
    this.across = across;
    this.down = down;
    this.rackGroups =
        IntStream.range(0, settings.n())
            .mapToObj(rack -> new LocalGroup("rack " + rack, rack(rack), settings.locals()))
            .toList();
  }

  /** Reed-Solomon with columns scaled so that the first parity is all ones; it stays MDS. */
  private static Matrix xorFirst(int k, int m) {
    Matrix mds = new ReedSolomon(new RsSettings(k, m)).generator();
    int[] values = new int[m * k];
    for (int row = 0; row < m; row++) {
      for (int column = 0; column < k; column++) {
        values[row * k + column] = Gf256.divide(mds.at(k + row, column), mds.at(k, column));
      }
    }
    return Matrix.systematic(Matrix.of(m, k, values));
  }

  private static Matrix product(HlrSettings settings, Matrix across, Matrix down) {
    int k = settings.k();
    int[] values = new int[settings.n() * settings.r() * k];
    for (int rack = 0; rack < settings.n(); rack++) {
      for (int row = 0; row < settings.r(); row++) {
        int at = settings.block(row, rack) * k;
        for (int fromRack = 0; fromRack < settings.dataRacks(); fromRack++) {
          for (int fromRow = 0; fromRow < settings.dataRows(); fromRow++) {
            values[at + settings.block(fromRow, fromRack)] =
                Gf256.multiply(across.at(rack, fromRack), down.at(row, fromRow));
          }
        }
      }
    }
    return Matrix.of(settings.n() * settings.r(), k, values);
  }

  private List<Integer> rack(int rack) {
    return IntStream.range(0, settings.r())
        .map(row -> settings.block(row, rack))
        .sorted()
        .boxed()
        .toList();
  }

  private LocalGroup row(int row) {
    List<Integer> blocks =
        IntStream.range(0, settings.n())
            .map(rack -> settings.block(row, rack))
            .sorted()
            .boxed()
            .toList();
    return new LocalGroup("row " + row, blocks, settings.globals());
  }

  /** The parameters. */
  public HlrSettings settings() {
    return settings;
  }

  @Override
  public List<Promise> promises() {
    int blocks = (settings.globals() + 1) * (settings.locals() + 1) - 1;
    return List.of(
        wholeRacks(),
        Promises.any(n(), blocks),
        Promises.withinGroups(
            "any " + settings.locals() + " of a rack from that rack", rackGroups));
  }

  /** Loss of whole racks and, in each other rack, of as many blocks as it has local parities. */
  private Promise wholeRacks() {
    String text =
        "any "
            + settings.globals()
            + (settings.globals() == 1 ? " whole rack and any " : " whole racks and any ")
            + settings.locals()
            + " of each other rack";
    List<Integer> losses = new ArrayList<>(Collections.nCopies(settings.globals(), settings.r()));
    losses.addAll(Collections.nCopies(settings.dataRacks(), settings.locals()));
    return new RackLosses(text, rackGroups.stream().map(LocalGroup::blocks).toList(), losses);
  }

  /** The racks, then the rows. */
  @Override
  public List<LocalGroup> groups() {
    List<LocalGroup> groups = new ArrayList<>(rackGroups);
    IntStream.range(0, settings.r()).mapToObj(this::row).forEach(groups::add);
    return List.copyOf(groups);
  }

  @Override
  public Optional<List<Integer>> racks() {
    Integer[] racks = new Integer[n()];
    for (int rack = 0; rack < settings.n(); rack++) {
      for (int block : rack(rack)) {
        racks[block] = rack;
      }
    }
    return Optional.of(List.copyOf(Arrays.asList(racks)));
  }

  /** Computes the local parities of the data racks, then each row across the racks. */
  @Override
  public List<Schedule> encodings() {
    List<Equation> steps = new ArrayList<>();
    for (int rack = 0; rack < settings.dataRacks(); rack++) {
      for (int row = settings.dataRows(); row < settings.r(); row++) {
        List<Term> terms = new ArrayList<>();
        for (int from = 0; from < settings.dataRows(); from++) {
          terms.add(new Term(place(from, rack), down.at(row, from)));
        }
        steps.add(new Equation(place(row, rack), terms));
      }
    }
    for (int rack = settings.dataRacks(); rack < settings.n(); rack++) {
      for (int row = 0; row < settings.r(); row++) {
        List<Term> terms = new ArrayList<>();
        for (int from = 0; from < settings.dataRacks(); from++) {
          terms.add(new Term(place(row, from), across.at(rack, from)));
        }
        steps.add(new Equation(place(row, rack), terms));
      }
    }
    return List.of(new Schedule("racks, then rows", steps));
  }

  private SubBlock place(int row, int rack) {
    return new SubBlock(settings.block(row, rack), 0);
  }
}
