package org.braid.cli.codes;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.braid.code.Equation;
import org.braid.code.ErasureCode;
import org.braid.code.SubBlock;

/** Writes blocks, equations and figures of codes as text. */
public final class CodeText {
  private CodeText() {}

  /** For example {@code block 3} or {@code blocks 3, 7}. */
  public static String named(List<Integer> blocks) {
    String list = blocks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    return (blocks.size() == 1 ? "block " : "blocks ") + list;
  }

  /** Numbers, runs of them joined, for example {@code 0-5, 12}. */
  static String ranges(List<Integer> numbers) {
    List<String> runs = new ArrayList<>();
    int from = 0;
    for (int i = 1; i <= numbers.size(); i++) {
      if (i == numbers.size() || numbers.get(i) != numbers.get(i - 1) + 1) {
        int first = numbers.get(from);
        int last = numbers.get(i - 1);
        runs.add(first == last ? String.valueOf(first) : first + "-" + last);
        from = i;
      }
    }
    return String.join(", ", runs);
  }

  /** A figure with at most three decimals, without zeros at the end. */
  public static String number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "-";
    }
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** For example {@code b3 = b0 + 7 b1}, or with sub-blocks {@code b3.0 = b0.1 + 142 b2.0}. */
  static String equation(ErasureCode code, Equation equation) {
    return subBlock(code, equation.target())
        + " = "
        + equation.terms().stream()
            .map(
                t ->
                    (t.coefficient() == 1 ? "" : t.coefficient() + " ")
                        + subBlock(code, t.source()))
            .collect(Collectors.joining(" + "));
  }

  private static String subBlock(ErasureCode code, SubBlock subBlock) {
    return "b" + subBlock.block() + (code.alpha() == 1 ? "" : "." + subBlock.index());
  }
}
