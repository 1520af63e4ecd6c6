package org.braid.cli.codes;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.braid.code.Codes;
import org.braid.code.bound.Bound;
import org.braid.code.bound.Bound.Quantity;
import org.braid.code.bound.Bound.Side;
import org.braid.code.bound.CodeParameters;

/** The bounds on codes with the parameters of one code. */
final class CodeBounds {
  private final Optional<CodeParameters> shape;

  CodeBounds(CodeProperties properties) {
    int tolerance = properties.tolerance().proven();
    // Bounds exist for codes that survive at least one loss.
    this.shape =
        tolerance == 0
            ? Optional.empty()
            : Optional.of(CodeParameters.of(properties.code(), tolerance));
  }

  /** A bound's value; empty for a code that survives nothing. */
  OptionalDouble at(Bound bound) {
    return shape.map(s -> OptionalDouble.of(bound.at(s))).orElse(OptionalDouble.empty());
  }

  /** The sharpest of the bounds on a quantity. */
  OptionalDouble sharpest(Quantity quantity) {
    List<Bound> bounds = Codes.bounds().stream().filter(b -> b.quantity() == quantity).toList();
    var values = bounds.stream().map(this::at).flatMapToDouble(OptionalDouble::stream);
    return bounds.get(0).side() == Side.AT_LEAST ? values.max() : values.min();
  }
}
